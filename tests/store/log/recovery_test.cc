#include "store/log/recovery.h"

#include <gtest/gtest.h>

#include "core/crypto/sha256.h"
#include "core/statement/dsse.h"
#include "store/backend/memory_backend.h"
#include "store/log/commit.h"
#include "store/log/genesis.h"
#include "store/log/planner.h"
#include "tests/support/store/check_store.h"
#include "tests/support/store/statements.h"

namespace stele::store {
namespace {

using testing::kOrigin;
using testing::TestKey;

class RecoveryTest : public ::testing::Test {
 protected:
  RecoveryTest() {
    auto genesis = CommitGenesis(backend_, {.origin = kOrigin,
                                            .log_key = log_key_,
                                            .operator_key = TestKey("operator"),
                                            .recovery_keys = {},
                                            .now = TimeMs{1}});
    EXPECT_TRUE(genesis.ok()) << genesis.status();
    roots_ = {EmptyRoot(), genesis->head.root};
  }

  // One statement a commit, each planned from what was recovered.
  void GrowTo(uint64_t size) {
    while (roots_.size() <= size) {
      auto recovered = Recover(backend_, {log_key_});
      ASSERT_TRUE(recovered.ok()) << recovered.status();
      const std::string manifest = testing::TestManifest(static_cast<int>(roots_.size()));
      const auto item = testing::SignPublication(manifest, TestKey("operator"));
      const Envelope envelope = *ParseEnvelope(item.envelope);
      AdmittedStatement admitted{.statement = *ParseStatement(envelope.payload, kOrigin),
                                 .signer = TestKey("operator").public_key().id(),
                                 .payload_digest = Sha256(envelope.payload),
                                 .payload = envelope.payload,
                                 .envelope = item.envelope,
                                 .detached = {},
                                 .content = {{Sha256(manifest), manifest}},
                                 .looked_up = {},
                                 .guest = {}};
      auto planned = PlanBatch(recovered->state, {&admitted}, {StatementFacts()}, TimeMs{2});
      ASSERT_TRUE(planned.ok()) << planned.status();
      ASSERT_TRUE(SignAndCommit(backend_, recovered->signer, *planned).ok());
      roots_.push_back(planned->plan.head.root);
    }
  }

  const PrivateKey log_key_ = TestKey("log");
  MemoryBackend backend_;
  std::vector<Hash> roots_;  // by size
};

// Every size up to beyond the first full tile is recovered, and grown from what was recovered.
TEST_F(RecoveryTest, EverySizeIsContinued) {
  GrowTo(300);
  const auto recovered = Recover(backend_, {log_key_});
  ASSERT_TRUE(recovered.ok()) << recovered.status();
  EXPECT_EQ(recovered->state.head.size, TreeSize{300});
  EXPECT_EQ(recovered->state.edge->Root(), roots_[300]);
  EXPECT_EQ(recovered->state.frontier.Root(), roots_[300]);
  EXPECT_EQ(recovered->state.ring->events().size(), 1u);
  EXPECT_EQ(recovered->genesis_leaf_hash, roots_[1]);
  EXPECT_EQ(testing::CheckStore(*recovered->snapshot,
                                *NoteVerifier::Make(kOrigin, log_key_.public_key())),
            absl::OkStatus());
}

TEST_F(RecoveryTest, ReachesEveryEarlierSizeWithItsRootOnly) {
  GrowTo(270);
  const auto snapshot = *backend_.GetSnapshot();
  for (uint64_t size = 0; size <= 270; ++size) {
    EXPECT_EQ(CheckReaches(*snapshot, TreeSize{size}, roots_[size]), absl::OkStatus()) << size;
    const absl::Status other = CheckReaches(*snapshot, TreeSize{size}, Sha256("another"));
    EXPECT_TRUE(absl::IsFailedPrecondition(other)) << size;
  }
  const absl::Status beyond = CheckReaches(*snapshot, TreeSize{271}, roots_[270]);
  EXPECT_TRUE(absl::IsFailedPrecondition(beyond)) << beyond;
}

TEST_F(RecoveryTest, AnotherLogKeyIsRefused) {
  EXPECT_TRUE(absl::IsFailedPrecondition(Recover(backend_, {TestKey("another")}).status()));
}

TEST_F(RecoveryTest, ABackendWithoutGenesisIsRefused) {
  const MemoryBackend empty;
  EXPECT_TRUE(absl::IsFailedPrecondition(Recover(empty, {log_key_}).status()));
}

TEST_F(RecoveryTest, GenesisIsCommittedOnce) {
  const auto again = CommitGenesis(backend_, {.origin = kOrigin,
                                              .log_key = log_key_,
                                              .operator_key = TestKey("operator"),
                                              .recovery_keys = {},
                                              .now = TimeMs{1}});
  EXPECT_TRUE(absl::IsFailedPrecondition(again.status())) << again.status();
}

// A head that does not follow from the rows below it, signed as it may be.
TEST_F(RecoveryTest, AHeadThatTheTilesDoNotLeadToIsDamage) {
  GrowTo(3);
  auto recovered = Recover(backend_, {log_key_});
  ASSERT_TRUE(recovered.ok());
  PlannedBatch forged{.plan = {}, .decisions = {}, .next = recovered->state};
  forged.plan.base_size = recovered->state.head.size;
  forged.plan.base_root = recovered->state.head.root;
  forged.plan.head = recovered->state.head;
  forged.plan.head.size = TreeSize{4};
  forged.plan.head.root = Sha256("no root of these entries");
  forged.plan.entries = {{EntryIndex{3}, "no leaf", Sha256("no hash of it")}};
  ASSERT_EQ(SignAndCommit(backend_, recovered->signer, forged), absl::OkStatus());
  EXPECT_TRUE(absl::IsDataLoss(Recover(backend_, {log_key_}).status()));
}

}  // namespace
}  // namespace stele::store
