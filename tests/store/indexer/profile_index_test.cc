// Runs, workloads and what comes late, through a store.
#include <gtest/gtest.h>

#include "core/crypto/sha256.h"
#include "tests/core/kernelindex/bodies.h"
#include "tests/support/store/answers_text.h"
#include "tests/support/store/store_test_base.h"

namespace stele::store {
namespace {

using namespace stele::testing;  // NOLINT: what tests publish with

class ProfileIndex : public StoreTestBase, public ::testing::WithParamInterface<Engine> {
 protected:
  ProfileIndex() : StoreTestBase(GetParam()) {}
  void SetUp() override {
    StoreTestBase::SetUp();
    Must(Sign(Grant(publisher_.public_key(), Role::kPublisher, kNoEvent), operator_));
    Must(Sign(Grant(runner_.public_key(), Role::kRunner, kNoEvent), operator_));
  }
  // Its index.
  EntryIndex Must(PublishItem item) {
    const auto receipt = PublishOne(std::move(item));
    EXPECT_TRUE(receipt.ok()) << receipt.status();
    return receipt.ok() ? receipt->index : EntryIndex();
  }
  EntryIndex PublishBodies(std::vector<std::string> bodies) {
    const Statement statement = stele::testing::Publication(bodies);
    return Must(Sign(statement, publisher_, 0, std::move(bodies)));
  }
  std::shared_ptr<const Queries> Caught() {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    EXPECT_TRUE(store_->WaitForIndex(TreeSize(TreeSizeNow()), deadline));
    return *store_->GetQueries();
  }
  static std::string Run(int n, const Digest& workload) {
    return Body("BenchmarkRun",
                R"({"status":"passed","workloadDigest":")" + workload.ToText() +
                    R"(","protocolDigest":")" + Sha256("protocol").ToText() +
                    R"(","environmentDigest":")" + Sha256("environment").ToText() +
                    R"(","implementationDigest":")" + Sha256("implementation").ToText() +
                    R"(","timing":{"primaryStatistic":"mean","latencyNs":{"mean":)" +
                    std::to_string(n) + "}}}");
  }

  const PrivateKey runner_ = TestKey("runner");
  const std::string workload_ =
      Body("WorkloadCase", R"({"operationSpecDigest":")" + Sha256("operation").ToText() + R"("})");
  const Digest workload_digest_ = Sha256(workload_);
};

TEST_P(ProfileIndex, AWorkloadThatComesLateGivesItsRunsTheirCohort) {
  std::vector<std::string> runs;
  for (int n = 1; n <= 5; ++n) runs.push_back(Run(n, workload_digest_));
  PublishBodies(runs);
  const Digest first = Sha256(runs[0]);
  const auto before = Caught();
  const absl::Status none = before->CohortOf(first).status();
  EXPECT_EQ(ReasonOf(none), reason::kNotFound);
  EXPECT_NE(none.message().find("its workload " + workload_digest_.ToText() + " is not stored"),
            std::string::npos)
      << none;
  EXPECT_EQ(before->ResultsFor(workload_digest_, {})->rows.size(), 5u);
  EXPECT_FALSE(before->ResultsFor(workload_digest_, {})->rows[0].cohort.has_value());

  PublishBodies({workload_});
  const auto answer = Caught()->CohortOf(first);
  ASSERT_TRUE(answer.ok()) << answer.status();
  ASSERT_EQ(answer->cohort.ranked.size(), 5u);
  EXPECT_EQ(answer->cohort.leader()->record, first);
  EXPECT_EQ(answer->cohort.ranked[4].value, 5);
  EXPECT_EQ(answer->cohort.ranked[4].ratio, 5);
  EXPECT_EQ(answer->runs[0].measurement.unit, "ns");
  // One that comes after it, and one that comes with another workload.
  const std::string later = Run(6, workload_digest_);
  const std::string other =
      Body("WorkloadCase", R"({"operationSpecDigest":")" + Sha256("other").ToText() + R"("})");
  PublishBodies({later, Run(7, Sha256(other)), other});
  EXPECT_EQ(Caught()->CohortOf(first)->runs.size(), 6u);
  EXPECT_EQ(Caught()->CohortOf(Sha256(Run(7, Sha256(other))))->runs.size(), 1u);
}

TEST_P(ProfileIndex, WithheldAndRestoredWorkload) {
  const std::string run = Run(1, workload_digest_);
  PublishBodies({run, workload_});
  ASSERT_TRUE(Caught()->CohortOf(Sha256(run)).ok());
  const Digest key = Caught()->CohortOf(Sha256(run))->key;
  const EntryIndex at = Must(Sign(Withhold(workload_digest_, kNoEvent), operator_));
  EXPECT_EQ(ReasonOf(Caught()->CohortOf(Sha256(run)).status()), reason::kWithheld);
  EXPECT_EQ(ReasonOf(Caught()->CohortOf(key).status()), reason::kWithheld);
  EXPECT_EQ(Caught()->ResultsFor(workload_digest_, {})->rows.size(), 1u);
  Must(Sign(Withhold(workload_digest_, EventIndex(static_cast<int64_t>(at.value())), false),
            operator_));
  EXPECT_TRUE(Caught()->CohortOf(Sha256(run)).ok());
}

TEST_P(ProfileIndex, AWithheldRunIsInNoCohort) {
  const std::string run = Run(1, workload_digest_), other = Run(2, workload_digest_);
  PublishBodies({run, other, workload_});
  Must(Sign(Withhold(Sha256(run), kNoEvent), operator_));
  const auto queries = Caught();
  EXPECT_EQ(ReasonOf(queries->CohortOf(Sha256(run)).status()), reason::kWithheld);
  const auto answer = queries->CohortOf(Sha256(other));
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->runs.size(), 1u);
  EXPECT_EQ(queries->ResultsFor(workload_digest_, {})->rows.size(), 1u);
  EXPECT_FALSE(queries->EvidenceOf(Sha256(run))->has_value());
}

TEST_P(ProfileIndex, RetractionShowsAtOnce) {
  const std::string run = Run(1, workload_digest_), better = Run(2, workload_digest_);
  PublishBodies({run, better, workload_});
  const auto before = Caught();
  Must(Sign(Retract({Sha256(run)}, Sha256(better)), publisher_));
  const auto answer = Caught()->CohortOf(Sha256(run));
  ASSERT_TRUE(answer.ok());
  ASSERT_EQ(answer->cohort.excluded.size(), 1u);
  EXPECT_EQ(answer->cohort.excluded[0].reasons,
            (std::vector<std::string>{"RETRACTED", "SUPERSEDED"}));
  EXPECT_EQ(before->CohortOf(Sha256(run))->cohort.ranked.size(), 2u);  // of its own moment
  const auto standing = Caught()->StandingOf(Sha256(run));
  ASSERT_TRUE(standing->retraction.has_value());
  EXPECT_EQ(standing->retraction->chain, std::vector<Digest>{Sha256(better)});
}

TEST_P(ProfileIndex, VerificationsRaiseTheLevel) {
  const std::string run = Run(1, workload_digest_), rerun = Run(2, workload_digest_);
  PublishBodies({run, rerun, workload_});
  EXPECT_EQ((*Caught()->EvidenceOf(Sha256(run)))->level, kernelindex::EvidenceLevel::kReported);
  Must(Sign(Verify(Sha256(run), Sha256(rerun)), runner_));
  const auto history = Caught()->HistoryOf(Sha256(run), {});
  ASSERT_TRUE(history.ok()) << history.status();
  ASSERT_TRUE(history->evidence.has_value());
  EXPECT_EQ(history->evidence->level, kernelindex::EvidenceLevel::kVerified);
  ASSERT_EQ(history->entries.rows.size(), 2u);
  const HistoryRow& row = history->entries.rows[1];
  EXPECT_EQ(row.type, StatementType::kVerification);
  EXPECT_EQ(row.said.outcome, "passed");
  EXPECT_EQ(row.said.rerun, Sha256(rerun));
  EXPECT_EQ(row.signer, runner_.public_key().id());
  EXPECT_FALSE(row.signer_name.empty());
  EXPECT_EQ(history->entries.rows[0].said.manifest, Sha256(run));
}

TEST_P(ProfileIndex, NeitherRunNorKey) {
  PublishBodies({workload_, Body("BenchmarkRun", "{}")});
  const auto queries = Caught();
  EXPECT_EQ(ReasonOf(queries->CohortOf(workload_digest_).status()), reason::kNotFound);
  EXPECT_EQ(ReasonOf(queries->CohortOf(Sha256("nothing")).status()), reason::kNotFound);
  const absl::Status lacks = queries->CohortOf(Sha256(Body("BenchmarkRun", "{}"))).status();
  EXPECT_NE(lacks.message().find("names no workload"), std::string::npos) << lacks;
}

INSTANTIATE_TEST_SUITE_P(Engines, ProfileIndex,
                         ::testing::Values(Engine::kMemory, Engine::kRocksDb),
                         [](const auto& info) { return std::string(EngineName(info.param)); });

}  // namespace
}  // namespace stele::store
