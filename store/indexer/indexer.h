// Keeps an index up with what the store shows, on a thread of its own that everything else goes
// before. Publishing never waits for it; it may lag.
//
// The index is thrown away and derived anew if it does not open, is of another format, or does not
// follow from this log. When reading the log or writing fails for now (a full disk too), it waits
// and tries again. On damage it stops, says so once, and what it has is still answered from.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/mutex.h"
#include "store/backend/event_log.h"
#include "store/index/index_store.h"
#include "store/index/queries.h"
#include "store/log/published.h"

namespace stele::store {

// Opens the index that is there, or, with `create`, throws away whatever is there and makes an
// empty one.
using IndexOpener = std::function<absl::StatusOr<std::unique_ptr<IndexStore>>(bool create)>;

// An index that follows from this log, opened or made anew; its position is CheckIndexPosition's
// kind. Says through `log` what it threw away and why. Errors are those of making one, and of
// reading the log.
absl::StatusOr<std::unique_ptr<IndexStore>> OpenIndexOf(const Snapshot& log,
                                                        const IndexOpener& open,
                                                        const EventLog& say);

struct IndexerOptions {
  IndexOpener open;
  int nice = 19;  // of its thread; 19: everything else goes first
  EventLog log;
};

class Indexer {
 public:
  // Opens the index. `published` outlives it and shows a head.
  Indexer(const Published& published, IndexerOptions options);
  ~Indexer();  // what is not applied by now is not waited for
  Indexer(const Indexer&) = delete;
  Indexer& operator=(const Indexer&) = delete;

  // Any thread. UNAVAILABLE while there is no index to read, or no log.
  absl::StatusOr<std::shared_ptr<const Queries>> GetQueries() const;
  // Any thread. False if the deadline passes before `size` entries are applied.
  bool WaitUntil(TreeSize size, std::chrono::steady_clock::time_point deadline) const
      STELE_EXCLUDES(mutex_);

  struct Progress {
    IndexState state = IndexState::kRebuilding;
    TreeSize applied;
    std::vector<std::pair<std::string, uint64_t>> stats;  // the engine's
  };
  Progress progress() const STELE_EXCLUDES(mutex_);

 private:
  void Run();
  // One life of an index handle: until it stops, or an error.
  absl::Status Follow() STELE_EXCLUDES(mutex_);
  absl::Status Open() STELE_EXCLUDES(mutex_);
  void Show(TreeSize applied) STELE_EXCLUDES(mutex_);
  std::shared_ptr<IndexStore> index() const STELE_EXCLUDES(mutex_);
  void Close(IndexState state, const absl::Status& why) STELE_EXCLUDES(mutex_);
  bool Pause() STELE_EXCLUDES(mutex_);
  void Say(std::string_view severity, const std::string& message) const;

  const Published& published_;
  const IndexerOptions options_;
  std::atomic<bool> stopping_{false};
  mutable Mutex mutex_;
  mutable CondVar moved_;
  std::shared_ptr<IndexStore> index_ STELE_GUARDED_BY(mutex_);
  IndexState state_ STELE_GUARDED_BY(mutex_) = IndexState::kRebuilding;
  TreeSize applied_ STELE_GUARDED_BY(mutex_);
  TreeSize to_rebuild_ STELE_GUARDED_BY(mutex_);  // then it follows
  std::string closed_because_ STELE_GUARDED_BY(mutex_);
  std::string last_error_;  // said once, not every second
  std::thread thread_;      // last: it uses all of the above
};

}  // namespace stele::store
