// What RecordService answers about a record's entries, over a real port and a real store.
#include <grpcpp/client_context.h>
#include <gtest/gtest.h>

#include <chrono>

#include "core/base/serving_limits.h"
#include "core/merkle/hash.h"
#include "core/record/manifest.h"
#include "core/tlog/checkpoint.h"
#include "stele/v1/records.grpc.pb.h"
#include "tests/server/rpc/wire/rpc_client.h"
#include "tests/support/store/collect_sink.h"

namespace stele::server {
namespace {

// One record, published by the publisher with `kTitles` manifests one after the other; then a
// second record.
constexpr int kTitles = 5;

class HistoryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (int n = 0; n < kTitles; ++n) {
      manifests_.push_back(*ParseManifest(testing::TestManifest(0, "title " + std::to_string(n))));
      Publish(testing::SignPublication(manifests_.back().canonical, served_.log.publisher()));
    }
    other_ = *ParseManifest(testing::TestManifest(1));
    Publish(testing::SignPublication(other_.canonical, served_.log.publisher()));
    channel_ = served_.Connect();
    stub_ = v1::RecordService::NewStub(channel_);
  }
  void Publish(store::PublishItem item) {
    auto sink = std::make_shared<testing::CollectSink>(served_.log.store().log_verifier());
    served_.log.store().Publish({std::move(item)}, sink);
    ASSERT_TRUE(sink->Wait(1)[0].result.ok());
  }
  grpc::Status List(const Digest& record, int page_size, const std::string& token,
                    v1::ListRecordEntriesResponse& page) {
    v1::ListRecordEntriesRequest request;
    request.set_record(std::string(record.bytes()));
    request.set_page_size(page_size);
    request.set_page_token(token);
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
    return stub_->ListRecordEntries(&context, request, &page);
  }
  grpc::Status Cite(const std::string& record, v1::GetCitationResponse& response) {
    v1::GetCitationRequest request;
    request.set_record(record);
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
    return stub_->GetCitation(&context, request, &response);
  }
  std::vector<uint64_t> Indexes(const v1::GetCitationResponse& response) {
    return {response.indexes().begin(), response.indexes().end()};
  }

  ServedLog served_;
  std::vector<Manifest> manifests_;
  Manifest other_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::RecordService::Stub> stub_;
};

TEST_F(HistoryTest, EntriesByPages) {
  const Digest record = manifests_[0].record;
  std::vector<uint64_t> indexes;
  std::string token;
  do {
    v1::ListRecordEntriesResponse page;
    ASSERT_TRUE(List(record, 2, token, page).ok());
    EXPECT_LE(page.entries_size(), 2);
    EXPECT_EQ(page.tree_size(), kTitles + 3u);
    for (const v1::RecordEntry& entry : page.entries()) {
      indexes.push_back(entry.index());
      EXPECT_EQ(entry.type(), "publication");
      EXPECT_EQ(entry.signer(), std::string(served_.log.publisher().public_key().id().bytes()));
      EXPECT_EQ(entry.authority(), 1);
      EXPECT_FALSE(entry.disputed());
    }
    token = page.next_page_token();
  } while (!token.empty());
  EXPECT_EQ(indexes, (std::vector<uint64_t>{2, 3, 4, 5, 6}));
  v1::ListRecordEntriesResponse all;
  ASSERT_TRUE(List(record, 0, "", all).ok());
  EXPECT_EQ(all.entries_size(), kTitles);
  EXPECT_TRUE(all.next_page_token().empty());
}

TEST_F(HistoryTest, WhatCannotBeListed) {
  v1::ListRecordEntriesResponse page;
  const Digest record = manifests_[0].record;
  EXPECT_EQ(List(manifests_[0].manifest, 0, "", page).error_code(), grpc::NOT_FOUND);
  EXPECT_EQ(List(record, -1, "", page).error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(List(record, limits::kRecordEntries + 1, "", page).error_code(),
            grpc::INVALID_ARGUMENT);
  for (const char* token : {"x", "3 ", "03", "-1", "99999999999999999999"}) {
    const grpc::Status status = List(record, 0, token, page);
    EXPECT_EQ(status.error_code(), grpc::INVALID_ARGUMENT) << token;
    EXPECT_EQ(InfoOf(status).metadata().at("pointer"), "/page_token");
  }
}

TEST_F(HistoryTest, ACitation) {
  v1::GetCitationResponse cited;
  ASSERT_TRUE(Cite(std::string(manifests_[0].record.bytes()), cited).ok());
  EXPECT_EQ(Indexes(cited), (std::vector<uint64_t>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(cited.identity(), manifests_[0].identity);
  EXPECT_EQ(cited.manifest(), manifests_.back().canonical);
  EXPECT_EQ(cited.owner(), std::string(served_.log.publisher().public_key().id().bytes()));
  EXPECT_EQ(cited.tree().tree_size(), kTitles + 3u);
  EXPECT_EQ(cited.tree().to_head_size(), 0);
  auto head = OpenCheckpoint(cited.tree().checkpoint(), {served_.log.store().log_verifier()});
  ASSERT_TRUE(head.ok());
  EXPECT_EQ(std::string(head->checkpoint.root.bytes()), cited.tree().root());

  ASSERT_TRUE(Cite(std::string(other_.record.bytes()), cited).ok());
  EXPECT_EQ(Indexes(cited), (std::vector<uint64_t>{0, 1, 7}));
  EXPECT_EQ(Cite(std::string(32, 'x'), cited).error_code(), grpc::NOT_FOUND);
  EXPECT_EQ(Cite("short", cited).error_code(), grpc::INVALID_ARGUMENT);
}

// What was said with a stolen key is shown, with the revocation that disputes it.
TEST_F(HistoryTest, ACitationOfWhatIsDisputed) {
  Publish(testing::Sign(
      testing::Revoke(served_.log.publisher().public_key().id(), EventIndex(1), EntryIndex(4)),
      served_.log.operator_key()));
  const std::string record(manifests_[0].record.bytes());
  v1::GetCitationResponse cited;
  ASSERT_TRUE(Cite(record, cited).ok());
  EXPECT_EQ(Indexes(cited), (std::vector<uint64_t>{0, 1, 2, 3, 4, 5, 6, 8}));
  EXPECT_EQ(cited.manifest(), manifests_[1].canonical) << "the latest that counts";
  ASSERT_TRUE(Cite(std::string(other_.record.bytes()), cited).ok());
  EXPECT_EQ(Indexes(cited), (std::vector<uint64_t>{0, 1, 7, 8}));
  EXPECT_EQ(cited.owner(), "");
  EXPECT_EQ(cited.manifest(), other_.canonical);
}

}  // namespace
}  // namespace stele::server
