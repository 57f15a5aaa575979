// The queue before the writer: group commit, the bound, and waiting, made visible by a backend
// whose commits wait for the test.
#include "store/log/sequencer.h"

#include <gtest/gtest.h>

#include <chrono>

#include "core/base/refusal.h"
#include "store/backend/memory_backend.h"
#include "store/log/genesis.h"
#include "store/store.h"
#include "tests/support/store/check_store.h"
#include "tests/support/store/collect_sink.h"
#include "tests/support/store/statements.h"
#include "tests/support/store/store_home.h"

namespace stele::store {
namespace {

using testing::CollectSink;
using testing::SignPublication;
using testing::TestKey;
using testing::TestManifest;

// The memory backend behind a gate.
class GatedBackend final : public Backend {
 public:
  absl::StatusOr<std::shared_ptr<const Snapshot>> GetSnapshot() const override {
    return memory_.GetSnapshot();
  }
  absl::Status Commit(const CommitPlan& plan) override {
    {
      MutexLock lock(mutex_);
      sizes_.push_back(plan.entries.size());
      changed_.NotifyAll();
      while (!open_) changed_.Wait(mutex_);
    }
    return memory_.Commit(plan);
  }
  Staging& staging() override { return memory_.staging(); }
  bool poisoned() const override { return memory_.poisoned(); }
  absl::StatusOr<uint64_t> FreeBytes() const override { return memory_.FreeBytes(); }

  void SetOpen(bool open) {
    MutexLock lock(mutex_);
    open_ = open;
    changed_.NotifyAll();
  }
  void WaitForCommit(size_t count) {
    MutexLock lock(mutex_);
    while (sizes_.size() < count) changed_.Wait(mutex_);
  }
  std::vector<size_t> sizes() const {
    MutexLock lock(mutex_);
    return sizes_;
  }

 private:
  MemoryBackend memory_;
  mutable Mutex mutex_;
  CondVar changed_;
  bool open_ STELE_GUARDED_BY(mutex_) = true;
  std::vector<size_t> sizes_ STELE_GUARDED_BY(mutex_);
};

class SequencerTest : public ::testing::Test {
 protected:
  void Start(size_t queue_statements) {
    ASSERT_TRUE(CommitGenesis(*backend_, {.origin = testing::kOrigin,
                                          .log_key = TestKey("log"),
                                          .operator_key = operator_,
                                          .recovery_keys = {},
                                          .now = SystemClock()()})
                    .ok());
    OpenOptions options = testing::StoreHome::Options();
    options.queue_statements = queue_statements;
    auto store = Store::OverBackend(backend_, TestKey("log"), options);
    ASSERT_TRUE(store.ok()) << store.status();
    store_ = *std::move(store);
    sink_ = std::make_shared<CollectSink>(store_->log_verifier());
    backend_->SetOpen(false);
  }
  void TearDown() override {
    backend_->SetOpen(true);
    ASSERT_TRUE(store_->Drain(std::chrono::minutes(1)).ok());
    EXPECT_EQ(testing::CheckStore(*store_), absl::OkStatus());
    EXPECT_EQ(sink_->fault(), absl::OkStatus());
  }

  void Push(int from, int to) {
    std::vector<PublishItem> items;
    for (int n = from; n < to; ++n) {
      items.push_back(SignPublication(TestManifest(n), operator_, static_cast<uint64_t>(n)));
    }
    store_->Publish(std::move(items), sink_);
  }

  const PrivateKey operator_ = TestKey("operator");
  const std::shared_ptr<GatedBackend> backend_ = std::make_shared<GatedBackend>();
  std::unique_ptr<Store> store_;
  std::shared_ptr<CollectSink> sink_;
};

TEST_F(SequencerTest, WhatComesDuringACommitSharesTheNext) {
  Start(1000);
  Push(0, 1);
  backend_->WaitForCommit(2);  // genesis was the first
  Push(1, 101);
  // All hundred have passed admission once it answers one that comes behind them and is bad.
  const auto behind = std::make_shared<CollectSink>(store_->log_verifier());
  for (uint64_t i = 0; i < 20; ++i) {
    std::vector<PublishItem> bad(1);
    bad[0].tag = i;
    store_->Publish(std::move(bad), behind);
  }
  behind->Wait(20);
  EXPECT_EQ(sink_->count(), 0u) << "acknowledged before it was durable";
  EXPECT_EQ((*store_->GetReader())->head().size, TreeSize{1}) << "shown before it was durable";
  backend_->SetOpen(true);
  sink_->Wait(101);
  const std::vector<size_t> sizes = backend_->sizes();
  ASSERT_GE(sizes.size(), 3u);
  EXPECT_EQ(sizes[1], 1u);
  EXPECT_GE(sizes[2], 84u);  // a chunk of 16 may still be between admission and the queue
  EXPECT_LE(sink_->calls(), 3u);
}

TEST_F(SequencerTest, AFullQueueIsAnOutcome) {
  Start(4);
  Push(0, 10);
  size_t full = 0;
  for (const PublishOutcome& outcome : sink_->Wait(6)) {
    EXPECT_TRUE(absl::IsResourceExhausted(outcome.result.status()));
    EXPECT_EQ(ReasonOf(outcome.result.status()), reason::kQueueFull);
    ++full;
  }
  EXPECT_EQ(full, 6u);
  EXPECT_EQ(store_->Stats().queued, 4u);
  backend_->SetOpen(true);
  EXPECT_EQ(sink_->Wait(10).size(), 10u);
  EXPECT_EQ((*store_->GetReader())->head().size, TreeSize{5});
  // There is room again.
  Push(20, 21);
  EXPECT_TRUE(sink_->Wait(11)[10].result.ok());
}

TEST_F(SequencerTest, DrainSaysWhenItTakesTooLong) {
  Start(100);
  Push(0, 3);
  backend_->WaitForCommit(2);
  EXPECT_TRUE(absl::IsDeadlineExceeded(store_->Drain(std::chrono::milliseconds(10))));
  backend_->SetOpen(true);
  EXPECT_TRUE(store_->Drain(std::chrono::minutes(1)).ok());
  EXPECT_EQ(sink_->count(), 3u);
}

TEST_F(SequencerTest, ManySinksShareACommit) {
  Start(100);
  Push(0, 1);
  backend_->WaitForCommit(2);
  std::vector<std::shared_ptr<CollectSink>> sinks;
  for (int n = 1; n < 20; ++n) {
    sinks.push_back(std::make_shared<CollectSink>(store_->log_verifier()));
    std::vector<PublishItem> items;
    items.push_back(SignPublication(TestManifest(n), operator_, static_cast<uint64_t>(n)));
    store_->Publish(std::move(items), sinks.back());
  }
  backend_->SetOpen(true);
  for (const auto& sink : sinks) {
    EXPECT_TRUE(sink->Wait(1)[0].result.ok());
    EXPECT_EQ(sink->fault(), absl::OkStatus());
  }
}

}  // namespace
}  // namespace stele::store
