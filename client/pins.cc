#include "client/pins.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "client/files.h"
#include "client/status.h"
#include "core/base/client_limits.h"
#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "core/tlog/checkpoint.h"

namespace stele::client {
namespace {

absl::StatusOr<std::string> ReadPins(const std::filesystem::path& path) {
  STELE_ASSIGN_OR_RETURN(std::optional<std::string> text, ReadIfThere(path, limits::kPinFileBytes));
  return std::move(text).value_or("");
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
      "neither XDG_STATE_HOME nor HOME is set: say with --state where pins and checkpoints are "
      "kept");
}

absl::StatusOr<std::optional<PinFile::Found>> PinFile::Find(std::string_view address) const {
  STELE_ASSIGN_OR_RETURN(std::string text, ReadPins(path_));
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
  const FileLock file(path_);
  STELE_RETURN_IF_ERROR(file.status());
  STELE_ASSIGN_OR_RETURN(std::optional<Found> other, Find(pin.address));
  if (other) return *std::move(other);
  STELE_ASSIGN_OR_RETURN(std::string before, ReadPins(path_));
  const bool cut = !before.empty() && before.back() != '\n';
  STELE_RETURN_IF_ERROR(file.Append(Concat(cut ? "\n" : "", FormatPin(pin), "\n")));
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
