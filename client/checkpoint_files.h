// The newest checkpoints of one log that were verified, kept between runs in a state folder.
//
//   <state>/checkpoints/<hex of SHA-256 of the origin>/<size>   the signed note, as it came
//   <state>/contradictions/<16 hex digits>.txt                  two that exclude each other
//
// The folder of a log holds the limits::kKeptCheckpoints largest ones and a file `lock`. Errors are
// UNKNOWN, naming the path. May be used from any thread and process.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/strong_int.h"

namespace stele::client {

struct KeptCheckpoint {
  TreeSize size;
  std::string note;  // not verified here
};

class CheckpointFiles {
 public:
  CheckpointFiles(const std::filesystem::path& state_dir, std::string_view origin);

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path PathOf(TreeSize size) const;

  // All that is kept, smallest first.
  absl::StatusOr<std::vector<KeptCheckpoint>> Load() const;

  // Keeps a checkpoint larger than `known`, the largest one that the caller knows to be kept: on
  // stable storage on return, old or new after a crash. If another process kept a larger one than
  // `known` meanwhile, nothing is kept and that one is given back: prove that both are of one log
  // and try again.
  absl::StatusOr<std::optional<KeptCheckpoint>> Keep(const KeptCheckpoint& checkpoint,
                                                     TreeSize known) const;

  // Writes a text about two checkpoints, for people to judge; gives its path.
  absl::StatusOr<std::filesystem::path> KeepAside(std::string_view text) const;

 private:
  const std::filesystem::path state_dir_;
  const std::filesystem::path folder_;
};

}  // namespace stele::client
