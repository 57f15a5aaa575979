// The store whole, over every engine.
#include "store/store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/base/time_text.h"
#include "core/record/manifest.h"
#include "core/statement/entry.h"
#include "core/tlog/entry_bundle.h"
#include "tests/support/store/store_test_base.h"

namespace stele::store {
namespace {

using testing::Engine;
using testing::Grant;
using testing::Publication;
using testing::Revoke;
using testing::Sign;
using testing::SignPublication;
using testing::TestKey;
using testing::TestManifest;

class StoreTest : public testing::StoreTestBase, public ::testing::WithParamInterface<Engine> {
 protected:
  StoreTest() : StoreTestBase(GetParam()) {}
};

INSTANTIATE_TEST_SUITE_P(Engines, StoreTest, ::testing::Values(Engine::kMemory, Engine::kRocksDb),
                         [](const auto& info) {
                           return std::string(testing::EngineName(info.param));
                         });

TEST_P(StoreTest, PublishesAndReads) {
  ASSERT_TRUE(
      PublishOne(Sign(Grant(publisher_.public_key(), Role::kPublisher, kNoEvent), operator_)).ok());
  const std::string text = TestManifest(1, "a title");
  const Manifest manifest = *ParseManifest(text);
  const auto receipt = PublishOne(SignPublication(text, publisher_, 7));
  ASSERT_TRUE(receipt.ok()) << receipt.status();
  EXPECT_EQ(receipt->index, EntryIndex{2});
  EXPECT_FALSE(receipt->replayed);

  const auto reader = Reader();
  EXPECT_EQ(reader->head().size, TreeSize{3});
  EXPECT_EQ(*reader->Content(manifest.record), manifest.identity);
  EXPECT_EQ(*reader->Content(manifest.manifest), manifest.canonical);
  EXPECT_EQ(reader->Entry(EntryIndex{2})->leaf, receipt->leaf);
  EXPECT_TRUE(absl::IsNotFound(reader->Entry(EntryIndex{3}).status()));
  const auto publications = reader->PublicationsOf(manifest.record);
  ASSERT_EQ(publications->rows.size(), 1u);
  EXPECT_EQ(publications->rows[0].signer, publisher_.public_key().id());
  EXPECT_EQ(publications->rows[0].manifest, manifest.manifest);
  EXPECT_EQ(publications->disputed, std::vector<bool>{false});
  EXPECT_EQ(reader->ring().RoleOf(publisher_.public_key().id()), Role::kPublisher);
  EXPECT_EQ(store_->origin(), testing::kOrigin);
  EXPECT_EQ(store_->genesis_leaf_hash(), reader->Entry(EntryIndex{0})->leaf_hash);
  EXPECT_TRUE(store_->write_state().ok());
}

TEST_P(StoreTest, AReaderStaysAtItsMoment) {
  const auto before = Reader();
  ASSERT_TRUE(PublishOne(SignPublication(TestManifest(1), operator_)).ok());
  EXPECT_EQ(before->head().size, TreeSize{1});
  EXPECT_TRUE(absl::IsNotFound(before->Entry(EntryIndex{1}).status()));
  EXPECT_TRUE(before->PublicationsOf(ParseManifest(TestManifest(1))->record)->rows.empty());
  EXPECT_EQ(TreeSizeNow(), 2u);
}

TEST_P(StoreTest, ARevocationDisputesPublications) {
  const KeyId publisher = publisher_.public_key().id();
  ASSERT_TRUE(
      PublishOne(Sign(Grant(publisher_.public_key(), Role::kPublisher, kNoEvent), operator_)).ok());
  ASSERT_TRUE(PublishOne(SignPublication(TestManifest(1), publisher_)).ok());
  ASSERT_TRUE(PublishOne(Sign(Revoke(publisher, EventIndex{1}, EntryIndex{2}), operator_)).ok());
  const Digest record = ParseManifest(TestManifest(1))->record;
  EXPECT_EQ(Reader()->PublicationsOf(record)->disputed, std::vector<bool>{true});
  const auto refused = PublishOne(SignPublication(TestManifest(2), publisher_));
  EXPECT_EQ(ReasonOf(refused.status()), reason::kRole);
  EXPECT_TRUE(absl::IsPermissionDenied(refused.status())) << refused.status();
}

TEST_P(StoreTest, AReplayIsAnsweredWithTheFirst) {
  const auto item = SignPublication(TestManifest(1), operator_);
  const auto first = PublishOne(item);
  ASSERT_TRUE(first.ok());
  ASSERT_TRUE(PublishOne(SignPublication(TestManifest(2), operator_)).ok());
  auto bare = item;
  bare.manifests.clear();  // whatever else might be wrong by now
  for (const auto& again : {item, bare}) {
    const auto second = PublishOne(again);
    ASSERT_TRUE(second.ok()) << second.status();
    EXPECT_TRUE(second->replayed);
    EXPECT_EQ(second->index, first->index);
    EXPECT_EQ(second->leaf, first->leaf);
  }
  EXPECT_EQ(TreeSizeNow(), 3u);
  EXPECT_EQ(store_->Stats().replayed, 2u);
}

TEST_P(StoreTest, AReplayByARevokedKeyIsStillAnswered) {
  ASSERT_TRUE(
      PublishOne(Sign(Grant(publisher_.public_key(), Role::kPublisher, kNoEvent), operator_)).ok());
  const auto item = SignPublication(TestManifest(1), publisher_);
  ASSERT_TRUE(PublishOne(item).ok());
  ASSERT_TRUE(
      PublishOne(Sign(Revoke(publisher_.public_key().id(), EventIndex{1}), operator_)).ok());
  const auto again = PublishOne(item);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->index, EntryIndex{2});
}

TEST_P(StoreTest, TheSameStatementManyTimesAtOnceIsOneEntry) {
  std::vector<PublishItem> items;
  for (uint64_t tag = 0; tag < 100; ++tag) {
    items.push_back(SignPublication(TestManifest(1), operator_, tag));
  }
  size_t appended = 0;
  for (const auto& [tag, result] : Publish(std::move(items))) {
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(result->index, EntryIndex{1});
    appended += result->replayed ? 0 : 1;
  }
  EXPECT_EQ(appended, 1u);
  EXPECT_EQ(TreeSizeNow(), 2u);
}

TEST_P(StoreTest, OneBadItemHarmsNoOther) {
  std::vector<PublishItem> items;
  for (uint64_t tag = 0; tag < 60; ++tag) {
    items.push_back(SignPublication(TestManifest(static_cast<int>(tag)), operator_, tag));
  }
  items[10].envelope.back() = '!';
  items[20].manifests[0] = TestManifest(999);
  items[30].manifests.clear();
  items[40].key_id = std::string(TestKey("stranger").public_key().id().bytes());
  items[50] = Sign(Publication({TestManifest(50)}), publisher_, 50, {TestManifest(50)});
  items[50].key_id = items[0].key_id;  // signed by another than it says
  const std::map<uint64_t, std::string_view> wrong = {{10, reason::kTrailingBytes},
                                                      {20, reason::kMissingContent},
                                                      {30, reason::kMissingContent},
                                                      {40, reason::kUnknownKey},
                                                      {50, reason::kBadSignature}};
  items[10].envelope = SignPublication(TestManifest(10), operator_).envelope + "!";
  for (const auto& [tag, result] : Publish(std::move(items))) {
    const auto expected = wrong.find(tag);
    EXPECT_EQ(ReasonOf(result.status()), expected == wrong.end() ? "" : expected->second) << tag;
  }
  EXPECT_EQ(TreeSizeNow(), 56u);
  EXPECT_EQ(store_->Stats().refused, 5u);
}

TEST_P(StoreTest, ManyStatementsShareACommit) {
  std::vector<PublishItem> items;
  for (uint64_t tag = 0; tag < 700; ++tag) {
    items.push_back(SignPublication(TestManifest(static_cast<int>(tag)), operator_, tag));
  }
  std::set<EntryIndex> indexes;
  for (const auto& [tag, result] : Publish(std::move(items))) {
    ASSERT_TRUE(result.ok()) << result.status();
    indexes.insert(result->index);
  }
  EXPECT_EQ(indexes.size(), 700u);
  const StoreStats stats = store_->Stats();
  EXPECT_EQ(stats.appended, 700u);
  EXPECT_LT(stats.commits, 700u);
  EXPECT_EQ(stats.tree_size, 701u);
  EXPECT_EQ(stats.queued, 0u);
  EXPECT_EQ(stats.queued_bytes, 0u);
}

TEST_P(StoreTest, ReopeningContinuesTheLog) {
  int n = 0;
  for (size_t count : {3u, 250u, 10u}) {  // over the first full tile
    std::vector<PublishItem> items;
    for (uint64_t tag = 0; tag < count; ++tag) {
      items.push_back(SignPublication(TestManifest(++n), operator_, tag));
    }
    for (const auto& [tag, result] : Publish(std::move(items))) ASSERT_TRUE(result.ok());
    const Head before = Reader()->head();
    Close();
    Open();
    EXPECT_EQ(Reader()->head(), before);
  }
  const auto replay = PublishOne(SignPublication(TestManifest(1), operator_));
  ASSERT_TRUE(replay.ok());
  EXPECT_TRUE(replay->replayed);
}

// A caller that sends its next statement from within the answer to the last.
class ChainSink final : public PublishSink, public std::enable_shared_from_this<ChainSink> {
 public:
  ChainSink(Store& store, std::vector<PublishItem> items)
      : store_(store), items_(std::move(items)) {}
  void SendNext() {
    std::vector<PublishItem> next;
    next.push_back(std::move(items_[sent_++]));
    store_.Publish(std::move(next), shared_from_this());
  }
  void OnOutcomes(std::shared_ptr<const std::string>,
                  std::vector<PublishOutcome> outcomes) override {
    for (const PublishOutcome& outcome : outcomes) good_ += outcome.result.ok() ? 1 : 0;
    if (sent_ < items_.size()) {
      SendNext();
    } else {
      done_.Notify();
    }
  }
  size_t WaitForAll() {
    done_.WaitForNotification();
    return good_;
  }

 private:
  class Done {
   public:
    void Notify() {
      MutexLock lock(mutex_);
      done_ = true;
      changed_.NotifyAll();
    }
    void WaitForNotification() {
      MutexLock lock(mutex_);
      while (!done_) changed_.Wait(mutex_);
    }

   private:
    Mutex mutex_;
    CondVar changed_;
    bool done_ STELE_GUARDED_BY(mutex_) = false;
  };

  Store& store_;
  std::vector<PublishItem> items_;
  size_t sent_ = 0;
  size_t good_ = 0;
  Done done_;
};

TEST_P(StoreTest, ASinkMayPublish) {
  std::vector<PublishItem> items;
  for (int n = 0; n < 20; ++n) items.push_back(SignPublication(TestManifest(n), operator_));
  items.push_back(SignPublication(TestManifest(0), operator_));  // a replay, answered by admission
  items.push_back(SignPublication(TestManifest(20), operator_));
  const auto sink = std::make_shared<ChainSink>(*store_, std::move(items));
  sink->SendNext();
  EXPECT_EQ(sink->WaitForAll(), 22u);
  EXPECT_EQ(TreeSizeNow(), 22u);
}

TEST_P(StoreTest, DrainRightAfterOnePush) {
  const auto sink = NewSink();
  std::vector<PublishItem> items;
  items.push_back(SignPublication(TestManifest(1), operator_));
  store_->Publish(std::move(items), sink);
  EXPECT_TRUE(store_->Drain(std::chrono::minutes(1)).ok());
  ASSERT_EQ(sink->count(), 1u);
  EXPECT_TRUE(sink->Wait(1)[0].result.ok());
  EXPECT_EQ(sink->fault(), absl::OkStatus());
  EXPECT_TRUE(store_->Drain(std::chrono::milliseconds(0)).ok());
}

TEST_P(StoreTest, DrainAnswersAllThatWasAcceptedAndTakesNoMore) {
  const auto sink = NewSink();
  std::vector<PublishItem> items;
  for (uint64_t tag = 0; tag < 500; ++tag) {
    items.push_back(SignPublication(TestManifest(static_cast<int>(tag)), operator_, tag));
  }
  store_->Publish(std::move(items), sink);
  ASSERT_TRUE(store_->Drain(std::chrono::minutes(1)).ok());
  EXPECT_EQ(sink->count(), 500u);
  for (const PublishOutcome& outcome : sink->Wait(500)) EXPECT_TRUE(outcome.result.ok());
  EXPECT_EQ(sink->fault(), absl::OkStatus());
  EXPECT_EQ(ReasonOf(store_->write_state()), reason::kStopping);
  const auto late = PublishOne(SignPublication(TestManifest(1000), operator_));
  EXPECT_EQ(ReasonOf(late.status()), reason::kStopping);
  EXPECT_TRUE(absl::IsUnavailable(late.status()));
  EXPECT_EQ(TreeSizeNow(), 501u);
}

TEST_P(StoreTest, TheDestructorDrains) {
  const auto sink = NewSink();
  std::vector<PublishItem> items;
  for (uint64_t tag = 0; tag < 200; ++tag) {
    items.push_back(SignPublication(TestManifest(static_cast<int>(tag)), operator_, tag));
  }
  store_->Publish(std::move(items), sink);
  Close();
  EXPECT_EQ(sink->count(), 200u);
  for (const PublishOutcome& outcome : sink->Wait(200)) EXPECT_TRUE(outcome.result.ok());
  Open();
  EXPECT_EQ(TreeSizeNow(), 201u);
}

TEST_P(StoreTest, TilesBundlesAndProofsOfEveryEntry) {
  std::vector<PublishItem> items;
  for (uint64_t tag = 0; tag < 299; ++tag) {
    items.push_back(SignPublication(TestManifest(static_cast<int>(tag)), operator_, tag));
  }
  ASSERT_EQ(Publish(std::move(items)).size(), 299u);
  const auto reader = Reader();
  ASSERT_EQ(reader->head().size, TreeSize{300});
  for (uint64_t i = 0; i < 300; ++i) {
    const auto proof = reader->Inclusion(EntryIndex{i});
    ASSERT_TRUE(proof.ok()) << proof.status();
    EXPECT_TRUE(VerifyInclusion(EntryIndex{i}, reader->head().size,
                                reader->Entry(EntryIndex{i})->leaf_hash, *proof,
                                reader->head().root)
                    .ok());
  }
  EXPECT_TRUE(absl::IsNotFound(reader->Inclusion(EntryIndex{300}).status()));
  EXPECT_EQ(reader->Tile({0, 0, 256})->size(), 256u * 32);
  EXPECT_EQ(*reader->Tile({0, 0, 10}), reader->Tile({0, 0, 256})->substr(0, 320));
  EXPECT_EQ(reader->Tile({0, 1, 44})->size(), 44u * 32);
  EXPECT_EQ(reader->Tile({1, 0, 1})->size(), 32u);
  for (const TileId& absent : {TileId{0, 1, 45}, TileId{0, 2, 1}, TileId{1, 0, 2}, TileId{2, 0, 1},
                               TileId{TileId::kEntries, 1, 45}}) {
    EXPECT_TRUE(absl::IsNotFound(reader->Tile(absent).status())) << TilePath(absent);
  }
  const auto bundle = reader->Tile({TileId::kEntries, 1, 44});
  ASSERT_TRUE(bundle.ok()) << bundle.status();
  const auto leaves = ParseEntryBundle(*bundle, 44);
  ASSERT_TRUE(leaves.ok());
  for (uint64_t i = 0; i < 44; ++i) {
    EXPECT_EQ((*leaves)[i], reader->Entry(EntryIndex{256 + i})->leaf);
  }
}

TEST_P(StoreTest, AClockBehindTheLogStopsTheWriterUntilAccepted) {
  ASSERT_TRUE(PublishOne(SignPublication(TestManifest(1), operator_)).ok());
  const TimeMs last = Reader()->head().last_logged;
  auto options = testing::StoreHome::Options();
  options.clock = [last] { return TimeMs{last.value() - 6000}; };
  Close();
  Open(options);
  EXPECT_EQ(ReasonOf(store_->write_state()), reason::kClock);
  const auto refused = PublishOne(SignPublication(TestManifest(2), operator_));
  EXPECT_EQ(ReasonOf(refused.status()), reason::kClock);
  EXPECT_TRUE(absl::IsUnavailable(refused.status()));
  EXPECT_EQ(TreeSizeNow(), 2u);
  EXPECT_TRUE(PublishOne(SignPublication(TestManifest(1), operator_))->replayed);

  options.accept_clock = true;
  Close();
  Open(options);
  const auto receipt = PublishOne(SignPublication(TestManifest(2), operator_));
  ASSERT_TRUE(receipt.ok()) << receipt.status();
  EXPECT_EQ(ParseLeaf(receipt->leaf)->logged, last);
}

TEST_P(StoreTest, AClockThatJumpsAheadStopsTheWriter) {
  std::atomic<int64_t> ahead{0};
  auto options = testing::StoreHome::Options();
  options.clock = [&] { return TimeMs{SystemClock()().value() + ahead}; };
  Close();
  Open(options);
  ASSERT_TRUE(PublishOne(SignPublication(TestManifest(1), operator_)).ok());
  ahead = 2 * 3600 * 1000;
  EXPECT_EQ(ReasonOf(PublishOne(SignPublication(TestManifest(2), operator_)).status()),
            reason::kClock);
  ahead = 0;  // it takes a restart, even so
  EXPECT_EQ(ReasonOf(PublishOne(SignPublication(TestManifest(2), operator_)).status()),
            reason::kClock);
  EXPECT_EQ(TreeSizeNow(), 2u);
  Close();  // before the clock goes
}

}  // namespace
}  // namespace stele::store
