#include "tests/support/store/store_home.h"

#include <stdexcept>
#include <utility>

#include "store/log/genesis.h"
#include "tests/support/store/statements.h"

namespace stele::testing {
namespace {

void Must(const absl::Status& status) {
  if (!status.ok()) throw std::runtime_error("test store: " + status.ToString());
}

}  // namespace

std::string_view EngineName(Engine engine) {
  return engine == Engine::kMemory ? "Memory" : "RocksDb";
}

StoreHome::StoreHome(Engine engine, TimeMs now) : engine_(engine) {
  const PrivateKey operator_key = TestKey("operator");
  const std::vector<PublicKey> recovery = {TestKey("recovery").public_key()};
  if (engine == Engine::kRocksDb) {
    Must(store::CreateStore({.dir = dir(),
                             .guard = guard(),
                             .origin = kOrigin,
                             .log_key = TestKey("log"),
                             .operator_key = operator_key,
                             .recovery_keys = recovery,
                             .clock = [now] { return now; }}));
    return;
  }
  MutexLock lock(mutex_);
  memory_ = std::make_shared<store::MemoryBackend>();
  Must(store::CommitGenesis(*memory_, {.origin = kOrigin,
                                       .log_key = TestKey("log"),
                                       .operator_key = operator_key,
                                       .recovery_keys = recovery,
                                       .now = now})
           .status());
}

std::shared_ptr<store::MemoryBackend> StoreHome::memory() const {
  MutexLock lock(mutex_);
  return memory_;
}

store::OpenOptions StoreHome::Options() {
  store::OpenOptions options;
  options.disk_reserve_bytes = 0;
  options.index_nice = 0;
  return options;
}

absl::StatusOr<std::unique_ptr<store::Store>> StoreHome::Open(store::OpenOptions options) {
  if (engine_ == Engine::kRocksDb) {
    options.dir = dir();
    options.guard = guard();
    return store::Store::Open(options);
  }
  const store::Store::BackendOpener opener =
      [this]() -> absl::StatusOr<std::shared_ptr<store::Backend>> {
    MutexLock lock(mutex_);
    memory_ = std::make_shared<store::MemoryBackend>(memory_->disk());
    return memory_;
  };
  return store::Store::OverBackend(opener, TestKey("log"), options);
}

}  // namespace stele::testing
