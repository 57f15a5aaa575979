// Artifacts through a whole store: uploaded, published, read, and everything that is refused.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "core/crypto/sha256.h"
#include "tests/support/store/artifacts.h"
#include "tests/support/store/store_test_base.h"

namespace stele::store {
namespace {

using testing::ArtifactBytes;
using testing::ArtifactPublication;
using testing::Engine;
using testing::Grant;
using testing::Revoke;
using testing::Sign;
using testing::SignPublication;
using testing::StartOf;
using testing::StoreHome;
using testing::TestKey;
using testing::TestManifest;
using Phase = ArtifactState::Phase;

constexpr size_t kChunk = limits::kArtifactChunkBytes;

class ArtifactTest : public testing::StoreTestBase, public ::testing::WithParamInterface<Engine> {
 protected:
  ArtifactTest() : StoreTestBase(GetParam()) {}

  void SetUp() override {
    StoreTestBase::SetUp();
    ASSERT_TRUE(
        PublishOne(Sign(Grant(publisher_.public_key(), Role::kPublisher, kNoEvent), operator_))
            .ok());
  }
  // With these admission limits from now on.
  void Reopen(const ArtifactOptions& artifacts, Clock clock = nullptr) {
    OpenOptions options = StoreHome::Options();
    options.artifacts = artifacts;
    options.clock = std::move(clock);
    Close();
    Open(options);
  }
  ArtifactState Upload(const std::string& bytes) {
    const auto state = testing::Upload(*store_, bytes, publisher_);
    EXPECT_TRUE(state.ok()) << state.status();
    return state.ok() ? *state : ArtifactState{};
  }
  absl::StatusOr<Receipt> PublishArtifacts(const std::vector<std::string>& artifacts) {
    return PublishOne(Sign(ArtifactPublication(artifacts), publisher_));
  }
  // Begins, gives these bytes, and goes.
  void UploadPart(const std::string& bytes, size_t begin, size_t end) {
    auto begun = store_->BeginUpload(StartOf(bytes, publisher_, begin));
    ASSERT_TRUE(begun.ok()) << begun.status();
    ASSERT_NE(begun->upload, nullptr);
    EXPECT_EQ(begun->upload->Append(std::string_view(bytes).substr(begin, end - begin)),
              absl::OkStatus());
  }
  absl::Status Refusal(const UploadStart& start) { return store_->BeginUpload(start).status(); }
  uint64_t Held(const std::string& bytes) {
    const auto state = store_->FindArtifact(Sha256(bytes));
    return state.ok() ? state->held : 0;
  }
  void ExpectInvisible(const std::string& bytes) {
    const Digest digest = Sha256(bytes);
    const auto reader = Reader();
    EXPECT_TRUE(absl::IsNotFound(reader->Content(digest).status()));
    EXPECT_TRUE(absl::IsNotFound(reader->Artifact(digest).status()));
    EXPECT_FALSE(*reader->HasContent(digest));
    EXPECT_TRUE(reader->ContentByPrefix(digest.ToHex(), 2)->empty());
    EXPECT_TRUE(absl::IsNotFound(testing::ReadStream(*reader, digest).status()));
  }
  void ExpectStored(const std::string& bytes) {
    const Digest digest = Sha256(bytes);
    const auto reader = Reader();
    EXPECT_EQ(*reader->ContentByPrefix(digest.ToHex(), 2), std::vector<Digest>{digest});
    for (size_t offset : {size_t{0}, bytes.size() / 2, bytes.size()}) {
      const auto read = testing::ReadStream(*reader, digest, offset);
      ASSERT_TRUE(read.ok()) << read.status();
      EXPECT_TRUE(*read == bytes.substr(offset)) << offset;
    }
    const auto state = store_->FindArtifact(digest);
    ASSERT_TRUE(state.ok()) << state.status();
    EXPECT_EQ(state->phase, Phase::kStored);
    EXPECT_EQ(state->size, bytes.size());
  }
  static std::string ReasonAndCode(const absl::Status& status) {
    return absl::StatusCodeToString(status.code()) + " " + ReasonOf(status);
  }
};

TEST_P(ArtifactTest, OfEverySizeIsContentOncePublished) {
  std::vector<std::string> all;
  for (size_t size :
       {size_t{0}, size_t{1}, size_t{600}, kChunk - 1, kChunk, kChunk + 1, 5 * kChunk + 77}) {
    all.push_back(ArtifactBytes(size, size));
  }
  for (const std::string& bytes : all) {
    const ArtifactState state = Upload(bytes);
    EXPECT_EQ(state.phase, Phase::kStaged);
    EXPECT_EQ(state.held, bytes.size());
    ExpectInvisible(bytes);
  }
  EXPECT_EQ(store_->Stats().staged_artifacts, all.size());
  const auto receipt = PublishArtifacts(all);
  ASSERT_TRUE(receipt.ok()) << receipt.status();
  for (const std::string& bytes : all) {
    ExpectStored(bytes);
    EXPECT_EQ(*Reader()->Content(Sha256(bytes)), bytes);
  }
  EXPECT_EQ(store_->Stats().staged_artifacts, 0u);
  EXPECT_EQ(store_->Stats().staged_bytes, 0u);
  Close();
  Open();
  for (const std::string& bytes : all) ExpectStored(bytes);
  // Once more, all of it: the statement is a replay, and there is nothing to upload.
  for (const std::string& bytes : all) EXPECT_EQ(Upload(bytes).phase, Phase::kStored);
  EXPECT_TRUE(PublishArtifacts(all)->replayed);
  EXPECT_EQ(PublishArtifacts(all)->index, receipt->index);
}

TEST_P(ArtifactTest, AboveAMessageItComesInAStreamOnly) {
  const std::string bytes = ArtifactBytes(1, limits::kWholeContentBytes + 1);
  Upload(bytes);
  ASSERT_TRUE(PublishArtifacts({bytes}).ok());
  ExpectStored(bytes);
  const absl::Status whole = Reader()->Content(Sha256(bytes)).status();
  EXPECT_EQ(ReasonAndCode(whole), "RESOURCE_EXHAUSTED TOO_LARGE");
  EXPECT_NE(whole.ToString().find("ArtifactService.DownloadArtifact"), std::string::npos) << whole;
  EXPECT_TRUE(
      absl::IsOutOfRange(testing::ReadStream(*Reader(), Sha256(bytes), bytes.size() + 1).status()));
}

TEST_P(ArtifactTest, APublicationNeedsAllOfItAndItsSize) {
  const std::string whole = ArtifactBytes(1, 2 * kChunk), part = ArtifactBytes(2, 3 * kChunk);
  Upload(whole);
  UploadPart(part, 0, 2 * kChunk);
  const absl::Status missing = PublishArtifacts({whole, part}).status();
  EXPECT_EQ(ReasonAndCode(missing), "INVALID_ARGUMENT MISSING_CONTENT");
  EXPECT_EQ(PointerOf(missing), "/subject/1");
  EXPECT_NE(missing.ToString().find("524288 of 786432"), std::string::npos) << missing;
  Statement other = ArtifactPublication({whole});
  other.subjects[0].size += 1;
  const absl::Status size = PublishOne(Sign(other, publisher_)).status();
  EXPECT_EQ(ReasonAndCode(size), "INVALID_ARGUMENT CONTENT_MISMATCH");
  EXPECT_EQ(PointerOf(size), "/subject/0/annotations/size");
  ExpectInvisible(whole);
  ExpectInvisible(part);
  UploadPart(part, 2 * kChunk, 2 * kChunk);  // nothing more of it
  EXPECT_EQ(Upload(part).phase, Phase::kStaged);
  EXPECT_TRUE(PublishArtifacts({whole, part}).ok());
  ExpectStored(whole);
  ExpectStored(part);
}

TEST_P(ArtifactTest, ABrokenUploadGoesOnWhereItWas) {
  const std::string bytes = ArtifactBytes(1, 6 * kChunk + 5);
  for (size_t chunks : {1, 2, 4}) {
    const size_t held = Held(bytes);
    UploadPart(bytes, held, chunks * kChunk + 1000);
    EXPECT_EQ(Held(bytes), chunks * kChunk);
    ExpectInvisible(bytes);
  }
  Close();
  Open();
  EXPECT_EQ(Held(bytes), 4 * kChunk);
  for (size_t wrong : {size_t{0}, 3 * kChunk, 4 * kChunk + 1, 5 * kChunk}) {
    EXPECT_EQ(ReasonAndCode(Refusal(StartOf(bytes, publisher_, wrong))),
              "FAILED_PRECONDITION UPLOAD_OFFSET");
  }
  EXPECT_EQ(Upload(bytes).phase, Phase::kStaged);
  ASSERT_TRUE(PublishArtifacts({bytes}).ok());
  ExpectStored(bytes);
}

// All chunks came, and the last step did not.
TEST_P(ArtifactTest, WhatIsLeftToVerifyIsVerifiedLater) {
  const std::string bytes = ArtifactBytes(1, 2 * kChunk);
  UploadPart(bytes, 0, bytes.size());
  EXPECT_EQ(store_->FindArtifact(Sha256(bytes))->phase, Phase::kPartial);
  EXPECT_EQ(Held(bytes), bytes.size());
  EXPECT_EQ(Upload(bytes).phase, Phase::kStaged);
  ASSERT_TRUE(PublishArtifacts({bytes}).ok());
  ExpectStored(bytes);
}

TEST_P(ArtifactTest, OtherBytesAreDropped) {
  const std::string bytes = ArtifactBytes(1, 3 * kChunk);
  std::string wrong = bytes;
  wrong[kChunk + 3] ^= 1;
  for (const std::string& sent : {wrong, wrong.substr(0, kChunk) + wrong.substr(0, 2 * kChunk)}) {
    auto begun = store_->BeginUpload(StartOf(bytes, publisher_));
    ASSERT_TRUE(begun.ok()) << begun.status();
    EXPECT_EQ(begun->upload->Append(sent), absl::OkStatus());
    EXPECT_EQ(ReasonAndCode(begun->upload->Finish().status()), "INVALID_ARGUMENT CONTENT_MISMATCH");
    begun->upload.reset();
    EXPECT_EQ(Held(bytes), 0u);
    EXPECT_TRUE(absl::IsNotFound(store_->FindArtifact(Sha256(bytes)).status()));
    EXPECT_EQ(store_->Stats().staged_bytes, 0u);
  }
  auto begun = store_->BeginUpload(StartOf(bytes, publisher_));
  ASSERT_TRUE(begun.ok());
  EXPECT_EQ(ReasonAndCode(begun->upload->Append(bytes + "x")), "INVALID_ARGUMENT CONTENT_MISMATCH");
  begun->upload.reset();
  ExpectInvisible(bytes);
  EXPECT_EQ(Upload(bytes).phase, Phase::kStaged);
}

TEST_P(ArtifactTest, OnlyWhoMayPublishItUploadsIt) {
  const std::string bytes = ArtifactBytes(1, kChunk), other = ArtifactBytes(2, kChunk);
  const PrivateKey attester = TestKey("attester"), stranger = TestKey("stranger");
  ASSERT_TRUE(
      PublishOne(Sign(Grant(attester.public_key(), Role::kAttester, kNoEvent), operator_)).ok());
  EXPECT_EQ(ReasonAndCode(Refusal(StartOf(bytes, stranger))), "NOT_FOUND UNKNOWN_KEY");
  EXPECT_EQ(ReasonAndCode(Refusal(StartOf(bytes, attester))), "PERMISSION_DENIED ROLE");

  UploadStart start = StartOf(bytes, publisher_);
  start.key_id = std::string(operator_.public_key().id().bytes());
  EXPECT_EQ(ReasonAndCode(Refusal(start)), "INVALID_ARGUMENT BAD_SIGNATURE");
  start.key_id = "short";
  EXPECT_EQ(ReasonAndCode(Refusal(start)), "INVALID_ARGUMENT WRONG_VALUE");
  start = StartOf(bytes, publisher_);
  start.envelope = "{}";
  EXPECT_EQ(Refusal(start).code(), absl::StatusCode::kInvalidArgument);
  start = StartOf(other, publisher_);
  start.digest = Sha256(bytes);
  EXPECT_EQ(ReasonAndCode(Refusal(start)), "INVALID_ARGUMENT UNKNOWN_SUBJECT");
  start = StartOf(bytes, publisher_);
  start.size += 1;
  EXPECT_EQ(ReasonAndCode(Refusal(start)), "INVALID_ARGUMENT CONTENT_MISMATCH");
  // A statement of another kind, about the very same digest.
  start = StartOf(bytes, publisher_);
  start.envelope = SignPublication(TestManifest(1), publisher_).envelope;
  EXPECT_EQ(ReasonAndCode(Refusal(start)), "INVALID_ARGUMENT UNKNOWN_SUBJECT");

  ASSERT_TRUE(
      PublishOne(Sign(Revoke(publisher_.public_key().id(), EventIndex{1}, {}), operator_)).ok());
  EXPECT_EQ(ReasonAndCode(Refusal(StartOf(bytes, publisher_))), "PERMISSION_DENIED ROLE");
  EXPECT_EQ(store_->Stats().staged_artifacts, 0u);
  ASSERT_TRUE(testing::Upload(*store_, bytes, operator_).ok());
}

TEST_P(ArtifactTest, LimitsHoldAndAreGivenBack) {
  Reopen({.artifact_bytes = 4 * kChunk,
          .staged_bytes = 6 * kChunk,
          .staged_artifacts = 3,
          .uploads = 2});
  const std::string large = ArtifactBytes(1, 4 * kChunk + 1), first = ArtifactBytes(2, 4 * kChunk),
                    second = ArtifactBytes(3, 2 * kChunk), third = ArtifactBytes(4, 1),
                    fourth = ArtifactBytes(5, 0), fifth = ArtifactBytes(6, 2);
  EXPECT_EQ(ReasonAndCode(Refusal(StartOf(large, publisher_))), "RESOURCE_EXHAUSTED TOO_LARGE");
  Upload(first);
  {
    auto one = store_->BeginUpload(StartOf(second, publisher_));
    ASSERT_TRUE(one.ok()) << one.status();
    EXPECT_EQ(ReasonAndCode(Refusal(StartOf(third, publisher_))), "RESOURCE_EXHAUSTED STAGE_FULL");
    EXPECT_EQ(ReasonAndCode(Refusal(StartOf(second, publisher_))), "UNAVAILABLE UPLOAD_BUSY");
    auto two = store_->BeginUpload(StartOf(fourth, publisher_));
    ASSERT_TRUE(two.ok()) << two.status();
    EXPECT_EQ(store_->Stats().uploads, 2u);
  }
  EXPECT_EQ(store_->Stats().uploads, 0u);
  EXPECT_EQ(ReasonAndCode(Refusal(StartOf(third, publisher_))), "RESOURCE_EXHAUSTED STAGE_FULL");
  ASSERT_TRUE(PublishArtifacts({first}).ok());
  {
    auto one = store_->BeginUpload(StartOf(second, publisher_));
    auto two = store_->BeginUpload(StartOf(third, publisher_));
    ASSERT_TRUE(one.ok() && two.ok()) << one.status() << two.status();
    EXPECT_EQ(ReasonAndCode(Refusal(StartOf(fourth, publisher_))),
              "RESOURCE_EXHAUSTED UPLOAD_BUSY");
  }
  Upload(second);
  Upload(third);
  Upload(fourth);
  EXPECT_EQ(store_->Stats().staged_artifacts, 3u);
  EXPECT_EQ(store_->Stats().staged_bytes, 2 * kChunk + 1);
  EXPECT_EQ(ReasonAndCode(Refusal(StartOf(fifth, publisher_))), "RESOURCE_EXHAUSTED STAGE_FULL");
  ASSERT_TRUE(PublishArtifacts({second, third, fourth}).ok());
  EXPECT_EQ(store_->Stats().staged_artifacts, 0u);
  for (const std::string& bytes : {first, second, third, fourth}) ExpectStored(bytes);
}

TEST_P(ArtifactTest, AnotherSizeBeginsAnew) {
  const std::string bytes = ArtifactBytes(1, 2 * kChunk), longer = bytes + "longer";
  UploadStart wrong = StartOf(longer, publisher_);
  Statement statement = ArtifactPublication({longer});
  statement.subjects[0].digest = wrong.digest = Sha256(bytes);
  wrong.envelope = Sign(statement, publisher_).envelope;
  {
    auto begun = store_->BeginUpload(wrong);
    ASSERT_TRUE(begun.ok()) << begun.status();
    EXPECT_EQ(begun->upload->Append(bytes), absl::OkStatus());
  }
  EXPECT_EQ(store_->Stats().staged_bytes, longer.size());
  {
    auto begun = store_->BeginUpload(StartOf(bytes, publisher_));
    ASSERT_TRUE(begun.ok()) << begun.status();
    EXPECT_EQ(begun->upload->Append(bytes), absl::OkStatus());
    ASSERT_TRUE(begun->upload->Finish().ok());
  }
  EXPECT_EQ(store_->Stats().staged_bytes, bytes.size());
  EXPECT_EQ(ReasonAndCode(Refusal(wrong)), "INVALID_ARGUMENT CONTENT_MISMATCH");
  ASSERT_TRUE(PublishArtifacts({bytes}).ok());
  EXPECT_EQ(ReasonAndCode(Refusal(wrong)), "INVALID_ARGUMENT CONTENT_MISMATCH");
  ExpectStored(bytes);
}

TEST_P(ArtifactTest, WhatNobodyPublishesIsDroppedAfterATime) {
  const auto now = std::make_shared<std::atomic<int64_t>>(SystemClock()().value());
  const Clock clock = [now] { return TimeMs{now->load()}; };
  const ArtifactOptions options{.staged_time = std::chrono::minutes(60),
                                .sweep_every = std::chrono::milliseconds(10)};
  const std::string whole = ArtifactBytes(1, 2 * kChunk), part = ArtifactBytes(2, 2 * kChunk),
                    running = ArtifactBytes(3, 2 * kChunk);
  Reopen(options, clock);
  Upload(whole);
  UploadPart(part, 0, kChunk);
  auto begun = store_->BeginUpload(StartOf(running, publisher_));
  ASSERT_TRUE(begun.ok());
  EXPECT_EQ(begun->upload->Append(running), absl::OkStatus());
  *now += 59 * 60'000;
  UploadPart(part, kChunk, kChunk);  // touched again
  *now += 2 * 60'000;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (store_->Stats().staged_artifacts > 2 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::yield();
  }
  EXPECT_TRUE(absl::IsNotFound(store_->FindArtifact(Sha256(whole)).status()));
  EXPECT_EQ(Held(part), kChunk);
  EXPECT_EQ(begun->upload->Finish()->phase, Phase::kStaged);  // under way it stays
  begun->upload.reset();
  EXPECT_EQ(ReasonOf(PublishArtifacts({whole}).status()), reason::kMissingContent);
  *now += 90 * 60'000;
  Reopen(options, clock);  // at the start too
  EXPECT_EQ(store_->Stats().staged_artifacts, 0u);
  EXPECT_TRUE(absl::IsNotFound(store_->FindArtifact(Sha256(running)).status()));
  Close();
  Open();
}

// One goes through, the other is told to wait, and then finds it whole.
TEST_P(ArtifactTest, TwoWhoBringTheSameAtOnce) {
  const std::string bytes = ArtifactBytes(1, 8 * kChunk);
  std::atomic<int> waited{0};
  auto bring = [&](const PrivateKey& key) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (std::chrono::steady_clock::now() < deadline) {
      const auto state = testing::Upload(*store_, bytes, key, 1000);
      if (state.ok() && state->phase != Phase::kPartial) {
        const auto receipt = PublishOne(Sign(ArtifactPublication({bytes}), key));
        EXPECT_TRUE(receipt.ok()) << receipt.status();
        return;
      }
      // Busy, or the other one moved on between the question and the upload.
      EXPECT_TRUE(ReasonOf(state.status()) == reason::kUploadBusy ||
                  ReasonOf(state.status()) == reason::kUploadOffset)
          << state.status();
      ++waited;
      std::this_thread::yield();
    }
    ADD_FAILURE() << "not in a minute";
  };
  std::thread first([&] { bring(publisher_); }), second([&] { bring(operator_); });
  first.join();
  second.join();
  ExpectStored(bytes);
  EXPECT_EQ(store_->Stats().staged_artifacts, 0u);
  EXPECT_EQ(TreeSizeNow(), 4u);
}

// The bytes of a record as an artifact, and of an artifact as a record.
TEST_P(ArtifactTest, OneDigestMayBeBoth) {
  const std::string first = TestManifest(1), second = TestManifest(2);
  ASSERT_TRUE(PublishOne(SignPublication(first, publisher_)).ok());
  EXPECT_EQ(Upload(first).phase, Phase::kStored);
  ASSERT_TRUE(PublishArtifacts({first}).ok());
  Upload(second);
  ASSERT_TRUE(PublishArtifacts({second}).ok());
  ASSERT_TRUE(PublishOne(SignPublication(second, publisher_)).ok());
  for (const std::string& bytes : {first, second}) {
    EXPECT_EQ(*Reader()->Content(Sha256(bytes)), bytes);
    ExpectStored(bytes);
  }
}

TEST_P(ArtifactTest, ManyPublicationsOfStagedArtifactsInOneBatch) {
  std::vector<PublishItem> items;
  std::vector<std::string> all;
  for (uint64_t i = 0; i < 20; ++i) {
    all.push_back(ArtifactBytes(i, 1000 * i));
    Upload(all.back());
    items.push_back(Sign(ArtifactPublication({all.back()}), publisher_, 2 * i));
    items.push_back(Sign(ArtifactPublication({all.back(), all.front()}), operator_, 2 * i + 1));
  }
  items.erase(items.begin() + 1);  // the same subject twice is no statement
  for (const auto& [tag, result] : Publish(std::move(items))) {
    EXPECT_TRUE(result.ok()) << tag << ": " << result.status();
  }
  for (const std::string& bytes : all) ExpectStored(bytes);
  EXPECT_EQ(store_->Stats().staged_artifacts, 0u);
}

TEST_P(ArtifactTest, AFullDiskStopsUploads) {
  const std::string bytes = ArtifactBytes(1, 2 * kChunk);
  auto begun = store_->BeginUpload(StartOf(bytes, publisher_));
  ASSERT_TRUE(begun.ok());
  begun->upload.reset();
  OpenOptions options = StoreHome::Options();
  options.disk_reserve_bytes = UINT64_MAX;
  Close();
  Open(options);
  if (GetParam() == Engine::kMemory) home_.memory()->SetFreeBytes(1);
  EXPECT_EQ(ReasonAndCode(Refusal(StartOf(bytes, publisher_))), "RESOURCE_EXHAUSTED DISK_FULL");
  Close();
  Open();
  EXPECT_EQ(Upload(bytes).phase, Phase::kStaged);
}

INSTANTIATE_TEST_SUITE_P(Engines, ArtifactTest,
                         ::testing::Values(Engine::kMemory, Engine::kRocksDb),
                         [](const auto& info) { return std::string(EngineName(info.param)); });

}  // namespace
}  // namespace stele::store
