// The contract of backend.h, run against every engine.

#include "tests/store/backend/contract.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "core/base/refusal.h"
#include "core/crypto/sha256.h"

namespace stele::store::testing {
namespace {

using Contract = ContractTest;

TEST_P(Contract, NewStoreIsEmpty) {
  const auto snapshot = Take();
  EXPECT_EQ(snapshot->head(), std::nullopt);
  EXPECT_TRUE(absl::IsNotFound(snapshot->Entry(EntryIndex(0)).status()));
  EXPECT_TRUE(absl::IsNotFound(snapshot->Tile(0, 0).status()));
  EXPECT_TRUE(absl::IsNotFound(snapshot->Content(Sha256("x")).status()));
  EXPECT_EQ(*snapshot->HasContent(Sha256("x")), false);
  EXPECT_TRUE(snapshot->ContentByPrefix("", 10)->empty());
  EXPECT_EQ(*snapshot->FindReplay(ReplayOf(0).key), std::nullopt);
  EXPECT_TRUE(snapshot->Publications(Sha256("x"))->empty());
  EXPECT_TRUE(snapshot->Subjects(Sha256("x"))->empty());
  EXPECT_TRUE(snapshot->KeyEvents()->empty());
  EXPECT_TRUE(absl::IsNotFound(snapshot->Artifact(Sha256("x")).status()));
  EXPECT_TRUE(backend_->staging().List()->empty());
  EXPECT_FALSE(backend_->poisoned());
  EXPECT_GT(*backend_->FreeBytes(), 0u);
}

TEST_P(Contract, CommittedPlansAreThereWhole) {
  for (uint64_t entries : {1, 1, 2, 40, 212, 1}) {  // to 256 and over
    Commit(entries);
    Audit(*backend_, log_.size());
  }
}

TEST_P(Contract, PlanOnAnotherBaseChangesNothing) {
  Commit(5);
  CommitPlan good = log_.Next(3);
  CommitPlan stale = good, other = good;
  stale.base_size = TreeSize(4);
  other.base_root = Sha256("another root");
  for (const CommitPlan& plan : {stale, other, TestLog().Next(3)}) {
    const absl::Status status = backend_->Commit(plan);
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
    EXPECT_FALSE(backend_->poisoned());
    Audit(*backend_, 5);
  }
  EXPECT_TRUE(backend_->Commit(good).ok());
  EXPECT_EQ(backend_->Commit(good).code(), absl::StatusCode::kFailedPrecondition);
  Audit(*backend_, 8);
}

TEST_P(Contract, PlanThatDoesNotFitTogetherChangesNothing) {
  Commit(5);
  CommitPlan good = log_.Next(3);
  std::vector<CommitPlan> bad(8, good);
  bad[0].entries.erase(bad[0].entries.begin() + 1);
  bad[1].head.size = TreeSize(9);
  bad[2].entries.clear();
  bad[3].replays[0].index = EntryIndex(4);
  bad[4].publications[0].index = EntryIndex(8);
  bad[5].entries.pop_back();
  bad[6].key_events = KeyEventsOf(3);
  bad[7].subjects = SubjectsOf(3);
  for (const CommitPlan& plan : bad) {
    EXPECT_EQ(backend_->Commit(plan).code(), absl::StatusCode::kInvalidArgument);
    EXPECT_FALSE(backend_->poisoned());
  }
  Audit(*backend_, 5);
  EXPECT_TRUE(backend_->Commit(good).ok());
  Audit(*backend_, 8);
}

TEST_P(Contract, SnapshotsDoNotMove) {
  std::vector<std::pair<uint64_t, std::shared_ptr<const Snapshot>>> snapshots;
  for (uint64_t entries : {1, 7, 250, 30, 1500}) {
    Commit(entries);
    snapshots.emplace_back(log_.size(), Take());
    Audit(*snapshots.back().second, log_.size());  // what was read once says the same later
  }
  for (const auto& [size, snapshot] : snapshots) Audit(*snapshot, size);
}

TEST_P(Contract, TilesGrowAndAreKept) {
  for (int i = 0; i < 9; ++i) {
    Commit(77);
    Audit(*backend_, log_.size());
  }
  const std::string level1 = *Take()->Tile(1, 0);
  EXPECT_EQ(level1.size(), (log_.size() / 256) * 32);
  Reopen();
  EXPECT_EQ(*Take()->Tile(1, 0), level1);
}

TEST_P(Contract, ContentIsFoundByPrefix) {
  Commit(300);
  const auto snapshot = Take();
  const Digest digest = Sha256(ContentOf(17));
  const std::string hex = digest.ToHex();
  std::vector<Digest> all;
  for (uint64_t i = 0; i < 300; ++i) all.push_back(Sha256(ContentOf(i)));
  std::sort(all.begin(), all.end());
  for (size_t digits = 0; digits <= 64; ++digits) {
    std::vector<Digest> want;
    for (const Digest& d : all) {
      if (d.ToHex().substr(0, digits) == hex.substr(0, digits)) want.push_back(d);
    }
    EXPECT_EQ(*snapshot->ContentByPrefix(hex.substr(0, digits), 1000), want) << digits;
  }
  EXPECT_EQ(snapshot->ContentByPrefix("", 7)->size(), 7u);
  EXPECT_EQ((*snapshot->ContentByPrefix("", 7))[6], all[6]);
  EXPECT_TRUE(snapshot->ContentByPrefix("", 0)->empty());
  for (const std::string& bad : {std::string("A"), std::string("0x"), std::string(65, '0')}) {
    EXPECT_TRUE(absl::IsInvalidArgument(snapshot->ContentByPrefix(bad, 10).status())) << bad;
  }
}

TEST_P(Contract, EntriesAreVisitedInOrder) {
  Commit(30);
  const auto snapshot = Take();
  auto visit = [&](uint64_t begin, uint64_t end, size_t most) {
    std::vector<uint64_t> seen;
    const absl::Status status =
        snapshot->VisitEntries(EntryIndex(begin), EntryIndex(end), [&](EntryRow row) {
          EXPECT_EQ(row.leaf, LeafOf(row.index.value()));
          seen.push_back(row.index.value());
          return seen.size() < most;
        });
    return std::pair(status, seen);
  };
  EXPECT_EQ(visit(3, 6, 99), std::pair(absl::OkStatus(), std::vector<uint64_t>{3, 4, 5}));
  EXPECT_EQ(visit(3, 60, 2), std::pair(absl::OkStatus(), std::vector<uint64_t>{3, 4}));
  EXPECT_EQ(visit(6, 6, 99), std::pair(absl::OkStatus(), std::vector<uint64_t>{}));
  EXPECT_EQ(visit(7, 6, 99), std::pair(absl::OkStatus(), std::vector<uint64_t>{}));
  const auto [status, seen] = visit(28, 32, 99);
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
  EXPECT_EQ(seen, (std::vector<uint64_t>{28, 29}));
}

TEST_P(Contract, AllRowsOfAKindAreVisited) {
  Commit(3);
  Commit(300);
  const auto before = Take();
  Commit(5);
  auto count = [](const Snapshot& snapshot, RowKind kind) {
    size_t rows = 0;
    const absl::Status visited = snapshot.VisitRows(kind, [&](absl::StatusOr<AnyRow> row) {
      EXPECT_TRUE(row.ok()) << row.status();
      rows += row.ok() && row->index() == static_cast<size_t>(kind);
      return true;
    });
    EXPECT_TRUE(visited.ok()) << visited;
    return rows;
  };
  size_t publications = 0, subjects = 0, events = 0;
  for (uint64_t i = 0; i < 303; ++i) {
    publications += PublicationsOf(i).size();
    subjects += SubjectsOf(i).size();
    events += KeyEventsOf(i).size();
  }
  EXPECT_GT(subjects, 0u);
  EXPECT_EQ(count(*before, RowKind::kContent), 303u);
  EXPECT_EQ(count(*before, RowKind::kEntry), 303u);
  EXPECT_EQ(count(*before, RowKind::kTile), 2u);
  EXPECT_EQ(count(*before, RowKind::kReplay), 303u);
  EXPECT_EQ(count(*before, RowKind::kPublication), publications);
  EXPECT_EQ(count(*before, RowKind::kSubject), subjects);
  EXPECT_EQ(count(*before, RowKind::kKeyEvent), events);
  std::vector<EntryIndex> indexes;
  ASSERT_TRUE(Take()
                  ->VisitRows(RowKind::kEntry,
                              [&](absl::StatusOr<AnyRow> row) {
                                indexes.push_back(std::get<EntryRow>(*row).index);
                                return indexes.size() < 4;
                              })
                  .ok());
  EXPECT_EQ(indexes,
            (std::vector<EntryIndex>{EntryIndex{0}, EntryIndex{1}, EntryIndex{2}, EntryIndex{3}}));
}

TEST_P(Contract, ContentMayComeTwiceAndBeEmpty) {
  Commit(3);
  CommitPlan plan = log_.Next(1);
  plan.content.push_back({Sha256(ContentOf(1)), ContentOf(1)});
  plan.content.push_back({Sha256(""), ""});
  plan.content.push_back({Sha256("large"), std::string(3 << 20, '\xee')});
  EXPECT_TRUE(backend_->Commit(plan).ok());
  Audit(*backend_, 4);
  EXPECT_EQ(*Take()->Content(Sha256("")), "");
  EXPECT_TRUE(*Take()->Content(Sha256("large")) == std::string(3 << 20, '\xee'));
}

TEST_P(Contract, ReopenedStoreIsTheSameAndGoesOn) {
  for (uint64_t entries : {1, 30, 260, 1, 100}) {
    Commit(entries);
    Reopen();
    Audit(*backend_, log_.size());
  }
}

TEST_P(Contract, ReadersSeeWholeCommitsBesideTheWriter) {
  Commit(1);
  std::atomic<bool> stop{false};
  std::atomic<int> reads{0};
  auto read = [&] {
    while (!stop) {
      auto snapshot = backend_->GetSnapshot();
      ASSERT_TRUE(snapshot.ok());
      const uint64_t size = (*snapshot)->head()->size.value();
      const uint64_t last = size - 1;
      EXPECT_EQ((*snapshot)->Entry(EntryIndex(last))->leaf, LeafOf(last));
      EXPECT_EQ(*(*snapshot)->Content(Sha256(ContentOf(last))), ContentOf(last));
      EXPECT_TRUE(absl::IsNotFound((*snapshot)->Entry(EntryIndex(size)).status()));
      EXPECT_EQ(*(*snapshot)->FindReplay(ReplayOf(size).key), std::nullopt);
      ++reads;
    }
  };
  std::thread first(read), second(read);
  for (int i = 0; i < 50 || reads < 100; ++i) Commit(3);
  stop = true;
  first.join();
  second.join();
  Audit(*backend_, log_.size());
}

// The error, then reads only, then a reopened store that has the plan whole or not at all.
class FailedCommit : public ContractTest {
 protected:
  void FailOne(Engine::Fault fault, absl::StatusCode code, std::string_view reason) {
    Commit(20);
    auto before = Take();
    CommitPlan plan = log_.Next(5);
    engine_->Break(*backend_, fault);
    const absl::Status failed = backend_->Commit(plan);
    EXPECT_EQ(failed.code(), code) << failed;
    EXPECT_EQ(ReasonOf(failed), reason);
    EXPECT_TRUE(backend_->poisoned());
    engine_->Heal();
    for (int i = 0; i < 2; ++i) {
      const absl::Status refused = backend_->Commit(plan);
      EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition) << refused;
      EXPECT_EQ(ReasonOf(refused), reason.empty() ? reason::kReadOnly : reason) << refused;
    }
    Audit(*before, 20);
    before.reset();
    Reopen();
    EXPECT_FALSE(backend_->poisoned());
    const uint64_t size = Take()->head()->size.value();
    EXPECT_TRUE(size == 20 || size == 25) << size;
    Audit(*backend_, size);
    log_ = TestLog(size);
    Commit(9);
    Audit(*backend_, size + 9);
  }
};

TEST_P(FailedCommit, FullDisk) {
  FailOne(Engine::Fault::kDiskFull, absl::StatusCode::kResourceExhausted, reason::kDiskFull);
}

TEST_P(FailedCommit, IoError) {
  FailOne(Engine::Fault::kIoError, absl::StatusCode::kUnavailable, "");
}

INSTANTIATE_TEST_SUITE_P(Engines, Contract, ::testing::ValuesIn(AllEngines()), EngineNameOf);
INSTANTIATE_TEST_SUITE_P(Engines, FailedCommit, ::testing::ValuesIn(AllEngines()), EngineNameOf);

}  // namespace
}  // namespace stele::store::testing
