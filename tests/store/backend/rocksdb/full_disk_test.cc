// Writes that fail, at the log and in the background: clean refusals, reads go on, and a reopened
// store has everything that was acknowledged.

#include <thread>

#include "core/base/refusal.h"
#include "tests/store/backend/rocksdb/stored.h"
#include "tests/store/backend/support/faulty_disk.h"

namespace stele::store::testing {
namespace {

using Kind = DiskFault::Kind;

class FailingDisk : public Stored {
 protected:
  std::unique_ptr<Backend> OpenHere(bool create) {
    RocksDbOptions options = Options(dir());
    options.create = create;
    auto backend = OpenRocksDbOn(env_.get(), options, create ? nullptr : AtLeast(acknowledged_));
    EXPECT_TRUE(backend.ok()) << backend.status();
    return backend.ok() ? *std::move(backend) : nullptr;
  }
  // Commits until one fails; its status.
  absl::Status CommitUntilFailure(Backend& backend) {
    for (int i = 0; i < 2000; ++i) {
      const absl::Status status = backend.Commit(log_.Next(16));
      if (!status.ok()) return status;
      acknowledged_ = log_.size();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return absl::OkStatus();
  }
  void ExpectReadsAndReopens(std::unique_ptr<Backend> backend) {
    Audit(*backend, acknowledged_);
    fault_->append = fault_->sync = Kind::kNone;
    EXPECT_EQ(backend->Commit(log_.Next(1)).code(), absl::StatusCode::kFailedPrecondition);
    backend.reset();
    backend = OpenHere(false);
    ASSERT_NE(backend, nullptr);
    const uint64_t size = (*backend->GetSnapshot())->head()->size.value();
    Audit(*backend, size);
    TestLog more(size);
    EXPECT_TRUE(backend->Commit(more.Next(3)).ok());
    Audit(*backend, size + 3);
  }

  const std::shared_ptr<DiskFault> fault_ = std::make_shared<DiskFault>();
  const std::unique_ptr<rocksdb::Env> env_ = MakeFaultyDisk(fault_);
  uint64_t acknowledged_ = 0;
};

constexpr auto kRefused = absl::StatusCode::kFailedPrecondition;

struct Case {
  const char* name;
  const char* extension;
  Kind append;
  Kind sync;
  absl::StatusCode code;
};

class FailingWrites : public FailingDisk, public ::testing::WithParamInterface<Case> {};

// A flush that cannot write its table poisons the handle: the commit under way at that moment says
// why, or the next one is refused without a try.
TEST_P(FailingWrites, ArePoison) {
  write_buffer_bytes_ = 64 << 10;
  fault_->extension = GetParam().extension;
  auto backend = OpenHere(true);
  ASSERT_NE(backend, nullptr);
  ASSERT_TRUE(backend->Commit(log_.Next(5)).ok());
  acknowledged_ = 5;
  fault_->append = GetParam().append;
  fault_->sync = GetParam().sync;
  const absl::Status failed = CommitUntilFailure(*backend);
  const bool full = GetParam().append == Kind::kNoSpace;
  const bool met = GetParam().code == kRefused && failed.code() != kRefused;
  const auto why = full ? absl::StatusCode::kResourceExhausted : absl::StatusCode::kUnavailable;
  EXPECT_EQ(failed.code(), met ? why : GetParam().code) << failed;
  if (full) EXPECT_EQ(ReasonOf(failed), reason::kDiskFull) << failed;
  EXPECT_TRUE(backend->poisoned());
  EXPECT_GT(fault_->hits, 0);
  ExpectReadsAndReopens(std::move(backend));
}

INSTANTIATE_TEST_SUITE_P(
    All, FailingWrites,
    ::testing::Values(
        Case{"LogFull", ".log", Kind::kNoSpace, Kind::kNone, absl::StatusCode::kResourceExhausted},
        Case{"LogBroken", ".log", Kind::kIoError, Kind::kNone, absl::StatusCode::kUnavailable},
        Case{"LogNotSynchronised", ".log", Kind::kNone, Kind::kIoError,
             absl::StatusCode::kUnavailable},
        Case{"TableFull", ".sst", Kind::kNoSpace, Kind::kNone, kRefused},
        Case{"TableBroken", ".sst", Kind::kIoError, Kind::kNone, kRefused},
        Case{"TableNotSynchronised", ".sst", Kind::kNone, Kind::kIoError, kRefused},
        Case{"BlobFull", ".blob", Kind::kNoSpace, Kind::kNone, kRefused}),
    [](const auto& info) { return info.param.name; });

// Room for a few files, none for what the log holds: reads only, until there is more.
TEST_F(FailingDisk, OpeningOnAnAlmostFullDisk) {
  fault_->extension = ".sst";
  auto backend = OpenHere(true);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(backend->Commit(log_.Next(9)).ok());
  acknowledged_ = log_.size();
  for (int i = 0; i < 3; ++i) {
    backend.reset();
    fault_->append = Kind::kNoSpace;
    backend = OpenHere(false);
    ASSERT_NE(backend, nullptr);
    EXPECT_TRUE(backend->poisoned());
    EXPECT_EQ(ReasonOf(backend->Commit(log_.Next(1))), reason::kDiskFull);
    log_ = TestLog(acknowledged_);
    Audit(*backend, acknowledged_);
  }
  ExpectReadsAndReopens(std::move(backend));
}

// Nothing can be opened for writing on a full disk; it says so, and loses nothing.
TEST_F(FailingDisk, OpeningOnAFullDisk) {
  auto backend = OpenHere(true);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(backend->Commit(log_.Next(9)).ok());
  acknowledged_ = log_.size();
  backend.reset();
  fault_->append = Kind::kNoSpace;
  for (int i = 0; i < 3; ++i) {
    const auto refused = OpenRocksDbOn(env_.get(), Options(dir()), AtLeast(acknowledged_));
    EXPECT_EQ(refused.status().code(), absl::StatusCode::kResourceExhausted) << refused.status();
    EXPECT_EQ(ReasonOf(refused.status()), reason::kDiskFull);
  }
  fault_->append = Kind::kNone;
  backend = OpenHere(false);
  ASSERT_NE(backend, nullptr);
  Audit(*backend, acknowledged_);
}

TEST_F(FailingDisk, CreatingOnAFullDisk) {
  fault_->append = Kind::kNoSpace;
  RocksDbOptions options = Options(dir());
  options.create = true;
  const auto refused = OpenRocksDbOn(env_.get(), options, nullptr);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kResourceExhausted) << refused.status();
}

}  // namespace
}  // namespace stele::store::testing
