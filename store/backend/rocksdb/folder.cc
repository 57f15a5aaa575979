#include "store/backend/rocksdb/folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <vector>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"

namespace stele::store {
namespace fs = std::filesystem;
namespace {

absl::Status Failed(const std::string& doing, int error) {
  const std::string message = Concat(doing, ": ", std::strerror(error));
  if (error == ENOSPC || error == EDQUOT) {
    return Refuse(absl::StatusCode::kResourceExhausted, reason::kDiskFull, "", message);
  }
  return absl::UnavailableError(message);
}

absl::Status Sync(const fs::path& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return Failed(Concat("opening ", path.string()), errno);
  const int synced = fsync(fd);
  const int error = errno;
  close(fd);
  return synced == 0 ? absl::OkStatus() : Failed(Concat("synchronising ", path.string()), error);
}

}  // namespace

absl::Status MakeEmptyFolder(const fs::path& dir) {
  std::error_code error;
  if (fs::exists(fs::symlink_status(dir, error))) {
    if (fs::is_directory(dir, error) && fs::is_empty(dir, error) && !error) {
      return absl::OkStatus();
    }
    return absl::AlreadyExistsError(
        Concat(dir.string(), " exists and is not an empty folder; choose another"));
  }
  std::vector<fs::path> made;  // innermost first
  for (fs::path at = fs::absolute(dir); !fs::exists(at, error); at = at.parent_path()) {
    made.push_back(at);
  }
  fs::create_directories(dir, error);
  if (error) return Failed(Concat("making ", dir.string()), error.value());
  for (const fs::path& path : made) STELE_RETURN_IF_ERROR(Sync(path.parent_path()));
  return absl::OkStatus();
}

absl::StatusOr<fs::path> CopyLogsAside(const fs::path& dir) {
  std::error_code error;
  fs::path aside;
  int n = 1;
  do {
    aside = dir / Concat("damaged-", n++);
  } while (!fs::create_directory(aside, error) && !error);
  if (error) return Failed(Concat("making ", aside.string()), error.value());
  for (const auto& file : fs::directory_iterator(dir, error)) {
    if (file.path().extension() != ".log") continue;
    const fs::path copy = aside / file.path().filename();
    if (!fs::copy_file(file.path(), copy, error)) {
      return Failed(Concat("copying ", file.path().string(), " aside"), error.value());
    }
    STELE_RETURN_IF_ERROR(Sync(copy));
  }
  if (error) return Failed(Concat("listing ", dir.string()), error.value());
  STELE_RETURN_IF_ERROR(Sync(aside));
  STELE_RETURN_IF_ERROR(Sync(dir));
  return aside;
}

}  // namespace stele::store
