#include "store/log/planner.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/crypto/sha256.h"
#include "core/statement/dsse.h"
#include "core/statement/entry.h"
#include "core/tlog/tile.h"
#include "store/log/genesis.h"
#include "tests/support/store/statements.h"

namespace stele::store {
namespace {

using testing::Grant;
using testing::kOrigin;
using testing::Publication;
using testing::Revoke;
using testing::TestKey;
using testing::TestManifest;

constexpr TimeMs kStart{1'700'000'000'000};

AdmittedStatement Admit(const Statement& statement, const PrivateKey& signer) {
  const std::string payload = FormatStatement(statement);
  const KeyId key = signer.public_key().id();
  return {.statement = *ParseStatement(payload, kOrigin),
          .signer = key,
          .payload_digest = Sha256(payload),
          .payload = payload,
          .envelope = FormatEnvelope(payload, key, *signer.Sign(Pae(payload))),
          .detached = {},
          .content = {},
          .looked_up = {},
          .guest = {}};
}

AdmittedStatement AdmitPublication(int n, const PrivateKey& signer) {
  const std::string manifest = TestManifest(n);
  AdmittedStatement admitted = Admit(Publication({manifest}), signer);
  admitted.content.push_back({Sha256(manifest), manifest});
  return admitted;
}

StatementFacts InTheLogAt(EntryIndex index) {
  StatementFacts facts;
  facts.replay = index;
  return facts;
}

class PlannerTest : public ::testing::Test {
 protected:
  PlannerTest() {
    auto genesis = MakeGenesis({.origin = kOrigin,
                                .log_key = TestKey("log"),
                                .operator_key = operator_,
                                .recovery_keys = {},
                                .now = kStart});
    state_ = Plan({*genesis}, kStart).next;
    EXPECT_EQ(state_.head.size, TreeSize{1});
  }

  PlannedBatch Plan(std::vector<AdmittedStatement> batch, TimeMs now,
                    std::vector<StatementFacts> facts = {}) {
    std::vector<AdmittedStatement*> pointers;
    for (AdmittedStatement& admitted : batch) pointers.push_back(&admitted);
    facts.resize(batch.size());
    auto planned = PlanBatch(state_, pointers, facts, now);
    EXPECT_TRUE(planned.ok()) << planned.status();
    return *std::move(planned);
  }

  static std::string Reason(const Decision& decision) {
    const auto* status = std::get_if<absl::Status>(&decision);
    return status == nullptr ? "" : ReasonOf(*status);
  }
  static std::optional<EntryIndex> At(const Decision& decision) {
    const auto* appended = std::get_if<Appended>(&decision);
    return appended == nullptr ? std::nullopt : std::optional(appended->index);
  }

  const PrivateKey operator_ = TestKey("operator");
  const PrivateKey publisher_ = TestKey("publisher");
  LogState state_ = EmptyLog(kOrigin);
};

TEST_F(PlannerTest, GenesisIsEntryZeroWithAuthorityZero) {
  EXPECT_EQ(state_.ring->RoleOf(operator_.public_key().id()), Role::kOperator);
  EXPECT_EQ(state_.head.last_logged, kStart);
  EXPECT_TRUE(state_.head.checkpoint.empty());
}

TEST_F(PlannerTest, EarlierStatementsOfTheBatchCount) {
  const KeyId publisher = publisher_.public_key().id();
  PlannedBatch planned =
      Plan({AdmitPublication(1, publisher_),
            Admit(Grant(publisher_.public_key(), Role::kPublisher, kNoEvent), operator_),
            AdmitPublication(2, publisher_), Admit(Revoke(publisher, EventIndex{1}), operator_),
            AdmitPublication(3, publisher_)},
           kStart);
  EXPECT_EQ(Reason(planned.decisions[0]), reason::kUnknownKey);
  EXPECT_EQ(At(planned.decisions[1]), EntryIndex{1});
  EXPECT_EQ(At(planned.decisions[2]), EntryIndex{2});
  EXPECT_EQ(At(planned.decisions[3]), EntryIndex{3});
  EXPECT_EQ(Reason(planned.decisions[4]), reason::kRole);
  ASSERT_EQ(planned.plan.publications.size(), 1u);
  EXPECT_EQ(planned.plan.publications[0].authority, EventIndex{1});
  EXPECT_EQ(planned.plan.publications[0].index, EntryIndex{2});
  EXPECT_EQ(planned.plan.key_events.size(), 2u);
  EXPECT_EQ(planned.plan.replays.size(), 3u);
  // What was refused leaves nothing in the plan.
  EXPECT_EQ(planned.plan.content.size(), 1u);
  EXPECT_FALSE(planned.next.ring->RoleOf(publisher).has_value());
  // The state it was planned from is as it was.
  EXPECT_EQ(state_.ring->FindKey(publisher), nullptr);
}

TEST_F(PlannerTest, OfTwoWithTheSameAfterTheFirstWins) {
  PlannedBatch planned =
      Plan({Admit(Grant(publisher_.public_key(), Role::kPublisher, kNoEvent), operator_),
            Admit(Grant(publisher_.public_key(), Role::kAttester, kNoEvent), operator_)},
           kStart);
  EXPECT_EQ(At(planned.decisions[0]), EntryIndex{1});
  EXPECT_EQ(Reason(planned.decisions[1]), reason::kStaleAfter);
  EXPECT_TRUE(absl::IsAborted(std::get<absl::Status>(planned.decisions[1])));
}

TEST_F(PlannerTest, ReplaysBelowTheHeadAndInTheBatch) {
  PlannedBatch planned = Plan({AdmitPublication(1, operator_), AdmitPublication(1, operator_),
                               AdmitPublication(2, operator_)},
                              kStart, {{}, {}, InTheLogAt(EntryIndex{0})});
  EXPECT_EQ(At(planned.decisions[0]), EntryIndex{1});
  ASSERT_TRUE(std::holds_alternative<Replayed>(planned.decisions[1]));
  EXPECT_EQ(std::get<Replayed>(planned.decisions[1]).index, EntryIndex{1});
  ASSERT_TRUE(std::holds_alternative<Replayed>(planned.decisions[2]));
  EXPECT_EQ(std::get<Replayed>(planned.decisions[2]).index, EntryIndex{0});
  EXPECT_EQ(planned.plan.entries.size(), 1u);
  EXPECT_EQ(planned.plan.content.size(), 1u);
}

TEST_F(PlannerTest, OnlyReplaysPlanNothing) {
  PlannedBatch planned =
      Plan({AdmitPublication(1, operator_)}, kStart, {InTheLogAt(EntryIndex{0})});
  EXPECT_TRUE(planned.plan.entries.empty());
  EXPECT_EQ(planned.plan.head.size, state_.head.size);
  EXPECT_EQ(planned.plan.head.root, state_.head.root);
}

TEST_F(PlannerTest, RefusesASecondGenesis) {
  auto genesis = MakeGenesis({.origin = kOrigin,
                              .log_key = TestKey("log"),
                              .operator_key = operator_,
                              .recovery_keys = {TestKey("recovery").public_key()},
                              .now = kStart});
  PlannedBatch planned = Plan({*genesis}, kStart);
  EXPECT_EQ(Reason(planned.decisions[0]), reason::kGenesis);
  EXPECT_TRUE(planned.plan.entries.empty());
}

TEST_F(PlannerTest, ALeafTooLargeIsOneStatementsFault) {
  AdmittedStatement large = AdmitPublication(1, operator_);
  large.envelope.assign(limits::kLeafBytes, 'x');
  PlannedBatch planned = Plan({large, AdmitPublication(2, operator_)}, kStart);
  EXPECT_EQ(Reason(planned.decisions[0]), reason::kLeafTooLarge);
  EXPECT_EQ(At(planned.decisions[1]), EntryIndex{1});
}

TEST_F(PlannerTest, TimeNeverDecreases) {
  PlannedBatch planned = Plan({AdmitPublication(1, operator_)}, TimeMs{kStart.value() - 4000});
  EXPECT_EQ(ParseLeaf(planned.plan.entries[0].leaf)->logged, kStart);
  planned = Plan({AdmitPublication(1, operator_)}, TimeMs{kStart.value() + 4000});
  EXPECT_EQ(ParseLeaf(planned.plan.entries[0].leaf)->logged, TimeMs{kStart.value() + 4000});
  EXPECT_EQ(planned.plan.head.last_logged, TimeMs{kStart.value() + 4000});
}

TEST_F(PlannerTest, ContentNamedTwiceIsWrittenOnce) {
  AdmittedStatement first = AdmitPublication(1, operator_);
  AdmittedStatement second = AdmitPublication(2, operator_);
  second.content = first.content;
  EXPECT_EQ(Plan({first, second}, kStart).plan.content.size(), 1u);
}

TEST_F(PlannerTest, TwoComputationsOfTheRootMustAgree) {
  state_.frontier.Append(Sha256("a bit that flipped"));
  AdmittedStatement admitted = AdmitPublication(1, operator_);
  const auto planned = PlanBatch(state_, {&admitted}, {StatementFacts()}, kStart);
  EXPECT_TRUE(absl::IsInternal(planned.status())) << planned.status();
}

// The rows of tiles that plans carry, together, are exactly those of the tree.
TEST_F(PlannerTest, TilesOfEveryBatchSize) {
  std::map<std::pair<int, uint64_t>, std::string> stored;
  std::vector<Hash> leaves = {state_.frontier.roots().front()};
  int n = 0;
  for (size_t size : {1u, 100u, 153u, 1u, 1u, 255u, 256u, 600u, 3u}) {
    std::vector<AdmittedStatement> batch;
    for (size_t i = 0; i < size; ++i) batch.push_back(AdmitPublication(++n, operator_));
    PlannedBatch planned = Plan(std::move(batch), kStart);
    for (const EntryRow& row : planned.plan.entries) leaves.push_back(row.leaf_hash);
    for (const TileRow& row : planned.plan.tiles) stored[{row.level, row.number}] = row.bytes;
    state_ = planned.next;
    ASSERT_EQ(state_.head.size.value(), leaves.size());
    for (const TileId& tile : TilesOf(state_.head.size)) {
      const auto row = stored.find({tile.level, tile.number});
      if (tile.level == 0 && tile.width < limits::kTileWidth) {
        EXPECT_EQ(row, stored.end());
        continue;
      }
      ASSERT_NE(row, stored.end()) << TilePath(tile);
      EXPECT_EQ(row->second.size(), tile.width * Hash::kBytes) << TilePath(tile);
    }
  }
  for (uint64_t number = 0; number < leaves.size() / 256; ++number) {
    std::string expected;
    for (size_t i = 0; i < 256; ++i) expected.append(leaves[number * 256 + i].bytes());
    EXPECT_EQ((stored[{0, number}]), expected);
  }
}

}  // namespace
}  // namespace stele::store
