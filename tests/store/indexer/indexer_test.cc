// The index of an open store: it follows, is thrown away when it has to be, and nobody waits for
// it.
#include "store/indexer/indexer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <set>
#include <thread>

#include "store/index/memory_index.h"
#include "tests/support/store/answers_text.h"
#include "tests/support/store/store_test_base.h"

namespace stele::store {
namespace {

namespace fs = std::filesystem;
using namespace stele::testing;  // NOLINT: what tests publish with

// What a store says, kept.
class Lines {
 public:
  EventLog log() {
    return [this](std::string_view severity, std::string_view message) {
      MutexLock lock(mutex_);
      lines_.push_back(std::string(severity) + ": " + std::string(message));
    };
  }
  // Those with `part` in them.
  std::vector<std::string> With(std::string_view part) const {
    MutexLock lock(mutex_);
    std::vector<std::string> found;
    for (const std::string& line : lines_) {
      if (line.find(part) != std::string::npos) found.push_back(line);
    }
    return found;
  }

 private:
  mutable Mutex mutex_;
  std::vector<std::string> lines_ STELE_GUARDED_BY(mutex_);
};

class IndexerTest : public StoreTestBase {
 protected:
  explicit IndexerTest(Engine engine) : StoreTestBase(engine) {}

  void SetUp() override {
    StoreTestBase::SetUp();
    ASSERT_TRUE(
        PublishOne(Sign(Grant(publisher_.public_key(), Role::kPublisher, kNoEvent), operator_))
            .ok());
  }
  void Reopen() {
    Close();
    OpenOptions options = StoreHome::Options();
    options.log = lines_.log();
    Open(options);
  }
  // Publishes records [begin, end), and waits for nothing.
  void PublishRecords(int begin, int end) {
    std::vector<PublishItem> items;
    for (int n = begin; n < end; ++n) {
      items.push_back(SignPublication(TestManifest(n, "title " + std::to_string(n)), publisher_,
                                      static_cast<uint64_t>(n)));
    }
    for (const auto& [tag, result] : Publish(std::move(items))) EXPECT_TRUE(result.ok()) << tag;
  }
  std::shared_ptr<const Queries> Caught() {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    EXPECT_TRUE(store_->WaitForIndex(TreeSize(TreeSizeNow()), deadline));
    auto queries = store_->GetQueries();
    EXPECT_TRUE(queries.ok()) << queries.status();
    return *std::move(queries);
  }

  Lines lines_;
};

class EitherEngine : public IndexerTest, public ::testing::WithParamInterface<Engine> {
 protected:
  EitherEngine() : IndexerTest(GetParam()) {}
};

TEST_P(EitherEngine, FollowsWhatIsPublished) {
  PublishRecords(0, 50);
  const auto first = Caught();
  EXPECT_EQ(first->moment().applied, TreeSize(TreeSizeNow()));
  EXPECT_EQ(first->moment().state, IndexState::kFollowing);
  EXPECT_EQ(first->List({}, {.size = 100})->rows.size(), 50u);
  PublishRecords(50, 60);
  EXPECT_EQ(Caught()->List({}, {.size = 100})->rows.size(), 60u);
  EXPECT_EQ(first->List({}, {.size = 100})->rows.size(), 50u);  // a moment is one
}

TEST_P(EitherEngine, PagesStayWhileTheLogGrows) {
  PublishRecords(0, 30);
  const auto first = Caught()->List({}, {.size = 10, .token = {}});
  ASSERT_TRUE(first.ok());
  PublishRecords(30, 60);
  const auto second = Caught()->List({}, {.size = 100, .token = first->next_token});
  ASSERT_TRUE(second.ok()) << second.status();
  std::vector<Digest> records;
  for (const auto* page : {&*first, &*second}) {
    for (const RecordRow& row : page->rows) records.push_back(row.record);
  }
  EXPECT_EQ(records.size(), 30u);
  EXPECT_TRUE(second->next_token.empty());
  EXPECT_EQ(std::set<Digest>(records.begin(), records.end()).size(), 30u);
  for (int n = 0; n < 30; ++n) {
    EXPECT_NE(std::find(records.begin(), records.end(), TestRecord(n)), records.end()) << n;
  }
}

TEST_P(EitherEngine, TokensOfOtherQuestionsAreRefused) {
  PublishRecords(0, 5);
  const auto queries = Caught();
  const std::string token = queries->List({}, {.size = 2, .token = {}})->next_token;
  ASSERT_FALSE(token.empty());
  for (const absl::Status& status :
       {queries->List({.kind = "Other"}, {.size = 2, .token = token}).status(),
        queries->ReferencesTo(TestRecord(0), {.size = 2, .token = token}).status(),
        queries->ResultsFor(TestRecord(0), {.size = 2, .token = token}).status(),
        queries->HistoryOf(TestRecord(0), {.size = 2, .token = token}).status(),
        queries->List({}, {.size = 2, .token = "second page"}).status()}) {
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    EXPECT_EQ(PointerOf(status), "/page_token");
  }
}

TEST_P(EitherEngine, FiltersThatCannotBeAreRefused) {
  const auto queries = Caught();
  const absl::Status kind = queries->List({.kind = std::string(101, 'k')}, {}).status();
  EXPECT_EQ(ReasonOf(kind), reason::kTooLong);
  EXPECT_EQ(PointerOf(kind), "/kind");
  const absl::Status longer = queries->List({.name = std::string(501, 'n')}, {}).status();
  EXPECT_EQ(ReasonOf(longer), reason::kTooLong);
  EXPECT_EQ(PointerOf(longer), "/name");
  const absl::Status words =
      queries->List({.name = "a b c d e f g h i j k l m n o p q"}, {}).status();
  EXPECT_EQ(ReasonOf(words), reason::kTooLong);
  const absl::Status none = queries->List({.name = " - "}, {}).status();
  EXPECT_EQ(ReasonOf(none), reason::kWrongValue);
  EXPECT_EQ(PointerOf(none), "/name");
}

TEST_P(EitherEngine, WithheldIsAbsentUntilItIsRestored) {
  PublishRecords(0, 2);
  const Digest record = TestRecord(1);
  const std::string kind = Caught()->List({}, {})->rows.front().kind;
  ASSERT_TRUE(PublishOne(Sign(Withhold(record, kNoEvent), operator_)).ok());
  const auto withheld = Caught();
  EXPECT_EQ(withheld->List({.kind = kind}, {})->rows.size(), 1u);
  EXPECT_TRUE(withheld->List({.name = "title 1"}, {})->rows.empty());
  const auto all = withheld->List({}, {});
  ASSERT_EQ(all->rows.size(), 2u);
  for (const RecordRow& row : all->rows) {
    EXPECT_EQ(row.withheld_by.has_value(), row.record == record);
    EXPECT_EQ(row.kind.empty() && row.title.empty(), row.record == record);
  }
  const EventIndex after(static_cast<int64_t>(TreeSizeNow()) - 1);
  ASSERT_TRUE(PublishOne(Sign(Withhold(record, after, false), operator_)).ok());
  const auto restored = Caught();
  EXPECT_EQ(restored->List({.kind = kind}, {})->rows.size(), 2u);
  EXPECT_EQ(restored->List({.name = "title 1"}, {})->rows.size(), 1u);
  // But for two entries more about it nothing is otherwise.
  EXPECT_EQ(restored->HistoryOf(record, {})->entries.rows.size(), 3u);
}

TEST_P(EitherEngine, ManyPublicationsOfOneRecordAreOneRow) {
  const PrivateKey second = TestKey("second");
  ASSERT_TRUE(
      PublishOne(Sign(Grant(second.public_key(), Role::kPublisher, kNoEvent), operator_)).ok());
  PublishRecords(0, 3);
  ASSERT_TRUE(PublishOne(SignPublication(TestManifest(1, "another name"), second)).ok());
  const auto queries = Caught();
  EXPECT_EQ(queries->List({}, {})->rows.size(), 3u);
  const auto found = queries->List({.name = "another"}, {});
  ASSERT_EQ(found->rows.size(), 1u);
  EXPECT_EQ(found->rows[0].record, TestRecord(1));
  EXPECT_EQ(found->rows[0].title, "title 1");  // of its owner
  EXPECT_EQ(queries->List({.publisher = second.public_key().id()}, {})->rows.size(), 1u);
  EXPECT_EQ(queries->List({.publisher = publisher_.public_key().id()}, {})->rows.size(), 3u);
  // Words of two manifests are not one name.
  EXPECT_TRUE(queries->List({.name = "another title"}, {})->rows.empty());
}

TEST_P(EitherEngine, AfterAnotherOpeningAnswersAreTheSame) {
  PublishRecords(0, 40);
  const std::string before = AnswersText(*Caught(), 7);
  Reopen();
  EXPECT_EQ(AnswersText(*Caught(), 7), before);
  EXPECT_EQ(AnswersText(*Caught(), 1000), before);
  EXPECT_TRUE(lines_.With("thrown away").empty());
}

TEST_P(EitherEngine, IsNotWaitedForByTheEnd) {
  PublishRecords(0, 200);  // and at once closed, by TearDown
}

TEST_P(EitherEngine, StatsSayHowFarItIs) {
  PublishRecords(0, 3);
  Caught();
  const StoreStats stats = store_->Stats();
  EXPECT_EQ(stats.index_applied, stats.tree_size);
  EXPECT_EQ(stats.index_state, IndexState::kFollowing);
}

TEST_P(EitherEngine, ADeadlineEndsWaiting) {
  EXPECT_FALSE(store_->WaitForIndex(TreeSize(TreeSizeNow() + 1), std::chrono::steady_clock::now()));
}

INSTANTIATE_TEST_SUITE_P(Engines, EitherEngine,
                         ::testing::Values(Engine::kMemory, Engine::kRocksDb),
                         [](const auto& info) { return std::string(EngineName(info.param)); });

class IndexInFolder : public IndexerTest {
 protected:
  IndexInFolder() : IndexerTest(Engine::kRocksDb) {}
  fs::path index() const { return home_.dir() / "index"; }
};

TEST_F(IndexInFolder, IsKept) {
  PublishRecords(0, 20);
  Caught();
  Reopen();
  EXPECT_EQ(Caught()->moment().applied, TreeSize(TreeSizeNow()));
  EXPECT_EQ(store_->Stats().index_applied, TreeSizeNow());
}

TEST_F(IndexInFolder, RemovedItIsDerivedAnewAndAnswersAreTheSame) {
  PublishRecords(0, 40);
  const std::string before = AnswersText(*Caught(), 9);
  Close();
  ASSERT_GT(fs::remove_all(index()), 0u);
  Reopen();
  EXPECT_EQ(AnswersText(*Caught(), 9), before);
  EXPECT_TRUE(lines_.With("thrown away").empty());  // there was none
}

TEST_F(IndexInFolder, OfAnotherLogItIsThrownAway) {
  PublishRecords(0, 10);
  const std::string before = AnswersText(*Caught(), 9);
  StoreHome other(Engine::kRocksDb);
  auto store = other.Open();
  ASSERT_TRUE(store.ok());
  ASSERT_TRUE((*store)->WaitForIndex(TreeSize(1),
                                     std::chrono::steady_clock::now() + std::chrono::minutes(1)));
  store->reset();
  Close();
  fs::remove_all(index());
  fs::copy(other.dir() / "index", index(), fs::copy_options::recursive);
  Reopen();
  EXPECT_EQ(AnswersText(*Caught(), 9), before);
  EXPECT_EQ(lines_.With("thrown away").size(), 1u);
}

TEST_F(IndexInFolder, AheadOfTheLogItIsThrownAway) {
  PublishRecords(0, 10);
  const std::string before = AnswersText(*Caught(), 9);
  Close();
  const fs::path old = home_.dir().parent_path() / "old";
  fs::copy(home_.dir(), old, fs::copy_options::recursive);
  fs::copy(home_.guard(), old.string() + ".guard");
  Open();
  PublishRecords(10, 20);
  Caught();
  Close();
  // The store of before with the index of now; its guard goes with it.
  for (const char* part : {"db"}) {
    fs::remove_all(home_.dir() / part);
    fs::copy(old / part, home_.dir() / part, fs::copy_options::recursive);
  }
  fs::copy(old.string() + ".guard", home_.guard(), fs::copy_options::overwrite_existing);
  Reopen();
  EXPECT_EQ(AnswersText(*Caught(), 9), before);
  EXPECT_EQ(lines_.With("thrown away").size(), 1u);
}

TEST_F(IndexInFolder, ThatDoesNotOpenIsThrownAway) {
  PublishRecords(0, 10);
  const std::string before = AnswersText(*Caught(), 9);
  Close();
  for (const auto& file : fs::directory_iterator(index())) {
    if (file.path().filename().string().starts_with("MANIFEST")) {
      fs::resize_file(file, fs::file_size(file) / 2);
    }
    if (file.path().extension() == ".sst") fs::remove(file);
  }
  Reopen();
  EXPECT_EQ(AnswersText(*Caught(), 9), before);
}

// Rows that cannot be written: an engine that fails, then is whole again.
class FailingIndex final : public IndexStore {
 public:
  FailingIndex(std::shared_ptr<IndexStore> real, std::shared_ptr<std::atomic<int>> fails,
               absl::Status error)
      : real_(std::move(real)), fails_(std::move(fails)), error_(std::move(error)) {}
  absl::StatusOr<std::shared_ptr<const IndexSnapshot>> GetSnapshot() const override {
    return real_->GetSnapshot();
  }
  absl::Status Write(const IndexRows& rows, const IndexPosition& position) override {
    if (fails_->fetch_sub(1) > 0) return error_;
    return real_->Write(rows, position);
  }

 private:
  const std::shared_ptr<IndexStore> real_;
  const std::shared_ptr<std::atomic<int>> fails_;
  const absl::Status error_;
};

// A published head without a store around it.
class IndexerAlone : public StoreTestBase {
 protected:
  IndexerAlone() : StoreTestBase(Engine::kMemory) {}
  void SetUp() override {
    StoreTestBase::SetUp();
    published_.Set(Now());
  }
  std::shared_ptr<const SnapshotReader> Now() const {
    return std::dynamic_pointer_cast<const SnapshotReader>(Reader());
  }
  IndexOpener Opener(int fails, const absl::Status& error) {
    auto left = std::make_shared<std::atomic<int>>(fails);
    return [this, left, error](bool) -> absl::StatusOr<std::unique_ptr<IndexStore>> {
      ++opened_;
      return std::make_unique<FailingIndex>(real_, left, error);
    };
  }
  IndexerOptions Options(IndexOpener open) {
    return {.open = std::move(open), .nice = 0, .log = lines_.log()};
  }
  static std::chrono::steady_clock::time_point InAMinute() {
    return std::chrono::steady_clock::now() + std::chrono::minutes(1);
  }

  Published published_;
  std::atomic<int> opened_{0};
  const std::shared_ptr<IndexStore> real_ = MakeMemoryIndex();
  Lines lines_;
};

TEST_F(IndexerAlone, AWriteThatFailsIsTriedAgainOnANewHandle) {
  Indexer indexer(published_, Options(Opener(2, absl::UnavailableError("no such luck"))));
  ASSERT_TRUE(indexer.WaitUntil(TreeSize(TreeSizeNow()), InAMinute()));
  EXPECT_EQ(lines_.With("the index waits: no such luck").size(), 1u);  // said once
  EXPECT_GE(opened_, 3);
  EXPECT_TRUE(lines_.With("stopped").empty());
}

TEST_F(IndexerAlone, DamageStopsItWithOneLineAndItStaysReadable) {
  Indexer indexer(published_, Options(Opener(1 << 20, absl::DataLossError("a torn page"))));
  while (indexer.progress().state != IndexState::kStopped) std::this_thread::yield();
  while (lines_.With("the index stopped").empty()) std::this_thread::yield();
  EXPECT_EQ(lines_.With("the index stopped at entry 0: a torn page").size(), 1u);
  const auto queries = indexer.GetQueries();
  ASSERT_TRUE(queries.ok()) << queries.status();
  EXPECT_EQ((*queries)->moment().state, IndexState::kStopped);
  EXPECT_EQ((*queries)->moment().applied, TreeSize(0));
  EXPECT_EQ((*queries)->moment().size, TreeSize(TreeSizeNow()));
  EXPECT_TRUE((*queries)->List({}, {})->rows.empty());
}

TEST_F(IndexerAlone, WhileItCannotBeOpenedThereAreNoAnswers) {
  std::atomic<bool> closed{true};
  Indexer indexer(published_,
                  Options([&](bool create) -> absl::StatusOr<std::unique_ptr<IndexStore>> {
                    if (closed) return absl::UnavailableError("somebody sits on it");
                    if (!create) return absl::NotFoundError("none");
                    return MakeMemoryIndex();
                  }));
  EXPECT_TRUE(absl::IsUnavailable(indexer.GetQueries().status()));
  while (lines_.With("somebody sits on it").empty()) std::this_thread::yield();
  closed = false;
  EXPECT_TRUE(indexer.WaitUntil(TreeSize(TreeSizeNow()), InAMinute()));
  EXPECT_TRUE(indexer.GetQueries().ok());
}

TEST_F(IndexerAlone, WhileTheLogIsReopenedItWaits) {
  Indexer indexer(published_, Options(Opener(0, absl::OkStatus())));
  ASSERT_TRUE(indexer.WaitUntil(TreeSize(TreeSizeNow()), InAMinute()));
  published_.Set(nullptr);
  EXPECT_TRUE(absl::IsUnavailable(indexer.GetQueries().status()));
  ASSERT_TRUE(
      PublishOne(Sign(Grant(publisher_.public_key(), Role::kPublisher, kNoEvent), operator_)).ok());
  published_.Set(Now());
  EXPECT_TRUE(indexer.WaitUntil(TreeSize(TreeSizeNow()), InAMinute()));
}

}  // namespace
}  // namespace stele::store
