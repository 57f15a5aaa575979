// The reading services over a real port of 127.0.0.1, a real store behind it.
#include <gmock/gmock.h>
#include <grpcpp/client_context.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/merkle/hash.h"
#include "core/record/manifest.h"
#include "stele/v1/log.grpc.pb.h"
#include "stele/v1/records.grpc.pb.h"
#include "stele/v1/server.grpc.pb.h"
#include "tests/server/rpc/wire/rpc_client.h"
#include "tests/support/store/collect_sink.h"

namespace stele::server {
namespace {

using stele::testing::TestManifest;
using ::testing::HasSubstr;

constexpr int kRecords = 40;

class ReadTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto sink = std::make_shared<testing::CollectSink>(served_.log.store().log_verifier());
    for (size_t n = 0; n < kRecords; ++n) {  // one by one: record n is entry n + 2
      manifests_.push_back(TestManifest(static_cast<int>(n), "title"));
      parsed_.push_back(*ParseManifest(manifests_.back()));
      served_.log.store().Publish(
          {testing::SignPublication(manifests_.back(), served_.log.publisher())}, sink);
      ASSERT_TRUE(sink->Wait(n + 1).back().result.ok());
    }
    channel_ = served_.Connect();
    records_ = v1::RecordService::NewStub(channel_);
    log_ = v1::LogService::NewStub(channel_);
  }

  static std::string Bytes(const Digest& digest) { return std::string(digest.bytes()); }
  std::string PublisherId() const { return Bytes(served_.log.publisher().public_key().id()); }

  // One unary call of `stub`.
  template <class Stub, class Request, class Response>
  grpc::Status Call(Stub& stub,
                    grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                    const Request& request, Response& response) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
    return (stub.*method)(&context, request, &response);
  }

  ServedLog served_;
  std::vector<std::string> manifests_;
  std::vector<Manifest> parsed_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::RecordService::Stub> records_;
  std::unique_ptr<v1::LogService::Stub> log_;
};

TEST_F(ReadTest, ContentByDigest) {
  v1::GetContentRequest request;
  v1::GetContentResponse response;
  request.set_digest(Bytes(parsed_[3].record));
  ASSERT_TRUE(Call(*records_, &v1::RecordService::Stub::GetContent, request, response).ok());
  EXPECT_EQ(response.content(), parsed_[3].identity);
  request.set_digest(Bytes(parsed_[3].manifest));
  ASSERT_TRUE(Call(*records_, &v1::RecordService::Stub::GetContent, request, response).ok());
  EXPECT_EQ(response.content(), parsed_[3].canonical);

  request.set_digest(std::string(32, 'x'));
  grpc::Status status = Call(*records_, &v1::RecordService::Stub::GetContent, request, response);
  EXPECT_EQ(status.error_code(), grpc::NOT_FOUND);
  EXPECT_EQ(InfoOf(status).reason(), "NOT_FOUND");
  EXPECT_THAT(status.error_message(), HasSubstr("sha256:7878"));
  request.set_digest("short");
  status = Call(*records_, &v1::RecordService::Stub::GetContent, request, response);
  EXPECT_EQ(status.error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(InfoOf(status).metadata().at("pointer"), "/digest");
}

TEST_F(ReadTest, FetchAnswersEachInOrder) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
  auto stream = records_->FetchContent(&context);
  v1::FetchContentRequest request;
  for (const Manifest& manifest : parsed_) {
    request.add_digests(Bytes(manifest.record));
    request.add_digests(std::string(32, 'x'));
  }
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(stream->Write(request));
    v1::FetchContentResponse response;
    for (int i = 0; i < request.digests_size(); ++i) {
      ASSERT_TRUE(stream->Read(&response));
      EXPECT_EQ(response.digest(), request.digests(i));
      if (i % 2 == 0) {
        EXPECT_EQ(response.content(), parsed_[static_cast<size_t>(i / 2)].identity);
      } else {
        EXPECT_EQ(InfoOf(response.error()).reason(), "NOT_FOUND");
        EXPECT_EQ(response.error().details_size(), 1);
      }
    }
  }
  stream->WritesDone();
  EXPECT_TRUE(stream->Finish().ok());
}

TEST_F(ReadTest, FetchLimits) {
  const struct {
    int count;
    std::string digest;
    grpc::StatusCode code;
    std::string key, value;
  } kCases[] = {{1025, std::string(32, 'x'), grpc::RESOURCE_EXHAUSTED, "limit", "fetch_digests"},
                {3, "short", grpc::INVALID_ARGUMENT, "pointer", "/digests/0"}};
  for (const auto& c : kCases) {
    grpc::ClientContext context;
    auto stream = records_->FetchContent(&context);
    v1::FetchContentRequest request;
    for (int i = 0; i < c.count; ++i) request.add_digests(c.digest);
    stream->Write(request);
    v1::FetchContentResponse response;
    EXPECT_FALSE(stream->Read(&response));
    const grpc::Status status = stream->Finish();
    EXPECT_EQ(status.error_code(), c.code);
    EXPECT_EQ(InfoOf(status).metadata().at(c.key), c.value);
  }
}

// Damaged bytes are said to be damaged, for that digest alone.
TEST_F(ReadTest, AReadErrorIsTheAnswersOwn) {
  served_.log.backend().SetReadError(absl::UnavailableError("the disk does not answer"));
  grpc::ClientContext context;
  auto stream = records_->FetchContent(&context);
  v1::FetchContentRequest request;
  request.add_digests(Bytes(parsed_[0].record));
  stream->Write(request);
  v1::FetchContentResponse response;
  ASSERT_TRUE(stream->Read(&response));
  EXPECT_EQ(response.error().code(), grpc::UNAVAILABLE);
  served_.log.backend().SetReadError(absl::OkStatus());
  stream->Write(request);
  ASSERT_TRUE(stream->Read(&response));
  EXPECT_EQ(response.content(), parsed_[0].identity);
  stream->WritesDone();
  EXPECT_TRUE(stream->Finish().ok());
}

TEST_F(ReadTest, Prefixes) {
  v1::ResolvePrefixRequest request;
  v1::ResolvePrefixResponse response;
  auto resolve = [&](const std::string& prefix) {
    request.set_hex_prefix(prefix);
    return Call(*records_, &v1::RecordService::Stub::ResolvePrefix, request, response);
  };
  const std::string hex = parsed_[5].record.ToHex();
  for (size_t digits : {8, 9, 63, 64}) {
    ASSERT_TRUE(resolve(hex.substr(0, digits)).ok()) << digits;
    ASSERT_EQ(response.digests_size(), 1);
    EXPECT_EQ(response.digests(0), Bytes(parsed_[5].record));
    EXPECT_FALSE(response.truncated());
  }
  grpc::Status status = resolve(hex.substr(0, 7));
  EXPECT_EQ(status.error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(InfoOf(status).metadata().at("limit"), "digest_prefix_hex");
  EXPECT_EQ(resolve("ABCDEF0123").error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(resolve(hex + "0").error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(resolve("0000000000").error_code(), grpc::NOT_FOUND);
}

TEST_F(ReadTest, CheckPublications) {
  v1::CheckPublicationsRequest request;
  auto add = [&](const Digest& record, const Digest& manifest, const std::string& signer) {
    auto* item = request.add_items();
    item->set_record(Bytes(record));
    item->set_manifest(Bytes(manifest));
    item->set_signer(signer);
  };
  add(parsed_[0].record, parsed_[0].manifest, PublisherId());
  add(parsed_[0].record, parsed_[1].manifest, PublisherId());
  add(parsed_[0].record, parsed_[0].manifest, std::string(32, 'k'));
  add(parsed_[0].manifest, parsed_[0].manifest, PublisherId());
  add(parsed_[7].record, parsed_[7].manifest, PublisherId());
  v1::CheckPublicationsResponse response;
  ASSERT_TRUE(Call(*records_, &v1::RecordService::Stub::CheckPublications, request, response).ok());
  ASSERT_EQ(response.items_size(), 5);
  EXPECT_TRUE(response.items(0).published());
  EXPECT_EQ(response.items(0).index(), 2u);
  EXPECT_FALSE(response.items(1).published());
  EXPECT_FALSE(response.items(2).published());
  EXPECT_FALSE(response.items(3).published());
  EXPECT_TRUE(response.items(4).published());
  EXPECT_EQ(response.items(4).index(), 9u);

  request.mutable_items(2)->set_signer("x");
  grpc::Status status =
      Call(*records_, &v1::RecordService::Stub::CheckPublications, request, response);
  EXPECT_EQ(InfoOf(status).metadata().at("pointer"), "/items/2/signer");
  while (request.items_size() <= static_cast<int>(limits::kExistsItems)) {
    *request.add_items() = request.items(0);
  }
  status = Call(*records_, &v1::RecordService::Stub::CheckPublications, request, response);
  EXPECT_EQ(status.error_code(), grpc::RESOURCE_EXHAUSTED);
  EXPECT_EQ(InfoOf(status).metadata().at("limit"), "exists_items");
}

TEST_F(ReadTest, RecordWithItsPublications) {
  v1::GetRecordRequest request;
  v1::GetRecordResponse response;
  request.set_record(Bytes(parsed_[1].record));
  ASSERT_TRUE(Call(*records_, &v1::RecordService::Stub::GetRecord, request, response).ok());
  ASSERT_EQ(response.publications_size(), 1);
  EXPECT_EQ(response.publications(0).index(), 3u);
  EXPECT_EQ(response.publications(0).manifest(), Bytes(parsed_[1].manifest));
  EXPECT_EQ(response.publications(0).signer(), PublisherId());
  EXPECT_FALSE(response.publications(0).disputed());
  EXPECT_EQ(response.owner(), PublisherId());
  EXPECT_EQ(response.tree_size(), kRecords + 2u);
  request.set_record(Bytes(parsed_[1].manifest));
  EXPECT_EQ(Call(*records_, &v1::RecordService::Stub::GetRecord, request, response).error_code(),
            grpc::NOT_FOUND);
}

TEST_F(ReadTest, ADisputedPublicationOwnsNothing) {
  auto sink = std::make_shared<testing::CollectSink>(served_.log.store().log_verifier());
  const auto& publisher = served_.log.publisher().public_key();
  served_.log.store().Publish(
      {testing::Sign(testing::Revoke(publisher.id(), EventIndex(1), EntryIndex(3)),
                     served_.log.operator_key())},
      sink);
  ASSERT_TRUE(sink->Wait(1)[0].result.ok());
  v1::GetRecordRequest request;
  v1::GetRecordResponse before, after;
  request.set_record(Bytes(parsed_[0].record));
  ASSERT_TRUE(Call(*records_, &v1::RecordService::Stub::GetRecord, request, before).ok());
  EXPECT_EQ(before.owner(), PublisherId());
  request.set_record(Bytes(parsed_[1].record));
  ASSERT_TRUE(Call(*records_, &v1::RecordService::Stub::GetRecord, request, after).ok());
  EXPECT_TRUE(after.publications(0).disputed());
  EXPECT_EQ(after.owner(), "");
}

TEST_F(ReadTest, HeadAndEntriesWithProofs) {
  v1::GetHeadResponse head;
  ASSERT_TRUE(Call(*log_, &v1::LogService::Stub::GetHead, v1::GetHeadRequest(), head).ok());
  EXPECT_EQ(head.tree_size(), kRecords + 2u);
  EXPECT_EQ(head.root().size(), 32u);
  for (uint64_t index : {0, 1, 20, kRecords + 1}) {
    v1::GetEntryRequest request;
    v1::GetEntryResponse entry;
    request.set_index(index);
    ASSERT_TRUE(Call(*log_, &v1::LogService::Stub::GetEntry, request, entry).ok());
    const std::vector<std::string> hashes(entry.proof().begin(), entry.proof().end());
    const absl::Status verified = testing::VerifyReceipt(
        {.index = EntryIndex(index), .leaf = entry.leaf(), .proof = *ProofFromBytes(hashes)},
        entry.checkpoint(), served_.log.store().log_verifier());
    EXPECT_TRUE(verified.ok()) << verified;
  }
  v1::GetEntryRequest beyond;
  v1::GetEntryResponse none;
  beyond.set_index(kRecords + 2);
  EXPECT_EQ(Call(*log_, &v1::LogService::Stub::GetEntry, beyond, none).error_code(),
            grpc::NOT_FOUND);
}

TEST_F(ReadTest, ListEntries) {
  auto list = [&](uint64_t start, uint64_t limit, std::vector<std::string>& leaves) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
    v1::ListEntriesRequest request;
    request.set_start(start);
    request.set_limit(limit);
    auto stream = log_->ListEntries(&context, request);
    v1::ListEntriesResponse page;
    bool first = true;
    while (stream->Read(&page)) {
      EXPECT_EQ(page.checkpoint().empty(), !first);
      EXPECT_EQ(page.start(), start + leaves.size());
      leaves.insert(leaves.end(), page.leaves().begin(), page.leaves().end());
      first = false;
    }
    return stream->Finish();
  };
  std::vector<std::string> all, some, none, beyond;
  EXPECT_TRUE(list(0, 0, all).ok());
  ASSERT_EQ(all.size(), kRecords + 2u);
  EXPECT_EQ(LeafHash(all[0]), served_.log.store().genesis_leaf_hash());
  EXPECT_TRUE(list(5, 7, some).ok());
  EXPECT_EQ(some, std::vector<std::string>(all.begin() + 5, all.begin() + 12));
  EXPECT_TRUE(list(kRecords + 2, 0, none).ok());
  EXPECT_TRUE(none.empty());
  const grpc::Status status = list(kRecords + 3, 0, beyond);
  EXPECT_EQ(status.error_code(), grpc::OUT_OF_RANGE);
  EXPECT_EQ(InfoOf(status).metadata().at("pointer"), "/start");
  std::vector<std::string> most;
  EXPECT_TRUE(list(40, UINT64_MAX, most).ok());
  EXPECT_EQ(most.size(), 2u);
}

TEST_F(ReadTest, KeysByPages) {
  v1::ListKeysRequest request;
  request.set_page_size(1);
  std::vector<v1::Key> keys;
  do {
    v1::ListKeysResponse page;
    ASSERT_TRUE(Call(*log_, &v1::LogService::Stub::ListKeys, request, page).ok());
    ASSERT_EQ(page.keys_size(), 1);
    keys.push_back(page.keys(0));
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty());
  ASSERT_EQ(keys.size(), 2u);
  EXPECT_LT(keys[0].key_id(), keys[1].key_id());
  const v1::Key& publisher = keys[keys[1].key_id() == PublisherId() ? 1 : 0];
  EXPECT_EQ(publisher.key_id(), PublisherId());
  EXPECT_EQ(publisher.role(), v1::KEY_ROLE_PUBLISHER);
  EXPECT_EQ(publisher.latest_event(), 1);
  EXPECT_EQ(publisher.spki(), served_.log.publisher().public_key().spki());
  EXPECT_EQ(publisher.name(), "a test key");

  v1::ListKeysResponse page;
  request.set_page_token("not a token");
  EXPECT_EQ(Call(*log_, &v1::LogService::Stub::ListKeys, request, page).error_code(),
            grpc::INVALID_ARGUMENT);
  request.clear_page_token();
  request.set_page_size(1025);
  EXPECT_EQ(Call(*log_, &v1::LogService::Stub::ListKeys, request, page).error_code(),
            grpc::INVALID_ARGUMENT);
}

TEST_F(ReadTest, LatestEvents) {
  const auto ask = [&](const std::string& subject, v1::GetLatestEventsResponse& answer) {
    v1::GetLatestEventsRequest request;
    request.set_subject(subject);
    return Call(*log_, &v1::LogService::Stub::GetLatestEvents, request, answer);
  };
  v1::GetLatestEventsResponse answer;
  ASSERT_TRUE(ask(PublisherId(), answer).ok());
  EXPECT_EQ(answer.key(), 1);
  EXPECT_EQ(answer.policy(), -1);
  EXPECT_EQ(answer.withholding(), -1);
  EXPECT_EQ(answer.tree_size(), served_.log.size());
  ASSERT_TRUE(ask(std::string(32, 'x'), answer).ok());
  EXPECT_EQ(answer.key(), -1);
  const grpc::Status refused = ask("short", answer);
  EXPECT_EQ(refused.error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(InfoOf(refused).metadata().at("pointer"), "/subject");
}

TEST_F(ReadTest, ServerInfo) {
  auto stub = v1::ServerService::NewStub(channel_);
  v1::GetServerInfoResponse info;
  ASSERT_TRUE(
      Call(*stub, &v1::ServerService::Stub::GetServerInfo, v1::GetServerInfoRequest(), info).ok());
  EXPECT_EQ(info.version(), "1.2.3");
  EXPECT_EQ(info.origin(), testing::kOrigin);
  EXPECT_EQ(info.log_vkey(), served_.log.store().log_verifier().ToVkey());
  EXPECT_EQ(info.genesis_leaf_hash(), Bytes(served_.log.store().genesis_leaf_hash()));
  EXPECT_EQ(info.limits().at("request_items"), limits::kRequestItems);
  EXPECT_TRUE(info.accepts_statements());
  EXPECT_EQ(info.limits().at("guest_statements_per_day"), limits::kGuestStatementsPerDay);
  EXPECT_THAT(info.admitted_types(),
              ::testing::UnorderedElementsAre(
                  "urn:stele:predicate:key-grant:v1", "urn:stele:predicate:key-revoke:v1",
                  "urn:stele:predicate:log-key:v1", "urn:stele:predicate:policy:v1",
                  "urn:stele:predicate:key-introduction:v1", "urn:stele:predicate:publication:v1",
                  "urn:stele:predicate:verification:v1", "urn:stele:predicate:reproduction:v1",
                  "urn:stele:predicate:note:v1", "urn:stele:predicate:retraction:v1",
                  "urn:stele:predicate:withholding:v1", "*"));
}

// grpc.health.v1: HealthCheckResponse{status: SERVING = 1, NOT_SERVING = 2}.
TEST_F(ReadTest, HealthFollowsTheWriteState) {
  auto check = [&](const std::string& service) {
    const std::string request =
        service.empty() ? "" : std::string("\x0a") + static_cast<char>(service.size()) + service;
    return RawUnary(*channel_, "/grpc.health.v1.Health/Check", request);
  };
  const std::string serving("\x08\x01"), not_serving("\x08\x02");
  EXPECT_EQ(check(""), serving);
  EXPECT_EQ(check("stele.v1.PublishService"), serving);
  EXPECT_EQ(check("stele.v1.LogService"), serving);
  ASSERT_TRUE(served_.log.store().Drain(std::chrono::minutes(1)).ok());
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (check("") == serving && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(check(""), not_serving);
  EXPECT_EQ(check("stele.v1.PublishService"), not_serving);
  EXPECT_EQ(check("stele.v1.RecordService"), serving);
  served_.rpc->BeginDrain();
  EXPECT_EQ(check("stele.v1.RecordService"), not_serving);
}

// ServerReflectionRequest{list_services: ""}.
TEST_F(ReadTest, ReflectionNamesTheServices) {
  const std::string services =
      RawStream(*channel_, "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
                std::string("\x3a\x00", 2));
  for (const char* name :
       {"stele.v1.PublishService", "stele.v1.RecordService", "stele.v1.LogService",
        "stele.v1.ServerService", "grpc.health.v1.Health"}) {
    EXPECT_THAT(services, HasSubstr(name));
  }
}

TEST_F(ReadTest, ABusyPortIsAnError) {
  RpcOptions options;
  options.address = served_.rpc->address();
  auto second = RpcServer::Start(options, served_.log.store(), served_.calls);
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(std::string(second.status().message()),
              HasSubstr("(--listen): Address already in use"));
}

TEST_F(ReadTest, CallsAreCounted) {
  v1::GetHeadResponse head;
  ASSERT_TRUE(Call(*log_, &v1::LogService::Stub::GetHead, v1::GetHeadRequest(), head).ok());
  v1::GetEntryRequest request;
  v1::GetEntryResponse entry;
  request.set_index(1'000'000);
  EXPECT_FALSE(Call(*log_, &v1::LogService::Stub::GetEntry, request, entry).ok());
  EXPECT_EQ(served_.calls.Get(Method::kGetHead, absl::StatusCode::kOk), 1u);
  EXPECT_EQ(served_.calls.Get(Method::kGetEntry, absl::StatusCode::kNotFound), 1u);
}

}  // namespace
}  // namespace stele::server
