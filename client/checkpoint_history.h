// Connects every checkpoint that is met to those that were verified before, in this run and in
// earlier ones.
//
// A checkpoint counts once it is proven that the larger of its tree and the largest one known
// begins with the smaller. Then it is kept (client/checkpoint_files.h): a server that shows another
// history to the same client is found out, however long it waited.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/checkpoint_files.h"
#include "core/base/mutex.h"
#include "core/merkle/proof.h"
#include "core/tlog/checkpoint.h"

namespace stele::client {

// May be used from any thread; asks for one proof at a time.
class CheckpointHistory {
 public:
  // The hashes by which the server proves that its tree of `to` entries begins with that of `from`
  // (1 <= from < to). Nothing of it needs to be verified.
  using Prove = std::function<absl::StatusOr<Proof>(TreeSize from, TreeSize to)>;
  // Hears sentences for people; may be empty.
  using Notify = std::function<void(std::string_view)>;

  // Reads what is kept of the log that `keys` sign. FAILED_PRECONDITION if a file holds no
  // checkpoint, DATA_LOSS if one is signed by none of the keys: each names the path to remove.
  static absl::StatusOr<std::unique_ptr<CheckpointHistory>> Open(CheckpointFiles files,
                                                                 std::vector<NoteVerifier> keys,
                                                                 Prove prove, Notify notify);
  // Keeps what is not kept yet.
  ~CheckpointHistory();

  // A checkpoint of a note that is verified: OK if it is one log with all that came before. A tree
  // smaller than what was kept at the beginning is stale: that is told once. DATA_LOSS with both
  // signed notes, which are put aside too, if it is another log or cannot be proven to be the same
  // one; UNAVAILABLE, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED if the server could not prove it now.
  // That it cannot be kept is told and is no error.
  absl::Status Join(std::string_view note, const Checkpoint& checkpoint) STELE_EXCLUDES(mutex_);

 private:
  struct Head {
    std::string note;
    Hash root;
  };

  CheckpointHistory(CheckpointFiles files, std::vector<NoteVerifier> keys, Prove prove,
                    Notify notify);
  absl::StatusOr<Head> Read(const KeptCheckpoint& kept) const;
  absl::Status Connect(TreeSize size, const Head& head) STELE_REQUIRES(mutex_);
  absl::Status Contradiction(const Head& kept, const Head& shown, const absl::Status& why) const;
  absl::Status Save() STELE_REQUIRES(mutex_);
  absl::Status TakeIn(const KeptCheckpoint& other) STELE_REQUIRES(mutex_);
  void Remember(TreeSize size, Head head) STELE_REQUIRES(mutex_);
  void Say(std::string_view sentence) const;

  const CheckpointFiles files_;
  const std::vector<NoteVerifier> keys_;
  const Prove prove_;
  const Notify notify_;
  TreeSize kept_before_;  // the largest one at the beginning
  Mutex mutex_;
  std::map<TreeSize, Head> heads_ STELE_GUARDED_BY(mutex_);  // all of one log
  TreeSize saved_ STELE_GUARDED_BY(mutex_);                  // the largest one on disk
  std::chrono::steady_clock::time_point saved_at_ STELE_GUARDED_BY(mutex_);
  bool told_stale_ STELE_GUARDED_BY(mutex_) = false;
  bool told_unkept_ STELE_GUARDED_BY(mutex_) = false;
};

}  // namespace stele::client
