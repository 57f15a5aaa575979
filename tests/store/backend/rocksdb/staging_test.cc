// What a crash leaves of artifacts in a RocksDB folder, and whether dropped ones give back their
// room.

#include "store/backend/rocksdb/inspect.h"
#include "tests/store/backend/rocksdb/older_store.h"
#include "tests/store/backend/rocksdb/stored.h"
#include "tests/store/backend/support/test_artifact.h"

namespace stele::store::testing {
namespace {

constexpr uint64_t kChunk = limits::kArtifactChunkBytes;

class StagingOnDisk : public Stored {
 protected:
  static uint64_t Stat(const Backend& backend, std::string_view name) {
    for (const auto& [known, value] : backend.Stats()) {
      if (known == name) return value;
    }
    return UINT64_MAX;
  }
  static std::optional<StagedArtifact> Staged(Backend& backend, const TestArtifact& artifact) {
    const auto staged = backend.staging().Find(artifact.digest());
    EXPECT_TRUE(staged.ok()) << staged.status();
    return *staged;
  }
};

// The folder copied while it is open is what a kill at that moment leaves.
TEST_F(StagingOnDisk, ACrashAtEveryStepLosesNothingAcknowledged) {
  auto backend = Make({3});
  const TestArtifact artifact(1, 20 * kChunk + 9);
  ASSERT_EQ(backend->staging().Begin(artifact.begun()), absl::OkStatus());
  uint64_t held_before = 0;
  for (uint64_t i = 0; i < artifact.chunks(); ++i) {
    ASSERT_EQ(backend->staging().PutChunk(artifact.digest(), i, artifact.Chunk(i)),
              absl::OkStatus());
    if (i % 5 != 0) continue;
    auto crashed = Open(Crash(), AtLeast(3));
    ASSERT_TRUE(crashed.ok()) << crashed.status();
    EXPECT_EQ(Staged(**crashed, artifact), artifact.begun());
    const auto held = (*crashed)->staging().HeldChunks(artifact.digest(), artifact.chunks());
    ASSERT_TRUE(held.ok()) << held.status();
    EXPECT_LE(*held, i + 1);
    EXPECT_GE(*held, held_before);
    held_before = *held;
    for (uint64_t n = 0; n < *held; ++n) {
      EXPECT_TRUE(*(*crashed)->staging().Chunk(artifact.digest(), n) == artifact.Chunk(n)) << n;
    }
    Audit(**crashed, 3);
    artifact.ExpectAbsent(**(*crashed)->GetSnapshot());
  }
  EXPECT_GT(held_before, 0u);  // one memtable after the other went to the disk
  ASSERT_EQ(backend->staging().Seal(artifact.whole()), absl::OkStatus());
  {
    auto crashed = Open(Crash(), AtLeast(3));
    ASSERT_TRUE(crashed.ok()) << crashed.status();
    EXPECT_EQ(Staged(**crashed, artifact), artifact.whole());
    EXPECT_EQ(*(*crashed)->staging().HeldChunks(artifact.digest(), artifact.chunks()),
              artifact.chunks());
    artifact.ExpectAbsent(**(*crashed)->GetSnapshot());
  }
  CommitPlan plan = log_.Next(2);
  plan.artifacts = {{artifact.digest(), artifact.bytes().size(), {}}};
  ASSERT_EQ(backend->Commit(plan), absl::OkStatus());
  auto crashed = Open(Crash(), AtLeast(5));
  ASSERT_TRUE(crashed.ok()) << crashed.status();
  Audit(**crashed, 5);
  artifact.ExpectContent(**(*crashed)->GetSnapshot());
  EXPECT_EQ(Staged(**crashed, artifact), std::nullopt);
}

// What is staged stands in the write-ahead log between commits and is no hole in their chain.
TEST_F(StagingOnDisk, CommitsAndStagingInOneLogAreReplayed) {
  auto backend = Make({1});
  const TestArtifact first(1, kChunk), second(2, 10), dropped(3, 2 * kChunk);
  Commit(*backend, 2);
  first.Stage(*backend);
  Commit(*backend, 1);
  dropped.Begin(*backend, 1);
  second.Stage(*backend);
  ASSERT_EQ(backend->staging().Drop(dropped.begun()), absl::OkStatus());
  CommitPlan plan = log_.Next(1);
  plan.artifacts = {{first.digest(), kChunk, {}}};
  ASSERT_EQ(backend->Commit(plan), absl::OkStatus());
  auto crashed = Open(Crash(), AtLeast(5));
  ASSERT_TRUE(crashed.ok()) << crashed.status();
  Audit(**crashed, 5);
  first.ExpectContent(**(*crashed)->GetSnapshot());
  EXPECT_EQ(Staged(**crashed, second), second.whole());
  EXPECT_EQ(Staged(**crashed, dropped), std::nullopt);
}

TEST_F(StagingOnDisk, WhatIsDroppedGivesBackItsRoom) {
  auto backend = Make({1});
  const uint64_t before = Stat(*backend, "rocksdb_blob_bytes");
  const TestArtifact artifact(1, 64 * kChunk);
  artifact.Stage(*backend);
  EXPECT_GE(Stat(*backend, "rocksdb_blob_bytes"), before + 64 * kChunk);
  ASSERT_EQ(backend->staging().Drop(artifact.whole()), absl::OkStatus());
  EXPECT_EQ(Stat(*backend, "rocksdb_blob_bytes"), before);
  Audit(*backend, 1);
}

TEST_F(StagingOnDisk, AReaderBesideTheWriterStagesNothing) {
  auto backend = Make({1});
  const TestArtifact artifact(1, 10);
  RocksDbOptions options = Options(dir());
  options.read_only = true;
  auto reader = OpenRocksDb(options, nullptr);
  ASSERT_TRUE(reader.ok()) << reader.status();
  Staging& staging = (*reader)->staging();
  for (const absl::Status& refused :
       {staging.Begin(artifact.begun()), staging.PutChunk(artifact.digest(), 0, "x"),
        staging.Seal(artifact.whole()), staging.Drop(artifact.begun())}) {
    EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition) << refused;
  }
  artifact.Stage(*backend);
  Audit(*backend, 1);
}

// As a Stele left it that knew no artifacts.
TEST_F(StagingOnDisk, AnOlderStoreIsReadAsItIsAndGrowsIntoThis) {
  Make({3}).reset();
  DropLaterFamilies(dir());
  const TestArtifact artifact(1, 2 * kChunk + 1);
  {
    RocksDbOptions options = Options(dir());
    options.read_only = true;
    auto reader = OpenRocksDb(options, AtLeast(3));
    ASSERT_TRUE(reader.ok()) << reader.status();
    Audit(**reader, 3);
    artifact.ExpectAbsent(**(*reader)->GetSnapshot());
    EXPECT_TRUE((*(*reader)->GetSnapshot())->ArtifactChunk(artifact.digest(), 0).status().code() ==
                absl::StatusCode::kNotFound);
    EXPECT_EQ(Staged(**reader, artifact), std::nullopt);
    EXPECT_TRUE((*reader)->staging().List()->empty());
    EXPECT_EQ(*(*reader)->staging().HeldChunks(artifact.digest(), 3), 0u);
  }
  const auto inspected = InspectRocksDb(Options(dir()), nullptr);
  ASSERT_TRUE(inspected.ok()) << inspected.status();
  EXPECT_EQ(inspected->opened, absl::OkStatus());
  EXPECT_TRUE(inspected->files.faults.empty());
  auto backend = Open(dir(), AtLeast(3));
  ASSERT_TRUE(backend.ok()) << backend.status();
  artifact.Stage(**backend);
  CommitPlan plan = log_.Next(1);
  plan.artifacts = {{artifact.digest(), artifact.bytes().size(), {}}};
  ASSERT_EQ((*backend)->Commit(plan), absl::OkStatus());
  artifact.ExpectContent(**(*backend)->GetSnapshot());
  Audit(**backend, 4);
}

}  // namespace
}  // namespace stele::store::testing
