// ArtifactService over a real port of 127.0.0.1, a real store behind it.
#include <gmock/gmock.h>
#include <grpcpp/client_context.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "core/base/artifact_limits.h"
#include "core/crypto/sha256.h"
#include "stele/v1/artifacts.grpc.pb.h"
#include "stele/v1/records.grpc.pb.h"
#include "tests/server/rpc/wire/rpc_client.h"
#include "tests/support/store/artifacts.h"
#include "tests/support/store/collect_sink.h"

namespace stele::server {
namespace {

using stele::testing::ArtifactBytes;
using stele::testing::ArtifactPublication;
using ::testing::HasSubstr;

constexpr size_t kChunk = limits::kArtifactChunkBytes;

class ArtifactTest : public ::testing::Test {
 protected:
  void SetUp() override {
    channel_ = served_.Connect();
    stub_ = v1::ArtifactService::NewStub(channel_);
  }

  static std::string Bytes(const Digest& digest) { return std::string(digest.bytes()); }
  static void Patience(grpc::ClientContext& context) {
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::minutes(1));
  }
  v1::UploadArtifactRequest StartOf(const std::string& bytes, uint64_t offset = 0) const {
    const store::UploadStart from = testing::StartOf(bytes, served_.log.publisher(), offset);
    v1::UploadArtifactRequest request;
    v1::UploadStart& start = *request.mutable_start();
    start.set_digest(Bytes(from.digest));
    start.set_size(from.size);
    start.set_offset(offset);
    start.set_key_id(from.key_id);
    start.set_envelope(from.envelope);
    return request;
  }
  // Writes these messages, says that there are no more, and gives what the call came to.
  grpc::Status Send(const std::vector<v1::UploadArtifactRequest>& messages,
                    v1::UploadArtifactResponse* response) {
    grpc::ClientContext context;
    Patience(context);
    const auto stream = stub_->UploadArtifact(&context, response);
    for (const v1::UploadArtifactRequest& message : messages) {
      if (!stream->Write(message)) break;
    }
    stream->WritesDone();
    return stream->Finish();
  }
  static v1::UploadArtifactRequest Data(const std::string& bytes) {
    v1::UploadArtifactRequest request;
    request.set_data(bytes);
    return request;
  }
  v1::UploadArtifactResponse Upload(const std::string& bytes, uint64_t offset = 0) {
    std::vector<v1::UploadArtifactRequest> messages = {StartOf(bytes, offset)};
    for (size_t at = offset; at < bytes.size(); at += 100'000) {
      messages.push_back(Data(bytes.substr(at, 100'000)));
    }
    v1::UploadArtifactResponse response;
    const grpc::Status status = Send(messages, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }
  v1::GetArtifactResponse Find(const std::string& bytes) {
    grpc::ClientContext context;
    Patience(context);
    v1::GetArtifactRequest request;
    request.set_digest(Bytes(Sha256(bytes)));
    v1::GetArtifactResponse response;
    if (!stub_->GetArtifact(&context, request, &response).ok()) response.Clear();
    return response;
  }
  void Publish(const std::string& bytes) {
    auto sink = std::make_shared<testing::CollectSink>(served_.log.store().log_verifier());
    served_.log.store().Publish(
        {testing::Sign(ArtifactPublication({bytes}), served_.log.publisher())}, sink);
    const auto outcomes = sink->Wait(1);
    ASSERT_TRUE(outcomes.at(0).result.ok()) << outcomes[0].result.status();
  }
  grpc::Status Download(const std::string& digest, uint64_t offset, std::string* bytes,
                        uint64_t* size) {
    grpc::ClientContext context;
    Patience(context);
    v1::DownloadArtifactRequest request;
    request.set_digest(digest);
    request.set_offset(offset);
    const auto stream = stub_->DownloadArtifact(&context, request);
    v1::DownloadArtifactResponse response;
    bytes->clear();
    for (bool first = true; stream->Read(&response); first = false) {
      if (first) *size = response.size();
      if (!first) EXPECT_EQ(response.size(), 0u);
      EXPECT_LE(response.data().size(), kChunk);
      bytes->append(response.data());
    }
    return stream->Finish();
  }

  ServedLog served_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::ArtifactService::Stub> stub_;
};

TEST_F(ArtifactTest, ThereAndBack) {
  for (size_t size : {size_t{0}, size_t{1}, kChunk, 4 * kChunk + 9}) {
    const std::string bytes = ArtifactBytes(size, size), digest = Bytes(Sha256(bytes));
    EXPECT_EQ(Find(bytes).state(), v1::ARTIFACT_STATE_UNSPECIFIED);
    const v1::UploadArtifactResponse uploaded = Upload(bytes);
    EXPECT_EQ(uploaded.state(), v1::ARTIFACT_STATE_STAGED);
    EXPECT_EQ(uploaded.held_bytes(), size);
    EXPECT_EQ(Find(bytes).state(), v1::ARTIFACT_STATE_STAGED);
    std::string got;
    uint64_t said = 0;
    EXPECT_EQ(Download(digest, 0, &got, &said).error_code(), grpc::NOT_FOUND);
    Publish(bytes);
    EXPECT_EQ(Find(bytes).state(), v1::ARTIFACT_STATE_STORED);
    EXPECT_EQ(Find(bytes).size(), size);
    EXPECT_EQ(Upload(bytes).state(), v1::ARTIFACT_STATE_STORED);
    for (size_t offset : {size_t{0}, size / 3, size}) {
      const grpc::Status status = Download(digest, offset, &got, &said);
      EXPECT_TRUE(status.ok()) << status.error_message();
      EXPECT_EQ(said, size);
      EXPECT_TRUE(got == bytes.substr(offset));
    }
    const grpc::Status beyond = Download(digest, size + 1, &got, &said);
    EXPECT_EQ(beyond.error_code(), grpc::OUT_OF_RANGE);
    EXPECT_EQ(InfoOf(beyond).metadata().at("pointer"), "/offset");
  }
}

TEST_F(ArtifactTest, ACallThatIsCutOffLeavesWholeChunks) {
  const std::string bytes = ArtifactBytes(1, 5 * kChunk);
  {
    grpc::ClientContext context;
    Patience(context);
    v1::UploadArtifactResponse response;
    const auto stream = stub_->UploadArtifact(&context, &response);
    ASSERT_TRUE(stream->Write(StartOf(bytes)));
    ASSERT_TRUE(stream->Write(Data(bytes.substr(0, 2 * kChunk + 5))));
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (Find(bytes).held_bytes() < 2 * kChunk && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::yield();
    }
    context.TryCancel();
    EXPECT_EQ(stream->Finish().error_code(), grpc::CANCELLED);
  }
  EXPECT_EQ(Find(bytes).held_bytes(), 2 * kChunk);
  EXPECT_EQ(Find(bytes).state(), v1::ARTIFACT_STATE_PARTIAL);
  // Its place is free as soon as the server heard of the cut.
  v1::UploadArtifactResponse response;
  grpc::Status status;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  do {
    status = Send({StartOf(bytes, 2 * kChunk)}, &response);
  } while (status.error_code() == grpc::UNAVAILABLE && std::chrono::steady_clock::now() < deadline);
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.state(), v1::ARTIFACT_STATE_PARTIAL);
  EXPECT_EQ(response.held_bytes(), 2 * kChunk);
  EXPECT_EQ(Upload(bytes, 2 * kChunk).state(), v1::ARTIFACT_STATE_STAGED);
}

TEST_F(ArtifactTest, WhatIsNoUpload) {
  const std::string bytes = ArtifactBytes(1, 2 * kChunk);
  v1::UploadArtifactResponse response;
  EXPECT_EQ(Send({}, &response).error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(Send({Data(bytes)}, &response).error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(Send({StartOf(bytes), StartOf(bytes)}, &response).error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(Send({v1::UploadArtifactRequest()}, &response).error_code(), grpc::INVALID_ARGUMENT);
  v1::UploadArtifactRequest start = StartOf(bytes);
  start.mutable_start()->set_digest("short");
  grpc::Status status = Send({start}, &response);
  EXPECT_EQ(status.error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(InfoOf(status).metadata().at("pointer"), "/start/digest");
  status = Send({StartOf(bytes, kChunk)}, &response);
  EXPECT_EQ(status.error_code(), grpc::FAILED_PRECONDITION);
  EXPECT_EQ(InfoOf(status).reason(), "UPLOAD_OFFSET");
  status =
      Send({StartOf(bytes), Data(std::string(limits::kUploadMessageBytes + 1, 'x'))}, &response);
  EXPECT_EQ(InfoOf(status).reason(), "TOO_LARGE");
  EXPECT_EQ(InfoOf(status).metadata().at("limit"), "upload_message_bytes");
  std::string wrong = bytes;
  wrong[0] ^= 1;
  status = Send({StartOf(bytes), Data(wrong)}, &response);
  EXPECT_EQ(status.error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(InfoOf(status).reason(), "CONTENT_MISMATCH");
  EXPECT_EQ(Find(bytes).state(), v1::ARTIFACT_STATE_UNSPECIFIED);
  EXPECT_EQ(Upload(bytes).state(), v1::ARTIFACT_STATE_STAGED);
}

TEST_F(ArtifactTest, OneUploadOfADigestAtATime) {
  const std::string bytes = ArtifactBytes(1, 2 * kChunk);
  grpc::ClientContext context;
  Patience(context);
  v1::UploadArtifactResponse response;
  const auto stream = stub_->UploadArtifact(&context, &response);
  ASSERT_TRUE(stream->Write(StartOf(bytes)));
  ASSERT_TRUE(stream->Write(Data(bytes.substr(0, kChunk))));
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (Find(bytes).held_bytes() < kChunk && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::yield();
  }
  v1::UploadArtifactResponse other;
  const grpc::Status busy = Send({StartOf(bytes, kChunk)}, &other);
  EXPECT_EQ(busy.error_code(), grpc::UNAVAILABLE);
  EXPECT_EQ(InfoOf(busy).reason(), "UPLOAD_BUSY");
  ASSERT_TRUE(stream->Write(Data(bytes.substr(kChunk))));
  stream->WritesDone();
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_EQ(response.state(), v1::ARTIFACT_STATE_STAGED);
}

// Nobody keeps an upload open by saying nothing; what came stays.
TEST_F(ArtifactTest, WhoStandsStillIsEnded) {
  ConfiguredLimits limits;
  limits.upload_idle = std::chrono::milliseconds(300);
  ServedLog served(limits);
  const auto stub = v1::ArtifactService::NewStub(served.Connect());
  const std::string bytes = ArtifactBytes(1, 3 * kChunk);
  v1::UploadArtifactRequest start;
  const store::UploadStart from = testing::StartOf(bytes, served.log.publisher());
  start.mutable_start()->set_digest(Bytes(from.digest));
  start.mutable_start()->set_size(from.size);
  start.mutable_start()->set_key_id(from.key_id);
  start.mutable_start()->set_envelope(from.envelope);
  for (const uint64_t chunks : {0, 1, 2}) {
    grpc::ClientContext context;
    Patience(context);
    v1::UploadArtifactResponse response;
    const auto stream = stub->UploadArtifact(&context, &response);
    start.mutable_start()->set_offset(chunks > 0 ? (chunks - 1) * kChunk : 0);
    ASSERT_TRUE(stream->Write(start));
    // A whole chunk, and a bit that is not kept.
    if (chunks > 0) {
      ASSERT_TRUE(stream->Write(Data(bytes.substr((chunks - 1) * kChunk, kChunk + 100))));
    }
    const grpc::Status ended = stream->Finish();  // and no word that there are no more
    EXPECT_EQ(ended.error_code(), grpc::DEADLINE_EXCEEDED) << ended.error_message();
    EXPECT_THAT(ended.error_message(), HasSubstr("no message came for 300 ms"));
    const auto state = served.log.store().FindArtifact(from.digest);
    ASSERT_TRUE(state.ok()) << state.status();
    EXPECT_EQ(state->held, chunks * kChunk);
    EXPECT_EQ(served.log.store().Stats().uploads, 0u);
  }
  // It goes on from there.
  const auto uploaded = testing::Upload(served.log.store(), bytes, served.log.publisher());
  ASSERT_TRUE(uploaded.ok()) << uploaded.status();
  EXPECT_EQ(uploaded->phase, store::ArtifactState::Phase::kStaged);
}

TEST_F(ArtifactTest, LargeContentIsNotForAMessage) {
  const std::string bytes = ArtifactBytes(1, limits::kWholeContentBytes + 1);
  Upload(bytes);
  Publish(bytes);
  const auto records = v1::RecordService::NewStub(channel_);
  grpc::ClientContext context;
  Patience(context);
  v1::GetContentRequest request;
  request.set_digest(Bytes(Sha256(bytes)));
  v1::GetContentResponse response;
  const grpc::Status status = records->GetContent(&context, request, &response);
  EXPECT_EQ(status.error_code(), grpc::RESOURCE_EXHAUSTED);
  EXPECT_EQ(InfoOf(status).reason(), "TOO_LARGE");
  EXPECT_THAT(status.error_message(), HasSubstr("ArtifactService.DownloadArtifact"));

  grpc::ClientContext fetching;
  Patience(fetching);
  const auto stream = records->FetchContent(&fetching);
  v1::FetchContentRequest fetch;
  fetch.add_digests(request.digest());
  ASSERT_TRUE(stream->Write(fetch));
  v1::FetchContentResponse fetched;
  ASSERT_TRUE(stream->Read(&fetched));
  EXPECT_EQ(InfoOf(fetched.error()).reason(), "TOO_LARGE");
  stream->WritesDone();
  EXPECT_TRUE(stream->Finish().ok());
}

TEST_F(ArtifactTest, ADrainEndsUploadsAndDownloads) {
  const std::string bytes = ArtifactBytes(1, 2 * kChunk), large = ArtifactBytes(2, 64 * kChunk);
  Upload(large);
  Publish(large);
  grpc::ClientContext up_context, down_context;
  Patience(up_context);
  Patience(down_context);
  v1::UploadArtifactResponse response;
  const auto up = stub_->UploadArtifact(&up_context, &response);
  ASSERT_TRUE(up->Write(StartOf(bytes)));
  v1::DownloadArtifactRequest request;
  request.set_digest(Bytes(Sha256(large)));
  const auto down = stub_->DownloadArtifact(&down_context, request);
  v1::DownloadArtifactResponse piece;
  ASSERT_TRUE(down->Read(&piece));
  served_.rpc->BeginDrain();
  while (down->Read(&piece)) {
  }
  EXPECT_EQ(InfoOf(down->Finish()).reason(), "STOPPING");
  up->WritesDone();
  EXPECT_EQ(InfoOf(up->Finish()).reason(), "STOPPING");
  EXPECT_TRUE(served_.rpc->Stop(std::chrono::steady_clock::now() + std::chrono::minutes(1)));
}

}  // namespace
}  // namespace stele::server
