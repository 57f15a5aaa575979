// Artifacts from and to a server that lies: what does not add up is found, what is only lost is
// asked for again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "client/artifacts.h"
#include "core/base/artifact_limits.h"
#include "core/crypto/sha256.h"
#include "core/statement/dsse.h"
#include "tests/client/served_log.h"
#include "tests/support/store/artifacts.h"

namespace stele::client {
namespace {

constexpr size_t kChunk = limits::kArtifactChunkBytes;

class LyingArtifactTest : public ServedLogTest {
 protected:
  // Uploaded and published once for all.
  void SetUp() override {
    ServedLogTest::SetUp();
    const auto state = Upload(bytes_);
    ASSERT_TRUE(state.ok()) << state.status();
    const OutgoingArtifact artifact = Outgoing(bytes_);
    const Answers answers = Publish({{artifact.key, artifact.envelope, {}, {}}});
    ASSERT_TRUE(answers.flushed.ok()) << answers.flushed;
    ASSERT_TRUE(answers.by_tag.at(0)->ok()) << answers.by_tag[0]->status();
  }

  OutgoingArtifact Outgoing(const std::string& bytes) const {
    const PrivateKey& key = *world_->publisher;
    const std::string payload = FormatStatement(testing::ArtifactPublication({bytes}));
    return {Sha256(bytes), bytes.size(), key.public_key().id(),
            FormatEnvelope(payload, key.public_key().id(), *key.Sign(Pae(payload)))};
  }
  absl::StatusOr<RemoteArtifact> Upload(const std::string& bytes) const {
    return UploadArtifact(
        *connection_, Outgoing(bytes),
        [&bytes](uint64_t offset, size_t most) { return bytes.substr(offset, most); }, {});
  }
  absl::Status Download(uint64_t offset = 0) {
    got_.clear();
    const auto take = [this](std::string_view piece) {
      got_.append(piece);
      return absl::OkStatus();
    };
    return DownloadContent(*connection_, Sha256(bytes_), offset, take, {}).status();
  }

  const std::string bytes_ = testing::ArtifactBytes(1, 3 * kChunk + 5);
  std::string got_;
};

TEST_F(LyingArtifactTest, HonestAnswersPass) {
  for (size_t offset : {size_t{0}, size_t{1}, 2 * kChunk, bytes_.size()}) {
    EXPECT_EQ(Download(offset), absl::OkStatus());
    EXPECT_TRUE(got_ == bytes_.substr(offset));
  }
  EXPECT_EQ(FindArtifact(*connection_, Sha256(bytes_))->phase, RemoteArtifact::Phase::kStored);
  EXPECT_TRUE(absl::IsNotFound(FindArtifact(*connection_, Sha256("absent")).status()));
  EXPECT_TRUE(absl::IsOutOfRange(Download(bytes_.size() + 1)));
}

// However often the line breaks, and wherever: every byte once, in order.
TEST_F(LyingArtifactTest, ADownloadThatIsCutGoesOn) {
  int pieces = 0;
  lies().cut_download = [&](const v1::DownloadArtifactResponse&) { return ++pieces % 2 == 0; };
  EXPECT_EQ(Download(), absl::OkStatus());
  EXPECT_TRUE(got_ == bytes_);
  lies().Clear();  // what the lies use goes now
  EXPECT_GT(pieces, 4);
}

TEST_F(LyingArtifactTest, BytesThatDoNotAddUp) {
  lies().downloaded = [](v1::DownloadArtifactResponse& r) { r.mutable_data()->append("x"); };
  EXPECT_TRUE(absl::IsDataLoss(Download()));
  lies().downloaded = [](v1::DownloadArtifactResponse& r) { r.mutable_data()->pop_back(); };
  EXPECT_TRUE(absl::IsDataLoss(Download()));
  lies().downloaded = [](v1::DownloadArtifactResponse& r) { r.clear_data(); };
  EXPECT_TRUE(absl::IsDataLoss(Download()));
  lies().downloaded = [](v1::DownloadArtifactResponse& r) {
    if (r.size() > 0) r.set_size(r.size() + 1);
  };
  EXPECT_TRUE(absl::IsDataLoss(Download()));
  lies().downloaded = [](v1::DownloadArtifactResponse& r) { r.set_size(1); };
  EXPECT_TRUE(absl::IsDataLoss(Download()));
  EXPECT_TRUE(absl::IsDataLoss(Download(2 * kChunk)));
  lies().downloaded = nullptr;
  lies().endless = [] { return true; };
  EXPECT_TRUE(absl::IsDataLoss(Download()));
  lies().downloaded = [](v1::DownloadArtifactResponse& r) { r.clear_data(); };
  EXPECT_TRUE(absl::IsDataLoss(Download()));
}

// Another size in the middle of a download that goes on.
TEST_F(LyingArtifactTest, ASizeThatChanges) {
  int streams = 0, pieces = 0;
  lies().cut_download = [&](const v1::DownloadArtifactResponse&) { return ++pieces == 3; };
  lies().downloaded = [&](v1::DownloadArtifactResponse& r) {
    if (r.size() > 0 && ++streams == 2) r.set_size(r.size() + 7);
  };
  EXPECT_TRUE(absl::IsDataLoss(Download()));
  lies().Clear();  // the server may be sending yet
}

TEST_F(LyingArtifactTest, StatesThatAreNone) {
  lies().artifact = [](v1::GetArtifactResponse& r) { r.set_state(v1::ARTIFACT_STATE_UNSPECIFIED); };
  EXPECT_TRUE(absl::IsDataLoss(FindArtifact(*connection_, Sha256(bytes_)).status()));
  lies().artifact = nullptr;
  const std::string other = testing::ArtifactBytes(2, 2 * kChunk);
  lies().uploaded = [](v1::UploadArtifactResponse& r) { r.set_state(v1::ARTIFACT_STATE_PARTIAL); };
  EXPECT_TRUE(absl::IsDataLoss(Upload(other).status()));
  lies().uploaded = [](v1::UploadArtifactResponse& r) { r.clear_state(); };
  EXPECT_TRUE(absl::IsDataLoss(Upload(other).status()));
  lies().uploaded = nullptr;
  EXPECT_EQ(Upload(other)->phase, RemoteArtifact::Phase::kStaged);
}

}  // namespace
}  // namespace stele::client
