// Many callers at once, publishing and reading; every answer is verified against its own
// checkpoint.
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "core/record/manifest.h"
#include "core/tlog/checkpoint.h"
#include "tests/support/store/store_test_base.h"

namespace stele::store {
namespace {

using testing::Engine;
using testing::SignPublication;
using testing::TestManifest;

class ConcurrencyTest : public testing::StoreTestBase,
                        public ::testing::WithParamInterface<Engine> {
 protected:
  ConcurrencyTest() : StoreTestBase(GetParam()) {}

  static constexpr int kPublishers = 4;
  static constexpr int kReaders = 3;
  static constexpr int kEach = 2500;

  // Windows of 64, as a stream has; each statement is published twice, from two callers.
  void PublishAll(int caller, std::atomic<uint64_t>& receipts) const {
    const auto sink = NewSink();
    std::vector<PublishItem> window;
    size_t sent = 0;
    for (int i = 0; i < kEach; ++i) {
      const int n = (caller / 2) * kEach + i;
      window.push_back(SignPublication(TestManifest(n), operator_, static_cast<uint64_t>(i)));
      if (window.size() < 64 && i + 1 < kEach) continue;
      sent += window.size();
      store_->Publish(std::exchange(window, {}), sink);
      sink->Wait(sent > 128 ? sent - 128 : 0);
    }
    std::set<uint64_t> tags;
    for (const PublishOutcome& outcome : sink->Wait(sent)) {
      EXPECT_TRUE(outcome.result.ok()) << outcome.result.status();
      EXPECT_TRUE(tags.insert(outcome.tag).second);
    }
    EXPECT_EQ(sink->fault(), absl::OkStatus());
    receipts += tags.size();
  }

  void ReadUntil(const std::atomic<bool>& stop) const {
    TreeSize before;
    for (uint64_t i = 0; !stop; ++i) {
      const auto reader = Reader();
      const Head& head = reader->head();
      ASSERT_GE(head.size, before) << "the head went back";
      before = head.size;
      const EntryIndex index{(i * 7919) % head.size.value()};
      const auto entry = reader->Entry(index);
      ASSERT_TRUE(entry.ok()) << entry.status();
      const auto proof = reader->Inclusion(index);
      ASSERT_TRUE(proof.ok()) << proof.status();
      ASSERT_EQ(VerifyInclusion(index, head.size, LeafHash(entry->leaf), *proof, head.root),
                absl::OkStatus());
      if (i % 64 != 0) continue;
      const auto opened = OpenCheckpoint(head.checkpoint, {store_->log_verifier()});
      ASSERT_TRUE(opened.ok()) << opened.status();
      ASSERT_EQ(opened->checkpoint.root, head.root);
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, ConcurrencyTest,
                         ::testing::Values(Engine::kMemory, Engine::kRocksDb),
                         [](const auto& info) {
                           return std::string(testing::EngineName(info.param));
                         });

TEST_P(ConcurrencyTest, TenThousandPublishesAndReads) {
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> receipts{0};
  std::vector<std::thread> readers;
  for (int i = 0; i < kReaders; ++i) readers.emplace_back([&] { ReadUntil(stop); });
  std::vector<std::thread> publishers;
  for (int i = 0; i < kPublishers; ++i) {
    publishers.emplace_back([this, i, &receipts] { PublishAll(i, receipts); });
  }
  for (std::thread& thread : publishers) thread.join();
  stop = true;
  for (std::thread& thread : readers) thread.join();
  EXPECT_EQ(receipts, uint64_t{kPublishers} * kEach);
  EXPECT_EQ(TreeSizeNow(), 1u + kPublishers / 2 * kEach);
  EXPECT_EQ(store_->Stats().replayed, uint64_t{kPublishers / 2} * kEach);
}

}  // namespace
}  // namespace stele::store
