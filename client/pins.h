// Pins: what the first contact with a server showed, kept like known_hosts.
//
// The file `pins` holds one line for each server address, written with the first contact:
//   127.0.0.1:7420 log.example/x log.example/x+1b2c3d4e+AbCd… sha256:0123…
// address, origin, vkey of the log key, leaf hash of entry 0; one space between them. Lines that
// begin with # and empty lines are passed over. A pin is only taken out by a person.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/merkle/hash.h"
#include "core/tlog/note.h"

namespace stele::client {

struct Pin {
  std::string address;
  std::string origin;
  std::string vkey;
  Hash genesis;
  friend bool operator==(const Pin&, const Pin&) = default;
};

// Inverse of each other; a line that is no pin gives nothing.
std::string FormatPin(const Pin& pin);
std::optional<Pin> ParsePin(std::string_view line);

// $XDG_STATE_HOME/stele, else ~/.local/state/stele. FAILED_PRECONDITION if neither variable is set.
absl::StatusOr<std::filesystem::path> DefaultStateDir();

// The pins of one state folder. May be used from any thread and process: adding takes a file lock.
class PinFile {
 public:
  explicit PinFile(const std::filesystem::path& state_dir) : path_(state_dir / "pins") {}
  const std::filesystem::path& path() const { return path_; }

  struct Found {
    Pin pin;
    size_t line = 0;  // from 1
  };
  // Nothing if the address is not pinned. FAILED_PRECONDITION if a line is no pin (it is named).
  absl::StatusOr<std::optional<Found>> Find(std::string_view address) const;

  // Adds the pin unless its address has one by now; gives the one that stands. Creates the folder
  // (0700) and the file (0600). On stable storage on return.
  absl::StatusOr<Found> Add(const Pin& pin) const;

 private:
  const std::filesystem::path path_;
};

// OK if `seen` is what is pinned; else DATA_LOSS with file and line to remove.
absl::Status CheckPin(const PinFile& file, const PinFile::Found& pinned, const Pin& seen);

}  // namespace stele::client
