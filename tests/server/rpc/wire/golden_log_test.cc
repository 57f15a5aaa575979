// The golden log through a running server: its statements over gRPC, in its order and at its times,
// become its leaves. Up to the entry whose envelope is withheld by the end and not carried.
#include "tests/support/golden_log.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <gtest/gtest.h>

#include <atomic>

#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"
#include "core/merkle/frontier.h"
#include "core/statement/dsse.h"
#include "store/log/commit.h"
#include "tests/server/rpc/wire/publish_client.h"
#include "tests/server/rpc/wire/rpc_client.h"
#include "tests/support/replay/golden_said.h"
#include "tests/support/store/check_store.h"

namespace stele::server {
namespace {

constexpr size_t kEntries = 56;  // entry 56 is the one that is withheld

using testing::GoldenLog;

// The first entry as the golden log has it, and the artifacts that publications name: bytes come to
// a store before they are published.
absl::Status Begin(const GoldenLog& log, const ReadEntry& genesis,
                   const std::vector<ReadEntry>& entries, const PrivateKey& log_key,
                   store::Backend& backend) {
  store::AdmittedStatement admitted;
  admitted.statement = genesis.said.statement;
  admitted.signer = genesis.said.signer;
  admitted.payload_digest = genesis.said.payload;
  admitted.payload = genesis.payload;
  admitted.envelope = FormatEnvelope(genesis.payload, genesis.said.signer, genesis.signature);
  for (size_t i = 0; i < kEntries; ++i) {
    for (const Subject& subject : entries[i].said.statement.subjects) {
      if (subject.kind != Subject::Kind::kArtifact) continue;
      admitted.content.push_back({subject.digest, *log.Content(subject.digest.ToHex())});
    }
  }
  STELE_ASSIGN_OR_RETURN(store::PlannedBatch planned,
                         store::PlanBatch(store::EmptyLog(log.origin), {&admitted},
                                          {store::StatementFacts()}, genesis.said.logged));
  STELE_ASSIGN_OR_RETURN(const auto signer, store::LogSigner::Make(log.origin, {log_key}));
  return store::SignAndCommit(backend, signer, planned);
}

class GoldenLogTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const PrivateKey log_key = testing::TestKey("log key 1");
    auto backend = std::make_shared<store::MemoryBackend>();
    ASSERT_EQ(Begin(log_, entries_[0], entries_, log_key, *backend), absl::OkStatus());
    store::OpenOptions options;
    options.clock = [this] { return TimeMs{now_.load()}; };
    options.accept_clock = true;
    now_ = entries_[0].said.logged.value();
    auto store = store::Store::OverBackend(backend, log_key, options);
    ASSERT_TRUE(store.ok()) << store.status();
    store_ = *std::move(store);
    RpcOptions rpc;
    rpc.address = {"127.0.0.1", 0};
    auto server = RpcServer::Start(rpc, *store_, calls_);
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }
  void TearDown() override {
    if (store_ != nullptr) EXPECT_EQ(testing::CheckStore(*store_), absl::OkStatus());
  }

  v1::PublishRequest RequestOf(size_t i) const {
    const ReadEntry& entry = entries_[i];
    v1::PublishRequest request;
    v1::StatementItem& item = *request.add_items();
    item.set_tag(i);
    item.set_key_id(std::string(entry.said.signer.bytes()));
    item.set_envelope(FormatEnvelope(entry.payload, entry.said.signer, entry.signature));
    for (const Subject& subject : entry.said.statement.subjects) {
      if (subject.manifest) item.add_manifests(*log_.Content(subject.manifest->ToHex()));
    }
    return request;
  }

  const GoldenLog log_ = testing::LoadGoldenLog("log");
  const std::vector<ReadEntry> entries_ = testing::ReadGoldenEntries(log_);
  std::atomic<int64_t> now_{0};
  CallCounts calls_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<RpcServer> server_;
};

TEST_F(GoldenLogTest, TheSameLeavesOverGrpc) {
  ASSERT_EQ(log_.entries[kEntries].verdict, "withheld");
  ClientStream client(
      grpc::CreateChannel(server_->address().ToText(), grpc::InsecureChannelCredentials()));
  Frontier expected;
  expected.Append(LeafHash(log_.entries[0].leaf));
  for (size_t i = 1; i < kEntries; ++i) {
    SCOPED_TRACE(i);
    now_ = entries_[i].said.logged.value();
    ASSERT_TRUE(client.stream->Write(RequestOf(i)));
    v1::PublishResponse response;
    ASSERT_TRUE(client.stream->Read(&response));
    ASSERT_EQ(response.results_size(), 1);
    const v1::PublishResult& result = response.results(0);
    ASSERT_TRUE(result.has_receipt()) << result.error().message();
    EXPECT_EQ(result.receipt().index(), i);
    EXPECT_EQ(result.receipt().leaf(), log_.entries[i].leaf);
    EXPECT_EQ(VerifyResult(response, result, store_->log_verifier()), absl::OkStatus());
    expected.Append(LeafHash(log_.entries[i].leaf));
  }
  client.stream->WritesDone();
  EXPECT_TRUE(client.stream->Finish().ok());
  EXPECT_EQ((*store_->GetReader())->head().root, expected.Root());
}

}  // namespace
}  // namespace stele::server
