#include "tests/store/backend/engine.h"

#include <gtest/gtest.h>

#include "core/base/refusal.h"
#include "store/backend/memory_backend.h"
#include "store/backend/memory_disk.h"
#include "store/backend/rocksdb/open.h"
#include "tests/store/backend/support/faulty_disk.h"
#include "tests/store/backend/support/folder.h"

namespace stele::store::testing {
namespace {

class MemoryEngine : public Engine {
 public:
  explicit MemoryEngine(MemoryBackend::Outcome outcome) : outcome_(outcome) {}
  std::unique_ptr<Backend> Create() override { return std::make_unique<MemoryBackend>(disk_); }
  std::unique_ptr<Backend> Reopen() override { return std::make_unique<MemoryBackend>(disk_); }
  void Break(Backend& backend, Fault fault) override {
    static_cast<MemoryBackend&>(backend).FailNextCommit(
        outcome_, fault == Fault::kDiskFull
                      ? Refuse(absl::StatusCode::kResourceExhausted, reason::kDiskFull, "", "full")
                      : absl::UnavailableError("I/O error"));
  }
  void Heal() override {}

 private:
  const MemoryBackend::Outcome outcome_;
  const std::shared_ptr<MemoryDisk> disk_ = std::make_shared<MemoryDisk>();
};

class RocksDbEngine : public Engine {
 public:
  std::unique_ptr<Backend> Create() override { return Open(true); }
  std::unique_ptr<Backend> Reopen() override { return Open(false); }
  void Break(Backend&, Fault fault) override {
    if (fault == Fault::kDiskFull) fault_->append = DiskFault::Kind::kNoSpace;
    if (fault == Fault::kIoError) fault_->sync = DiskFault::Kind::kIoError;
  }
  void Heal() override { fault_->append = fault_->sync = DiskFault::Kind::kNone; }

 private:
  std::unique_ptr<Backend> Open(bool create) {
    RocksDbOptions options{.dir = folder_ / "db", .create = create};
    options.write_buffer_bytes = 1 << 20;
    auto backend = OpenRocksDbOn(env_.get(), options, nullptr);
    EXPECT_TRUE(backend.ok()) << backend.status();
    return backend.ok() ? *std::move(backend) : nullptr;
  }

  TempFolder folder_;
  const std::shared_ptr<DiskFault> fault_ = std::make_shared<DiskFault>();
  const std::unique_ptr<rocksdb::Env> env_ = MakeFaultyDisk(fault_);
};

}  // namespace

std::vector<EngineMaker> AllEngines() {
  return {
      {"MemoryLosing",
       [] { return std::unique_ptr<Engine>(new MemoryEngine(MemoryBackend::Outcome::kLost)); }},
      {"MemoryPersisting",
       [] {
         return std::unique_ptr<Engine>(new MemoryEngine(MemoryBackend::Outcome::kPersisted));
       }},
      {"RocksDb", [] { return std::unique_ptr<Engine>(new RocksDbEngine); }},
  };
}

}  // namespace stele::store::testing
