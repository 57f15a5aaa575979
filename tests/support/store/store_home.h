// Where a test's store lives: on a disk in memory or in a folder. The store can be closed and
// opened again; what a kill leaves can be opened beside it.
#pragma once

#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/base/mutex.h"
#include "core/crypto/key.h"
#include "store/backend/memory_backend.h"
#include "store/store.h"
#include "tests/support/store/temp_dir.h"

namespace stele::testing {

enum class Engine { kMemory, kRocksDb };
std::string_view EngineName(Engine engine);

class StoreHome {
 public:
  // Made with a genesis by TestKey("operator") and recovery key TestKey("recovery"), at `now`.
  explicit StoreHome(Engine engine, TimeMs now = store::SystemClock()());

  Engine engine() const { return engine_; }
  // `options` without folder and guard: they are filled in here.
  absl::StatusOr<std::unique_ptr<store::Store>> Open(store::OpenOptions options = Options());
  // No reserve, so that a full test machine is not mistaken for a fault; and an index that keeps up
  // on a busy one.
  static store::OpenOptions Options();

  // Memory only: the handle that the open store writes to. Any thread.
  std::shared_ptr<store::MemoryBackend> memory() const STELE_EXCLUDES(mutex_);
  // RocksDB only.
  std::filesystem::path dir() const { return folder_.path() / "store"; }
  std::filesystem::path guard() const { return folder_.path() / "store.guard"; }

 private:
  const Engine engine_;
  TempDir folder_;
  mutable Mutex mutex_;  // the store reopens from a thread of its own
  std::shared_ptr<store::MemoryBackend> memory_ STELE_GUARDED_BY(mutex_);
};

}  // namespace stele::testing
