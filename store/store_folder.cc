#include "store/store_folder.h"

#include <string>
#include <system_error>

#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "store/durable_file.h"

namespace stele::store {
namespace fs = std::filesystem;
namespace {

// `DIR/` and `DIR` are one store, and the guard must not end up inside it.
fs::path WithoutSlash(const fs::path& path) {
  fs::path normal = path.lexically_normal();
  return normal.has_filename() || !normal.has_parent_path() ? normal : normal.parent_path();
}

bool Exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

bool EmptyFolder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error) && fs::is_empty(path, error) && !error;
}

}  // namespace

StorePaths PathsOf(const fs::path& dir, const fs::path& guard) {
  StorePaths paths;
  paths.dir = WithoutSlash(dir);
  paths.format = paths.dir / "format";
  paths.log_key = paths.dir / "log.key";
  paths.policy = paths.dir / "policy";
  paths.db = paths.dir / "db";
  paths.index = paths.dir / "index";
  paths.guard = guard;
  if (guard.empty()) paths.guard = paths.dir.string() + ".guard";
  return paths;
}

absl::Status CheckStoreFolder(const StorePaths& paths) {
  const std::string dir = paths.dir.string();
  if (!Exists(paths.dir) || EmptyFolder(paths.dir)) {
    return Refuse(absl::StatusCode::kNotFound, reason::kNotFound, "",
                  "there is no store in " + dir + "; make one with stele init");
  }
  absl::StatusOr<std::string> format = ReadWholeFile(paths.format);
  if (absl::IsNotFound(format.status())) {
    if (Exists(paths.log_key) || Exists(paths.db)) {
      return absl::FailedPreconditionError(
          "the creation of the store in " + dir +
          " was not finished and nothing was ever taken by it; remove " + dir + " and " +
          paths.guard.string() + ", then run stele init again");
    }
    return Refuse(absl::StatusCode::kNotFound, reason::kNotFound, "",
                  dir + " is not a store; name another folder, or make a store with stele init");
  }
  STELE_RETURN_IF_ERROR(format.status());
  if (*format == kFormatText) return absl::OkStatus();
  return absl::FailedPreconditionError(paths.format.string() +
                                       " is not that of a store of this version; use the "
                                       "version of Stele that made it");
}

absl::Status CheckNewFolder(const StorePaths& paths) {
  const std::string dir = paths.dir.string();
  if (Exists(paths.dir) && !EmptyFolder(paths.dir)) {
    return absl::AlreadyExistsError(dir + " is not empty; a store is made in a new folder");
  }
  if (Exists(paths.guard)) {
    return absl::AlreadyExistsError("there is a guard already, " + paths.guard.string() +
                                    "; it belongs to a store that may still exist");
  }
  return absl::OkStatus();
}

}  // namespace stele::store
