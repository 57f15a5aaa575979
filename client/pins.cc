#include "client/pins.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <system_error>

#include "client/status.h"
#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "core/tlog/checkpoint.h"

namespace stele::client {
namespace {

absl::Status SystemError(std::string_view what, const std::filesystem::path& path) {
  return absl::UnknownError(
      Concat(what, " ", path.string(), ": ", std::generic_category().message(errno)));
}

// An open, locked file; closing unlocks.
class LockedFile {
 public:
  explicit LockedFile(const std::filesystem::path& path)
      : fd_(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {}
  ~LockedFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;
  bool Lock() const { return fd_ >= 0 && ::flock(fd_, LOCK_EX) == 0; }
  bool Append(std::string_view line) const {
    return ::write(fd_, line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
           ::fsync(fd_) == 0;
  }

 private:
  const int fd_;
};

absl::StatusOr<std::string> ReadAll(const std::filesystem::path& path) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 && errno == ENOENT) return std::string();
  if (fd < 0) return SystemError("cannot open", path);
  std::string text;
  char buffer[4096];
  ssize_t n = 0;
  while ((n = ::read(fd, buffer, sizeof buffer)) > 0) text.append(buffer, static_cast<size_t>(n));
  ::close(fd);
  if (n < 0) return SystemError("cannot read", path);
  return text;
}

absl::Status MakePrivateFolder(const std::filesystem::path& folder) {
  std::error_code error;
  if (folder.empty() || std::filesystem::is_directory(folder, error)) return absl::OkStatus();
  STELE_RETURN_IF_ERROR(MakePrivateFolder(folder.parent_path()));
  if (::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) return absl::OkStatus();
  return SystemError("cannot create", folder);
}

}  // namespace

std::string FormatPin(const Pin& pin) {
  return Concat(pin.address, " ", pin.origin, " ", pin.vkey, " ", pin.genesis.ToText());
}

std::optional<Pin> ParsePin(std::string_view line) {
  std::vector<std::string_view> words;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find(' ', begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  if (words.size() != 4 || words[0].empty() || !ValidOrigin(words[1])) return std::nullopt;
  std::optional<Hash> genesis = Digest::FromText(words[3]);
  if (!genesis || !NoteVerifier::FromVkey(words[2]).ok()) return std::nullopt;
  return Pin{std::string(words[0]), std::string(words[1]), std::string(words[2]), *genesis};
}

absl::StatusOr<std::filesystem::path> DefaultStateDir() {
  const char* xdg = std::getenv("XDG_STATE_HOME");
  if (xdg != nullptr && *xdg != '\0') return std::filesystem::path(xdg) / "stele";
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') {
    return std::filesystem::path(home) / ".local" / "state" / "stele";
  }
  return absl::FailedPreconditionError(
      "neither XDG_STATE_HOME nor HOME is set: say with --state where pins are kept");
}

absl::StatusOr<std::optional<PinFile::Found>> PinFile::Find(std::string_view address) const {
  STELE_ASSIGN_OR_RETURN(std::string text, ReadAll(path_));
  std::istringstream lines(text);
  std::string line;
  for (size_t number = 1; std::getline(lines, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    std::optional<Pin> pin = ParsePin(line);
    if (!pin) {
      return absl::FailedPreconditionError(Concat(path_.string(), ":", number,
                                                  ": this line is no pin (address origin vkey "
                                                  "sha256:…); remove or mend it"));
    }
    if (pin->address == address) return Found{*std::move(pin), number};
  }
  return std::nullopt;
}

absl::StatusOr<PinFile::Found> PinFile::Add(const Pin& pin) const {
  STELE_RETURN_IF_ERROR(MakePrivateFolder(path_.parent_path()));
  const LockedFile file(path_);
  if (!file.Lock()) return SystemError("cannot open", path_);
  STELE_ASSIGN_OR_RETURN(std::optional<Found> other, Find(pin.address));
  if (other) return *std::move(other);
  STELE_ASSIGN_OR_RETURN(std::string before, ReadAll(path_));
  const bool cut = !before.empty() && before.back() != '\n';
  if (!file.Append(Concat(cut ? "\n" : "", FormatPin(pin), "\n"))) {
    return SystemError("cannot write", path_);
  }
  STELE_ASSIGN_OR_RETURN(std::optional<Found> added, Find(pin.address));
  if (!added) return absl::UnknownError(Concat(path_.string(), ": the new pin is not there"));
  return *std::move(added);
}

absl::Status CheckPin(const PinFile& file, const PinFile::Found& pinned, const Pin& seen) {
  if (pinned.pin == seen) return absl::OkStatus();
  return Untrusted(Concat(
      "the server ", seen.address, " is not the one pinned at the first contact.\n  pinned: ",
      FormatPin(pinned.pin), "\n  now:    ", FormatPin(seen),
      "\nDo not trust it, unless you know why the log changed; then remove line ", pinned.line,
      " of ", file.path().string()));
}

}  // namespace stele::client
