// ProofService over a real port of 127.0.0.1: whatever it answers verifies against the checkpoint
// in the same answer.
#include "core/merkle/proof.h"

#include <gmock/gmock.h>
#include <grpcpp/client_context.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "core/base/serving_limits.h"
#include "core/merkle/hash.h"
#include "core/tlog/checkpoint.h"
#include "stele/v1/proofs.grpc.pb.h"
#include "tests/server/rpc/wire/rpc_client.h"
#include "tests/support/store/collect_sink.h"

namespace stele::server {
namespace {

constexpr int kRecords = 40;
constexpr uint64_t kSize = kRecords + 2;

using Hashes = google::protobuf::RepeatedPtrField<std::string>;

Proof ToProof(const Hashes& hashes) {
  return *ProofFromBytes(std::vector<std::string>(hashes.begin(), hashes.end()));
}
Hash ToHash(const std::string& bytes) { return *Hash::FromBytes(bytes); }

class ProofTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (int n = 0; n < kRecords; ++n) Publish(n);
    channel_ = served_.Connect();
    stub_ = v1::ProofService::NewStub(channel_);
  }

  // One record, one entry, one commit.
  void Publish(int n) {
    auto sink = std::make_shared<testing::CollectSink>(served_.log.store().log_verifier());
    served_.log.store().Publish(
        {testing::SignPublication(testing::TestManifest(n), served_.log.publisher())}, sink);
    ASSERT_TRUE(sink->Wait(1)[0].result.ok());
  }

  template <class Request, class Response>
  grpc::Status Call(grpc::Status (v1::ProofService::Stub::*method)(grpc::ClientContext*,
                                                                   const Request&, Response*),
                    const Request& request, Response& response) {
    grpc::ClientContext context;
    Limit(context);
    return (*stub_.*method)(&context, request, &response);
  }
  static void Limit(grpc::ClientContext& context) {
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
  }
  grpc::Status Inclusion(uint64_t index, uint64_t size, v1::GetInclusionProofResponse& response) {
    v1::GetInclusionProofRequest request;
    request.set_index(index);
    request.set_tree_size(size);
    return Call(&v1::ProofService::Stub::GetInclusionProof, request, response);
  }
  grpc::Status Consistency(uint64_t from, uint64_t to, v1::GetConsistencyProofResponse& response) {
    v1::GetConsistencyProofRequest request;
    request.set_from_size(from);
    request.set_to_size(to);
    return Call(&v1::ProofService::Stub::GetConsistencyProof, request, response);
  }
  grpc::Status Entries(const std::vector<uint64_t>& indexes, uint64_t size,
                       std::vector<v1::ProvenEntry>& entries, v1::ProvenTree& tree) {
    grpc::ClientContext context;
    Limit(context);
    v1::GetProvenEntriesRequest request;
    request.mutable_indexes()->Add(indexes.begin(), indexes.end());
    request.set_tree_size(size);
    auto stream = stub_->GetProvenEntries(&context, request);
    v1::GetProvenEntriesResponse page;
    for (bool first = true; stream->Read(&page); first = false) {
      EXPECT_EQ(page.has_tree(), first);
      if (first) tree = page.tree();
      entries.insert(entries.end(), page.entries().begin(), page.entries().end());
    }
    return stream->Finish();
  }

  Checkpoint Open(const std::string& note) {
    auto opened = OpenCheckpoint(note, {served_.log.store().log_verifier()});
    EXPECT_TRUE(opened.ok()) << opened.status();
    return opened.ok() ? opened->checkpoint : Checkpoint();
  }
  // The tree of an answer hangs on the checkpoint that came with it.
  void CheckTree(const v1::ProvenTree& tree, uint64_t size) {
    const Checkpoint head = Open(tree.checkpoint());
    EXPECT_EQ(tree.tree_size(), size);
    EXPECT_EQ(VerifyConsistency(TreeSize(size), head.size, ToHash(tree.root()), head.root,
                                ToProof(tree.to_head())),
              absl::OkStatus());
  }

  ServedLog served_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::ProofService::Stub> stub_;
};

TEST_F(ProofTest, EveryEntryInEveryTree) {
  v1::GetInclusionProofResponse response;
  for (uint64_t size = 1; size <= kSize; ++size) {
    for (uint64_t index = 0; index < size; ++index) {
      ASSERT_TRUE(Inclusion(index, size, response).ok()) << index << " in " << size;
      CheckTree(response.tree(), size);
      ASSERT_EQ(VerifyInclusion(EntryIndex(index), TreeSize(size), ToHash(response.leaf_hash()),
                                ToProof(response.proof()), ToHash(response.tree().root())),
                absl::OkStatus());
    }
  }
  ASSERT_TRUE(Inclusion(3, 0, response).ok());
  CheckTree(response.tree(), kSize);
}

TEST_F(ProofTest, InclusionThatIsNot) {
  v1::GetInclusionProofResponse response;
  EXPECT_EQ(Inclusion(kSize, 0, response).error_code(), grpc::NOT_FOUND);
  const grpc::Status status = Inclusion(7, 7, response);
  EXPECT_EQ(status.error_code(), grpc::NOT_FOUND);
  EXPECT_EQ(InfoOf(status).metadata().at("pointer"), "/index");
  EXPECT_EQ(Inclusion(7, kSize + 1, response).error_code(), grpc::OUT_OF_RANGE);
}

TEST_F(ProofTest, EveryTreeInEveryTree) {
  v1::GetConsistencyProofResponse response;
  for (uint64_t to = 1; to <= kSize; ++to) {
    for (uint64_t from = 1; from <= to; ++from) {
      ASSERT_TRUE(Consistency(from, to, response).ok()) << from << " to " << to;
      CheckTree(response.tree(), to);
      ASSERT_EQ(VerifyConsistency(TreeSize(from), TreeSize(to), ToHash(response.from_root()),
                                  ToHash(response.tree().root()), ToProof(response.proof())),
                absl::OkStatus());
    }
  }
}

TEST_F(ProofTest, ConsistencyThatIsNot) {
  v1::GetConsistencyProofResponse response;
  for (uint64_t to : {uint64_t{0}, uint64_t{1}, kSize}) {
    const grpc::Status status = Consistency(0, to, response);
    EXPECT_EQ(status.error_code(), grpc::INVALID_ARGUMENT);
    EXPECT_EQ(InfoOf(status).reason(), "PROOF_INDEX");
    EXPECT_EQ(InfoOf(status).metadata().at("pointer"), "/from_size");
  }
  EXPECT_EQ(Consistency(9, 8, response).error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(Consistency(kSize + 1, 0, response).error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(Consistency(5, kSize + 1, response).error_code(), grpc::OUT_OF_RANGE);
}

TEST_F(ProofTest, Tiles) {
  auto get = [&](const std::vector<std::array<uint64_t, 3>>& names, v1::GetTilesResponse& tiles) {
    v1::GetTilesRequest request;
    for (const auto& [level, number, width] : names) {
      v1::TileName* name = request.add_tiles();
      name->set_level(static_cast<uint32_t>(level));
      name->set_number(number);
      name->set_width(static_cast<uint32_t>(width));
    }
    return Call(&v1::ProofService::Stub::GetTiles, request, tiles);
  };
  v1::GetTilesResponse tiles;
  ASSERT_TRUE(get({{0, 0, kSize}, {0, 0, 5}}, tiles).ok());
  ASSERT_EQ(tiles.tiles_size(), 2);
  EXPECT_EQ(tiles.tiles(0).size(), kSize * 32);
  EXPECT_EQ(tiles.tiles(1), tiles.tiles(0).substr(0, 5 * 32));
  EXPECT_EQ(Open(tiles.checkpoint()).size.value(), kSize);
  v1::GetInclusionProofResponse entry;
  ASSERT_TRUE(Inclusion(4, 0, entry).ok());
  EXPECT_EQ(tiles.tiles(0).substr(4 * 32, 32), entry.leaf_hash());

  grpc::Status status = get({{0, 0, 1}, {0, 0, kSize + 1}}, tiles);
  EXPECT_EQ(status.error_code(), grpc::NOT_FOUND);
  EXPECT_EQ(InfoOf(status).metadata().at("pointer"), "/tiles/1");
  EXPECT_EQ(get({{0, 0, 0}}, tiles).error_code(), grpc::NOT_FOUND);  // 0 is the full width
  EXPECT_EQ(get({{1, 0, 1}}, tiles).error_code(), grpc::NOT_FOUND);
  EXPECT_EQ(get({{8, 0, 1}}, tiles).error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(get({{0, 0, 257}}, tiles).error_code(), grpc::INVALID_ARGUMENT);
  status = get(std::vector<std::array<uint64_t, 3>>(limits::kRequestTiles + 1, {0, 0, 1}), tiles);
  EXPECT_EQ(status.error_code(), grpc::RESOURCE_EXHAUSTED);
  EXPECT_EQ(InfoOf(status).metadata().at("limit"), "request_tiles");
}

TEST_F(ProofTest, ProvenEntries) {
  std::vector<uint64_t> indexes = {5, 0, kSize - 1, 5};
  std::vector<v1::ProvenEntry> entries;
  v1::ProvenTree tree;
  for (uint64_t size : {uint64_t{0}, kSize}) {
    entries.clear();
    ASSERT_TRUE(Entries(indexes, size, entries, tree).ok());
    CheckTree(tree, kSize);
    ASSERT_EQ(entries.size(), indexes.size());
    for (size_t i = 0; i < entries.size(); ++i) {
      EXPECT_EQ(entries[i].index(), indexes[i]);
      EXPECT_FALSE(entries[i].has_detached());
      EXPECT_EQ(
          VerifyInclusion(EntryIndex(indexes[i]), TreeSize(kSize), LeafHash(entries[i].leaf()),
                          ToProof(entries[i].proof()), ToHash(tree.root())),
          absl::OkStatus());
    }
  }
  // In a smaller tree, and by more than a page.
  indexes.assign(limits::kProvenEntries, 9);
  entries.clear();
  ASSERT_TRUE(Entries(indexes, 10, entries, tree).ok());
  CheckTree(tree, 10);
  ASSERT_EQ(entries.size(), limits::kProvenEntries);
  EXPECT_EQ(VerifyInclusion(EntryIndex(9), TreeSize(10), LeafHash(entries.back().leaf()),
                            ToProof(entries.back().proof()), ToHash(tree.root())),
            absl::OkStatus());
  // Nothing asked: the tree alone.
  entries.clear();
  EXPECT_TRUE(Entries({}, 0, entries, tree).ok());
  CheckTree(tree, kSize);
}

TEST_F(ProofTest, ProvenEntriesThatAreNot) {
  std::vector<v1::ProvenEntry> entries;
  v1::ProvenTree tree;
  grpc::Status status = Entries({1, 10}, 10, entries, tree);
  EXPECT_EQ(status.error_code(), grpc::NOT_FOUND);
  EXPECT_EQ(InfoOf(status).metadata().at("pointer"), "/indexes/1");
  EXPECT_EQ(Entries({1}, kSize + 1, entries, tree).error_code(), grpc::OUT_OF_RANGE);
  status = Entries(std::vector<uint64_t>(limits::kProvenEntries + 1, 1), 0, entries, tree);
  EXPECT_EQ(status.error_code(), grpc::RESOURCE_EXHAUSTED);
  EXPECT_EQ(InfoOf(status).metadata().at("limit"), "proven_entries");
  EXPECT_TRUE(entries.empty());
}

class WatchTest : public ProofTest {
 protected:
  std::unique_ptr<grpc::ClientReader<v1::WatchHeadResponse>> Watch(grpc::ClientContext& context,
                                                                   uint64_t known = 0) {
    Limit(context);
    v1::WatchHeadRequest request;
    request.set_known_size(known);
    return stub_->WatchHead(&context, request);
  }
  // The head verifies, is larger than the one before, and begins with it.
  void CheckHead(const v1::WatchHeadResponse& head, const Checkpoint& before) {
    const Checkpoint now = Open(head.checkpoint());
    EXPECT_EQ(now.size.value(), head.tree_size());
    EXPECT_EQ(now.root, ToHash(head.root()));
    EXPECT_GT(now.size, before.size);
    if (before.size.value() == 0) {
      EXPECT_EQ(head.proof_size(), 0);
    } else {
      EXPECT_EQ(
          VerifyConsistency(before.size, now.size, before.root, now.root, ToProof(head.proof())),
          absl::OkStatus());
    }
  }
};

TEST_F(WatchTest, TheHeadNowAndEachNewOne) {
  grpc::ClientContext context;
  auto stream = Watch(context);
  v1::WatchHeadResponse head;
  ASSERT_TRUE(stream->Read(&head));
  EXPECT_EQ(head.tree_size(), kSize);
  CheckHead(head, Checkpoint());
  for (int n = 0; n < 20; ++n) {
    const Checkpoint before = Open(head.checkpoint());
    Publish(kRecords + n);
    ASSERT_TRUE(stream->Read(&head));
    EXPECT_EQ(head.tree_size(), kSize + static_cast<uint64_t>(n) + 1);
    CheckHead(head, before);
  }
  context.TryCancel();
  EXPECT_EQ(stream->Finish().error_code(), grpc::CANCELLED);
}

TEST_F(WatchTest, OnlyWhatIsNewToTheClient) {
  v1::GetConsistencyProofResponse known;
  ASSERT_TRUE(Consistency(10, 10, known).ok());
  v1::WatchHeadResponse head;
  grpc::ClientContext behind, level, ahead;
  auto old = Watch(behind, 10);
  ASSERT_TRUE(old->Read(&head));
  Checkpoint tenth;
  tenth.size = TreeSize(10);
  tenth.root = ToHash(known.from_root());
  CheckHead(head, tenth);
  // Who knows the head hears of the next one first, who knows more of none.
  auto up_to_date = Watch(level, kSize);
  auto elsewhere = Watch(ahead, kSize + 1);
  Publish(1000);
  ASSERT_TRUE(up_to_date->Read(&head));
  EXPECT_EQ(head.tree_size(), kSize + 1);
  Publish(1001);
  ASSERT_TRUE(elsewhere->Read(&head));
  EXPECT_EQ(head.tree_size(), kSize + 2);
  for (grpc::ClientContext* context : {&behind, &level, &ahead}) context->TryCancel();
}

// A client that does not read costs one answer, and then hears of the newest head.
TEST_F(WatchTest, ASlowReaderSkips) {
  grpc::ClientContext context;
  auto stream = Watch(context);
  v1::WatchHeadResponse head;
  ASSERT_TRUE(stream->Read(&head));
  constexpr int kMore = 2000;  // far more than the transport holds unread
  for (int n = 0; n < kMore; ++n) Publish(kRecords + n);
  size_t heads = 0;
  Checkpoint before = Open(head.checkpoint());
  while (head.tree_size() < kSize + kMore) {
    ASSERT_TRUE(stream->Read(&head));
    CheckHead(head, before);
    before = Open(head.checkpoint());
    ++heads;
  }
  EXPECT_LT(heads, static_cast<size_t>(kMore));
  context.TryCancel();
}

TEST_F(WatchTest, StoppingEndsIt) {
  grpc::ClientContext context;
  auto stream = Watch(context);
  v1::WatchHeadResponse head;
  ASSERT_TRUE(stream->Read(&head));
  served_.rpc->BeginDrain();
  EXPECT_FALSE(stream->Read(&head));
  const grpc::Status status = stream->Finish();
  EXPECT_EQ(status.error_code(), grpc::UNAVAILABLE);
  EXPECT_EQ(InfoOf(status).reason(), "STOPPING");
  EXPECT_TRUE(served_.rpc->Stop(std::chrono::steady_clock::now() + std::chrono::seconds(30)));
}

// Many watchers, most of them gone again, while the log grows.
TEST_F(WatchTest, WatchersComeAndGo) {
  for (int round = 0; round < 20; ++round) {
    std::vector<std::unique_ptr<grpc::ClientContext>> contexts;
    std::vector<std::unique_ptr<grpc::ClientReader<v1::WatchHeadResponse>>> streams;
    for (int i = 0; i < 5; ++i) {
      contexts.push_back(std::make_unique<grpc::ClientContext>());
      streams.push_back(Watch(*contexts.back()));
    }
    Publish(2000 + round);
    v1::WatchHeadResponse head;
    ASSERT_TRUE(streams[0]->Read(&head));
    for (auto& context : contexts) context->TryCancel();
    for (auto& stream : streams) EXPECT_EQ(stream->Finish().error_code(), grpc::CANCELLED);
  }
}

}  // namespace
}  // namespace stele::server
