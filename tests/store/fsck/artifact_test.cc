// Damage of artifacts: every chunk that is not as it was is named, and comes back from a source.

#include "core/base/artifact_limits.h"
#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"
#include "store/backend/rocksdb/database.h"
#include "store/codec/keys.h"
#include "store/codec/rows.h"
#include "store/fsck/repair.h"
#include "store/read/content_stream.h"
#include "tests/store/backend/rocksdb/older_store.h"
#include "tests/store/fsck/fixture.h"
#include "tests/support/store/artifacts.h"

namespace stele::store::testing {
namespace {

using ::stele::testing::ArtifactBytes;
using ::stele::testing::ArtifactPublication;
using ::stele::testing::ReadStream;
using ::stele::testing::Sign;

constexpr size_t kChunk = limits::kArtifactChunkBytes;

class ArtifactFsckTest : public FsckTest {
 protected:
  void SetUp() override {
    FsckTest::SetUp();
    Fill(3, 1);
    for (const std::string* bytes : {&large_, &small_}) {
      ASSERT_TRUE(::stele::testing::Upload(*store_, *bytes, operator_).ok());
      ASSERT_TRUE(PublishOne(Sign(ArtifactPublication({*bytes}), operator_)).ok());
    }
    // Half an upload and a whole one that nobody published: no truth, nothing to say about.
    ASSERT_TRUE(::stele::testing::Upload(*store_, ArtifactBytes(9, 10), operator_).ok());
    const std::string half = ArtifactBytes(10, 2 * kChunk);
    auto begun = store_->BeginUpload(::stele::testing::StartOf(half, operator_));
    ASSERT_TRUE(begun.ok());
    ASSERT_EQ(begun->upload->Append(half.substr(0, kChunk)), absl::OkStatus());
    begun->upload.reset();
    Copy();
    ExpectClean(size_);
  }

  std::shared_ptr<Database> OpenDb() {
    Database::Failure failure;
    auto database =
        Database::Open({.dir = db()}, rocksdb::Env::Default(), Database::Mode::kWrite,
                       rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords, failure);
    EXPECT_NE(database, nullptr) << failure.status.ToString();
    return database;
  }
  // Nothing in place of a row takes it away.
  void Put(Family family, const std::string& key, const std::optional<std::string>& value) {
    const auto database = OpenDb();
    auto* handle = database->family(family);
    ASSERT_TRUE((value ? database->db().Put({}, handle, key, *value)
                       : database->db().Delete({}, handle, key))
                    .ok());
    // Out of the write-ahead log, where a batch that is not Stele's would be noticed.
    for (size_t i = 0; i < kFamilyNames.size(); ++i) {
      ASSERT_TRUE(database->db().Flush({}, database->family(static_cast<Family>(i))).ok());
    }
  }
  void PutChunk(uint64_t number, const std::optional<std::string>& bytes) {
    Put(Family::kChunks, ChunkKey(digest_, number), bytes);
  }
  std::string Chunk(uint64_t number) const {
    return large_.substr(number * kChunk, ChunkBytes(large_.size(), number));
  }
  void ExpectOnly(std::string_view kind, const std::string& name) {
    Check();
    EXPECT_TRUE(Found(kind, name)) << AllFound();
    EXPECT_EQ(found_.size(), 1u) << AllFound();
  }

  const std::string large_ = ArtifactBytes(1, 4 * kChunk + 11), small_ = ArtifactBytes(2, 100);
  const Digest digest_ = Sha256(large_);
};

TEST_F(ArtifactFsckTest, EveryChunkFlippedCutOrMissing) {
  for (uint64_t i = 0; i < 5; ++i) {
    const std::string name = Concat(digest_.ToText(), " chunk ", i);
    std::string flipped = Chunk(i);
    flipped[flipped.size() / 2] ^= 4;
    for (const std::optional<std::string>& damage :
         {std::optional(flipped), std::optional(Chunk(i).substr(1)), std::optional(std::string()),
          std::optional(Chunk(i) + "x"), std::optional<std::string>()}) {
      PutChunk(i, damage);
      ExpectOnly("artifact", name);
    }
    PutChunk(i, Chunk(i));
    ExpectClean(size_);
  }
}

TEST_F(ArtifactFsckTest, TwoChunksInEachOthersPlace) {
  PutChunk(0, Chunk(1));
  PutChunk(1, Chunk(0));
  Check();
  EXPECT_TRUE(Found("artifact", Concat(digest_.ToText(), " chunk 0"))) << AllFound();
  EXPECT_TRUE(Found("artifact", Concat(digest_.ToText(), " chunk 1"))) << AllFound();
}

// Chunks and their list agree, and are not the artifact.
TEST_F(ArtifactFsckTest, AListOfOtherChunks) {
  const std::string other = ArtifactBytes(3, large_.size());
  ArtifactRow row{digest_, other.size(), {}};
  for (uint64_t i = 0; i < ChunksOf(other.size()); ++i) {
    const std::string chunk = other.substr(i * kChunk, kChunk);
    row.chunk_digests.append(Sha256(chunk).bytes());
    PutChunk(i, chunk);
  }
  Put(Family::kArtifacts, std::string(digest_.bytes()), EncodeArtifact(row));
  ExpectOnly("artifact", digest_.ToText());
}

TEST_F(ArtifactFsckTest, ARowThatIsMissingOrDamaged) {
  const std::string key(digest_.bytes());
  std::string frame = EncodeArtifact({digest_, large_.size(), [&] {
                                        std::string list;
                                        for (uint64_t i = 0; i < 5; ++i) {
                                          list.append(Sha256(Chunk(i)).bytes());
                                        }
                                        return list;
                                      }()});
  Put(Family::kArtifacts, key, std::nullopt);
  ExpectOnly("content", digest_.ToText());
  frame[frame.size() - 3] ^= 1;
  Put(Family::kArtifacts, key, frame);
  Check();
  EXPECT_TRUE(Found("artifact")) << AllFound();
  EXPECT_TRUE(Found("content", digest_.ToText())) << AllFound();
}

TEST_F(ArtifactFsckTest, OfAnotherSizeThanItsSubjectSays) {
  std::string bytes = ArtifactBytes(4, 50);
  ASSERT_TRUE(::stele::testing::Upload(*store_, bytes, operator_).ok());
  ASSERT_TRUE(PublishOne(Sign(ArtifactPublication({bytes}), operator_)).ok());
  Copy();
  ExpectClean(size_);
  const std::string shorter = bytes.substr(1);
  Put(Family::kArtifacts, std::string(Sha256(bytes).bytes()),
      EncodeArtifact({Sha256(bytes), shorter.size(), std::string(Sha256(shorter).bytes())}));
  Put(Family::kChunks, ChunkKey(Sha256(bytes), 0), shorter);
  Check();
  EXPECT_TRUE(Found("content", Sha256(bytes).ToText())) << AllFound();
  EXPECT_TRUE(Found("artifact", Sha256(bytes).ToText())) << AllFound();
}

// The store that the copy was made of.
class StoreSource final : public RepairSource {
 public:
  explicit StoreSource(const Store& store) : reader_(*store.GetReader()) {}

  absl::StatusOr<std::string> Checkpoint() override { return reader_->head().checkpoint; }
  absl::StatusOr<std::vector<std::string>> Leaves(EntryIndex start, uint64_t count,
                                                  TreeSize) override {
    std::vector<std::string> leaves;
    for (uint64_t i = start.value(); i < start.value() + count; ++i) {
      leaves.push_back(reader_->Entry(EntryIndex{i})->leaf);
    }
    return leaves;
  }
  absl::StatusOr<std::optional<std::string>> Content(const Digest& digest) override {
    const absl::StatusOr<std::string> bytes = reader_->Content(digest);
    return bytes.ok() ? std::optional(*bytes) : std::nullopt;
  }
  // As a source that loses its connection half-way and begins again.
  absl::StatusOr<bool> Artifact(const Digest& digest, ByteSink& sink) override {
    STELE_ASSIGN_OR_RETURN(std::string bytes, ReadStream(*reader_, digest));
    if (flips) bytes[bytes.size() / 2] ^= 1;
    STELE_RETURN_IF_ERROR(sink.Begin());
    STELE_RETURN_IF_ERROR(sink.Take(std::string_view(bytes).substr(0, 3 * bytes.size() / 4)));
    STELE_RETURN_IF_ERROR(sink.Begin());
    for (size_t at = 0; at < bytes.size(); at += 1000) {
      STELE_RETURN_IF_ERROR(sink.Take(std::string_view(bytes).substr(at, 1000)));
    }
    return !cuts;
  }

  bool flips = false, cuts = false;

 private:
  const std::shared_ptr<const Reader> reader_;
};

TEST_F(ArtifactFsckTest, ComesBackFromASource) {
  PutChunk(2, std::nullopt);
  for (int lie = 0; lie < 2; ++lie) {
    StoreSource bad(*store_);
    (lie == 0 ? bad.flips : bad.cuts) = true;
    const auto report = Repair({.fsck = Options()}, bad);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->contents_fetched, 0u);
    ExpectOnly("content", digest_.ToText());  // the rest is sound, and this is missing
  }
  StoreSource source(*store_);
  const auto report = Repair({.fsck = Options()}, source);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->contents_fetched, 1u);
  EXPECT_EQ(report->after.findings, 0u);
  ExpectClean(size_);
  OpenOptions options = ::stele::testing::StoreHome::Options();
  options.dir = dir();
  const auto opened = Store::Open(options);
  ASSERT_TRUE(opened.ok()) << opened.status();
  const auto reader = (*opened)->GetReader();
  EXPECT_TRUE(*ReadStream(**reader, digest_) == large_);
  EXPECT_TRUE(*ReadStream(**reader, Sha256(small_)) == small_);
  EXPECT_EQ(::stele::testing::CheckStore(**opened), absl::OkStatus());
}

// A store of a Stele that knew no artifacts.
class OlderStoreFsckTest : public FsckTest {};

TEST_F(OlderStoreFsckTest, IsCleanAndOpens) {
  Fill(3, 0);
  DropLaterFamilies(db());
  ExpectClean(size_);
  OpenOptions options = ::stele::testing::StoreHome::Options();
  options.dir = dir();
  const auto opened = Store::Open(options);
  ASSERT_TRUE(opened.ok()) << opened.status();
  const std::string bytes = ArtifactBytes(1, kChunk + 1);
  ASSERT_TRUE(::stele::testing::Upload(**opened, bytes, operator_).ok());
  EXPECT_EQ(::stele::testing::CheckStore(**opened), absl::OkStatus());
}

// Read by who serves: damage ends the stream before anything wrong is handed out.
TEST_F(ArtifactFsckTest, IsNeverReadDamaged) {
  std::string flipped = Chunk(2);
  flipped[7] ^= 1;
  PutChunk(2, flipped);
  OpenOptions options = ::stele::testing::StoreHome::Options();
  options.dir = dir();
  const auto opened = Store::Open(options);
  ASSERT_TRUE(opened.ok()) << opened.status();
  const auto reader = *(*opened)->GetReader();
  auto stream = ContentStream::Open(*reader, digest_, 0);
  ASSERT_TRUE(stream.ok()) << stream.status();
  EXPECT_TRUE(*stream->Next(*reader) == Chunk(0));
  EXPECT_TRUE(*stream->Next(*reader) == Chunk(1));
  EXPECT_TRUE(absl::IsDataLoss(stream->Next(*reader).status()));
  auto behind = ContentStream::Open(*reader, digest_, 3 * kChunk + 1);
  ASSERT_TRUE(behind.ok());
  EXPECT_TRUE(*behind->Next(*reader) == Chunk(3).substr(1));
  EXPECT_TRUE(*behind->Next(*reader) == Chunk(4));
  EXPECT_TRUE(behind->Next(*reader)->empty());
  EXPECT_TRUE(absl::IsDataLoss(reader->Content(digest_).status()));
}

}  // namespace
}  // namespace stele::store::testing
