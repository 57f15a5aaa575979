#include "tests/store/backend/support/test_artifact.h"

#include <gtest/gtest.h>

#include <random>

#include "core/crypto/sha256.h"

namespace stele::store::testing {

TestArtifact::TestArtifact(uint64_t number, uint64_t size) {
  std::mt19937_64 random(number);
  bytes_.reserve(size + 8);
  while (bytes_.size() < size) {
    const uint64_t word = random();
    bytes_.append(reinterpret_cast<const char*>(&word), sizeof(word));
  }
  bytes_.resize(size);
  whole_ = {.digest = Sha256(bytes_),
            .size = size,
            .touched = TimeMs(1000 + static_cast<int64_t>(number)),
            .whole = true,
            .chunk_digests = {}};
  for (uint64_t i = 0; i < chunks(); ++i) {
    whole_.chunk_digests.append(Sha256(Chunk(i)).bytes());
  }
}

StagedArtifact TestArtifact::begun() const {
  StagedArtifact staged = whole_;
  staged.whole = false;
  staged.chunk_digests.clear();
  return staged;
}

std::string TestArtifact::Chunk(uint64_t number) const {
  return bytes_.substr(number * limits::kArtifactChunkBytes, ChunkBytes(whole_.size, number));
}

void TestArtifact::Begin(Backend& backend, uint64_t chunks) const {
  EXPECT_EQ(backend.staging().Begin(begun()), absl::OkStatus());
  for (uint64_t i = 0; i < chunks; ++i) {
    EXPECT_EQ(backend.staging().PutChunk(digest(), i, Chunk(i)), absl::OkStatus());
  }
}

void TestArtifact::Stage(Backend& backend) const {
  Begin(backend, chunks());
  EXPECT_EQ(backend.staging().Seal(whole_), absl::OkStatus());
}

void TestArtifact::ExpectContent(const Snapshot& snapshot) const {
  const auto row = snapshot.Artifact(digest());
  ASSERT_TRUE(row.ok()) << row.status();
  EXPECT_EQ(*row, this->row());
  for (uint64_t i = 0; i < chunks(); ++i) {
    const auto chunk = snapshot.ArtifactChunk(digest(), i);
    ASSERT_TRUE(chunk.ok()) << chunk.status();
    EXPECT_TRUE(*chunk == Chunk(i)) << i;
  }
  EXPECT_TRUE(absl::IsNotFound(snapshot.ArtifactChunk(digest(), chunks()).status()));
  EXPECT_EQ(*snapshot.HasContent(digest()), true);
  EXPECT_EQ(*snapshot.ContentByPrefix(digest().ToHex(), 2), std::vector<Digest>{digest()});
}

void TestArtifact::ExpectAbsent(const Snapshot& snapshot) const {
  EXPECT_TRUE(absl::IsNotFound(snapshot.Artifact(digest()).status()));
  EXPECT_EQ(*snapshot.HasContent(digest()), false);
  EXPECT_TRUE(snapshot.ContentByPrefix(digest().ToHex(), 2)->empty());
  uint64_t artifacts = 0;
  EXPECT_EQ(snapshot.VisitRows(RowKind::kArtifact,
                               [&](absl::StatusOr<AnyRow> row) {
                                 artifacts +=
                                     !row.ok() || std::get<ArtifactRow>(*row).digest == digest();
                                 return true;
                               }),
            absl::OkStatus());
  EXPECT_EQ(artifacts, 0u);
}

}  // namespace stele::store::testing
