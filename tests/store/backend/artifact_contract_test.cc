// Artifacts in the contract of backend.h and staging.h, run against every engine.

#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/refusal.h"
#include "core/crypto/sha256.h"
#include "tests/store/backend/contract.h"
#include "tests/store/backend/support/test_artifact.h"

namespace stele::store::testing {
namespace {

constexpr uint64_t kChunk = limits::kArtifactChunkBytes;

class Artifacts : public ContractTest {
 protected:
  void CommitNaming(const std::vector<const TestArtifact*>& artifacts) {
    CommitPlan plan = log_.Next(1);
    for (const TestArtifact* artifact : artifacts) {
      plan.artifacts.push_back({artifact->digest(), artifact->bytes().size(), {}});
    }
    ASSERT_EQ(backend_->Commit(plan), absl::OkStatus());
  }
  std::optional<StagedArtifact> Staged(const TestArtifact& artifact) {
    const auto staged = backend_->staging().Find(artifact.digest());
    EXPECT_TRUE(staged.ok()) << staged.status();
    return *staged;
  }
  uint64_t Held(const TestArtifact& artifact) {
    const auto held = backend_->staging().HeldChunks(artifact.digest(), artifact.chunks());
    EXPECT_TRUE(held.ok()) << held.status();
    return *held;
  }
};

TEST_P(Artifacts, EverySizeBecomesContentByThePlanThatNamesIt) {
  std::vector<TestArtifact> all;
  for (uint64_t size : {uint64_t{0}, uint64_t{1}, uint64_t{511}, kChunk - 1, kChunk, kChunk + 1,
                        3 * kChunk, 7 * kChunk + 5}) {
    all.emplace_back(size, size);
  }
  Commit(1);
  std::vector<const TestArtifact*> named;
  for (const TestArtifact& artifact : all) {
    artifact.Stage(*backend_);
    named.push_back(&artifact);
  }
  auto before = Take();
  EXPECT_EQ(backend_->staging().List()->size(), all.size());
  for (const TestArtifact& artifact : all) {
    artifact.ExpectAbsent(*before);
    EXPECT_EQ(Staged(artifact), artifact.whole());
    EXPECT_EQ(Held(artifact), artifact.chunks());
  }
  CommitNaming(named);
  for (const TestArtifact& artifact : all) artifact.ExpectAbsent(*before);
  before.reset();
  for (int round = 0; round < 2; ++round) {
    for (const TestArtifact& artifact : all) {
      artifact.ExpectContent(*Take());
      EXPECT_EQ(Staged(artifact), std::nullopt);
    }
    EXPECT_TRUE(backend_->staging().List()->empty());
    Audit(*backend_, log_.size());
    Reopen();
  }
}

TEST_P(Artifacts, WhatIsStagedOutlivesTheHandle) {
  Commit(1);
  const TestArtifact whole(1, 2 * kChunk), begun(2, 9 * kChunk);
  whole.Stage(*backend_);
  begun.Begin(*backend_, 4);
  Reopen();
  EXPECT_EQ(Staged(whole), whole.whole());
  EXPECT_EQ(Staged(begun), begun.begun());
  EXPECT_EQ(Held(begun), 4u);
  EXPECT_EQ(*backend_->staging().Chunk(begun.digest(), 3), begun.Chunk(3));
  EXPECT_TRUE(absl::IsNotFound(backend_->staging().Chunk(begun.digest(), 4).status()));
  for (uint64_t i = 4; i < 9; ++i) {
    EXPECT_EQ(backend_->staging().PutChunk(begun.digest(), i, begun.Chunk(i)), absl::OkStatus());
    EXPECT_EQ(Held(begun), i + 1);
  }
  EXPECT_EQ(backend_->staging().Seal(begun.whole()), absl::OkStatus());
  CommitNaming({&whole, &begun});
  whole.ExpectContent(*Take());
  begun.ExpectContent(*Take());
  Audit(*backend_, log_.size());
}

TEST_P(Artifacts, APlanThatNamesWhatIsNotWholeChangesNothing) {
  Commit(3);
  const TestArtifact begun(1, 3 * kChunk), whole(2, 2 * kChunk), absent(3, 5);
  begun.Begin(*backend_, 3);
  whole.Stage(*backend_);
  const CommitPlan good = log_.Next(2);
  const std::vector<ArtifactRow> bad = {{begun.digest(), 3 * kChunk, {}},
                                        {absent.digest(), 5, {}},
                                        {whole.digest(), 2 * kChunk - 1, {}}};
  for (const ArtifactRow& named : bad) {
    CommitPlan plan = good;
    plan.artifacts = {{whole.digest(), 2 * kChunk, {}}, named};
    EXPECT_EQ(backend_->Commit(plan).code(), absl::StatusCode::kInvalidArgument);
    EXPECT_FALSE(backend_->poisoned());
    Audit(*backend_, 3);
    whole.ExpectAbsent(*Take());
  }
  EXPECT_EQ(Staged(whole), whole.whole());
  EXPECT_EQ(backend_->Commit(good), absl::OkStatus());
  Audit(*backend_, 5);
}

TEST_P(Artifacts, NamedAgainItStaysAsItIs) {
  Commit(1);
  const TestArtifact artifact(1, kChunk + 7);
  artifact.Stage(*backend_);
  CommitNaming({&artifact});
  CommitNaming({&artifact});
  artifact.ExpectContent(*Take());
  CommitPlan plan = log_.Next(1);
  plan.artifacts = {{artifact.digest(), kChunk, {}}};
  EXPECT_EQ(backend_->Commit(plan).code(), absl::StatusCode::kInvalidArgument);
  artifact.ExpectContent(*Take());
  Audit(*backend_, 3);
}

TEST_P(Artifacts, WhatIsDroppedIsGoneAndMayComeAgain) {
  Commit(1);
  const TestArtifact artifact(1, 3 * kChunk), other(2, 3 * kChunk);
  other.Stage(*backend_);
  for (uint64_t chunks : {0, 2, 3}) {
    artifact.Begin(*backend_, chunks);
    EXPECT_EQ(backend_->staging().Drop(artifact.begun()), absl::OkStatus());
    EXPECT_EQ(Staged(artifact), std::nullopt);
    EXPECT_EQ(Held(artifact), 0u);
  }
  artifact.Stage(*backend_);
  EXPECT_EQ(backend_->staging().Drop(artifact.whole()), absl::OkStatus());
  Reopen();
  EXPECT_EQ(Staged(artifact), std::nullopt);
  EXPECT_EQ(Held(artifact), 0u);
  artifact.Stage(*backend_);
  CommitNaming({&artifact, &other});
  artifact.ExpectContent(*Take());
  other.ExpectContent(*Take());
  Audit(*backend_, log_.size());
}

TEST_P(Artifacts, AreFoundByPrefixBesideOtherContent) {
  Commit(40);
  std::vector<Digest> all;
  for (uint64_t i = 0; i < 40; ++i) all.push_back(Sha256(ContentOf(i)));
  for (uint64_t i = 0; i < 20; ++i) {
    const TestArtifact artifact(i, i);
    artifact.Stage(*backend_);
    CommitNaming({&artifact});
    all.push_back(artifact.digest());
  }
  for (uint64_t i = 40; i < 60; ++i) all.push_back(Sha256(ContentOf(i)));
  std::sort(all.begin(), all.end());
  const auto snapshot = Take();
  EXPECT_EQ(*snapshot->ContentByPrefix("", 100), all);
  for (size_t limit : {1, 7, 79}) {
    EXPECT_EQ(*snapshot->ContentByPrefix("", limit),
              std::vector<Digest>(all.begin(), all.begin() + static_cast<ptrdiff_t>(limit)));
  }
}

// What is content is never written again and never goes.
TEST_P(Artifacts, ContentIsNotStagedAgain) {
  Commit(1);
  const TestArtifact artifact(1, 2 * kChunk);
  artifact.Stage(*backend_);
  CommitNaming({&artifact});
  EXPECT_TRUE(absl::IsAlreadyExists(backend_->staging().Begin(artifact.begun())));
  EXPECT_FALSE(backend_->poisoned());
  EXPECT_EQ(backend_->staging().Drop(artifact.whole()), absl::OkStatus());
  artifact.ExpectContent(*Take());
  EXPECT_EQ(Staged(artifact), std::nullopt);
  Audit(*backend_, log_.size());
}

// The same bytes in one piece and in chunks.
TEST_P(Artifacts, ADigestMayBeBothKindsOfContent) {
  Commit(1);
  const TestArtifact artifact(1, kChunk + 1);
  artifact.Stage(*backend_);
  CommitPlan plan = log_.Next(1);
  plan.content.push_back({artifact.digest(), artifact.bytes()});
  plan.artifacts = {{artifact.digest(), kChunk + 1, {}}};
  ASSERT_EQ(backend_->Commit(plan), absl::OkStatus());
  artifact.ExpectContent(*Take());
  EXPECT_EQ(*Take()->Content(artifact.digest()), artifact.bytes());
}

// After a failed write nothing is staged any more; reopened, what was acknowledged is there.
class FailedStaging : public Artifacts {
 protected:
  void FailOne(Engine::Fault fault, absl::StatusCode code) {
    Commit(20);
    const TestArtifact kept(1, 2 * kChunk), failed(2, 5 * kChunk);
    kept.Stage(*backend_);
    failed.Begin(*backend_, 5);
    engine_->Break(*backend_, fault);
    EXPECT_EQ(backend_->staging().Seal(failed.whole()).code(), code);
    EXPECT_TRUE(backend_->poisoned());
    engine_->Heal();
    Staging& staging = backend_->staging();
    for (const absl::Status& refused :
         {staging.Begin(failed.begun()), staging.PutChunk(failed.digest(), 0, "x"),
          staging.Seal(failed.whole()), staging.Drop(failed.begun()),
          backend_->Commit(log_.Next(1))}) {
      EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition) << refused;
    }
    Reopen();
    EXPECT_FALSE(backend_->poisoned());
    Audit(*backend_, 20);
    kept.ExpectAbsent(*Take());
    failed.ExpectAbsent(*Take());
    EXPECT_EQ(Staged(kept), kept.whole());
    const auto staged = Staged(failed);
    ASSERT_TRUE(staged.has_value());
    EXPECT_EQ(*staged, staged->whole ? failed.whole() : failed.begun());
    if (staged->whole) EXPECT_EQ(Held(failed), 5u);
    failed.Stage(*backend_);
    log_ = TestLog(20);
    CommitNaming({&kept, &failed});
    kept.ExpectContent(*Take());
    failed.ExpectContent(*Take());
    Audit(*backend_, 21);
  }
};

TEST_P(FailedStaging, FullDisk) {
  FailOne(Engine::Fault::kDiskFull, absl::StatusCode::kResourceExhausted);
}

TEST_P(FailedStaging, IoError) { FailOne(Engine::Fault::kIoError, absl::StatusCode::kUnavailable); }

INSTANTIATE_TEST_SUITE_P(Engines, Artifacts, ::testing::ValuesIn(AllEngines()), EngineNameOf);
INSTANTIATE_TEST_SUITE_P(Engines, FailedStaging, ::testing::ValuesIn(AllEngines()), EngineNameOf);

}  // namespace
}  // namespace stele::store::testing
