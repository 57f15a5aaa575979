// Ten thousand publishes and fetches at once: every answer's proof verifies against the checkpoint
// in that same answer, and over one connection the signed head never goes back.
#include <grpcpp/client_context.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "core/base/mutex.h"
#include "core/merkle/proof.h"
#include "core/tlog/checkpoint.h"
#include "stele/v1/log.grpc.pb.h"
#include "stele/v1/proofs.grpc.pb.h"
#include "tests/server/rpc/wire/rpc_client.h"

namespace stele::server {
namespace {

constexpr int kConnections = 4;
constexpr int kPublishers = 2;  // streams of each connection
constexpr int kFetchers = 2;    // threads of each connection
constexpr int kEach = 10'000 / (kConnections * (kPublishers + kFetchers));
constexpr int kRequestItems = 5;

Proof ToProof(const google::protobuf::RepeatedPtrField<std::string>& hashes) {
  return *ProofFromBytes(std::vector<std::string>(hashes.begin(), hashes.end()));
}

// What one connection has seen. The head that an answer shows may not be smaller than what was
// seen when the call began.
class Seen {
 public:
  explicit Seen(NoteVerifier verifier) : verifier_(std::move(verifier)) {}

  uint64_t newest() const { return newest_; }

  Checkpoint Check(const std::string& note, uint64_t floor) {
    const Checkpoint head = Open(note);
    if (head.size.value() < floor) ++went_back_;
    uint64_t seen = newest_;
    while (seen < head.size.value() && !newest_.compare_exchange_weak(seen, head.size.value())) {
    }
    return head;
  }
  uint64_t went_back() const { return went_back_; }
  size_t heads() {
    MutexLock lock(mutex_);
    return opened_.size();
  }

 private:
  // Each distinct note is verified once.
  Checkpoint Open(const std::string& note) {
    {
      MutexLock lock(mutex_);
      if (auto found = opened_.find(note); found != opened_.end()) return found->second;
    }
    auto opened = OpenCheckpoint(note, {verifier_});
    EXPECT_TRUE(opened.ok()) << opened.status();
    if (!opened.ok()) return {};
    MutexLock lock(mutex_);
    return opened_.emplace(note, opened->checkpoint).first->second;
  }

  const NoteVerifier verifier_;
  std::atomic<uint64_t> newest_{0}, went_back_{0};
  Mutex mutex_;
  std::map<std::string, Checkpoint> opened_ STELE_GUARDED_BY(mutex_);
};

class Connection {
 public:
  Connection(ServedLog& served, int number)
      : served_(served),
        number_(number),
        channel_(served.Connect()),
        seen_(served.log.store().log_verifier()) {}

  void Run() {
    std::vector<std::thread> threads;
    for (int i = 0; i < kPublishers; ++i) threads.emplace_back([this, i] { Publish(i); });
    for (int i = 0; i < kFetchers; ++i) threads.emplace_back([this, i] { Fetch(i); });
    for (std::thread& thread : threads) thread.join();
  }
  Seen& seen() { return seen_; }
  int published() const { return published_; }
  int fetched() const { return fetched_; }

 private:
  void Publish(int stream_number) {
    auto stub = v1::PublishService::NewStub(channel_);
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::minutes(5));
    auto stream = stub->Publish(&context);
    const int first = (number_ * kPublishers + stream_number) * kEach;
    std::thread writing([&] {
      for (int n = first; n < first + kEach; n += kRequestItems) {
        stream->Write(
            Publications(served_.log.publisher(), n, std::min(n + kRequestItems, first + kEach)));
      }
      stream->WritesDone();
    });
    v1::PublishResponse response;
    uint64_t floor = 0;  // of this stream: answers come in order
    while (stream->Read(&response)) {
      floor = seen_.Check(response.checkpoint(), floor).size.value();
      for (const v1::PublishResult& result : response.results()) {
        const absl::Status verified =
            VerifyResult(response, result, served_.log.store().log_verifier());
        EXPECT_TRUE(verified.ok()) << verified;
        if (verified.ok()) ++published_;
      }
    }
    writing.join();
    EXPECT_TRUE(stream->Finish().ok());
  }

  void Fetch(int thread_number) {
    auto log = v1::LogService::NewStub(channel_);
    auto proofs = v1::ProofService::NewStub(channel_);
    for (int i = 0; i < kEach; ++i) {
      const uint64_t floor = seen_.newest();
      const uint64_t at = floor == 0 ? 0 : static_cast<uint64_t>(i * 7919 + thread_number) % floor;
      grpc::ClientContext context;
      context.set_deadline(std::chrono::system_clock::now() + std::chrono::minutes(1));
      const bool right = i % 3 == 0   ? Entry(*log, context, at, floor)
                         : i % 3 == 1 ? Inclusion(*proofs, context, at, floor)
                                      : Consistency(*proofs, context, at + 1, floor);
      EXPECT_TRUE(right) << "fetch " << i << " at " << at;
      if (right) ++fetched_;
    }
  }

  bool Entry(v1::LogService::Stub& stub, grpc::ClientContext& context, uint64_t index,
             uint64_t floor) {
    v1::GetEntryRequest request;
    v1::GetEntryResponse response;
    request.set_index(index);
    if (!stub.GetEntry(&context, request, &response).ok()) return false;
    const Checkpoint head = seen_.Check(response.checkpoint(), floor);
    return VerifyInclusion(EntryIndex(index), head.size, LeafHash(response.leaf()),
                           ToProof(response.proof()), head.root)
        .ok();
  }
  // In an older tree than the head, so that the proof and what leads to the head both count.
  bool Inclusion(v1::ProofService::Stub& stub, grpc::ClientContext& context, uint64_t index,
                 uint64_t floor) {
    v1::GetInclusionProofRequest request;
    v1::GetInclusionProofResponse response;
    request.set_index(index);
    request.set_tree_size(index + 1);
    if (!stub.GetInclusionProof(&context, request, &response).ok()) return false;
    return Hangs(response.tree(), floor) &&
           VerifyInclusion(EntryIndex(index), TreeSize(response.tree().tree_size()),
                           *Hash::FromBytes(response.leaf_hash()), ToProof(response.proof()),
                           *Hash::FromBytes(response.tree().root()))
               .ok();
  }
  bool Consistency(v1::ProofService::Stub& stub, grpc::ClientContext& context, uint64_t from,
                   uint64_t floor) {
    v1::GetConsistencyProofRequest request;
    v1::GetConsistencyProofResponse response;
    request.set_from_size(from);
    if (!stub.GetConsistencyProof(&context, request, &response).ok()) return false;
    return Hangs(response.tree(), floor) &&
           VerifyConsistency(TreeSize(from), TreeSize(response.tree().tree_size()),
                             *Hash::FromBytes(response.from_root()),
                             *Hash::FromBytes(response.tree().root()), ToProof(response.proof()))
               .ok();
  }
  bool Hangs(const v1::ProvenTree& tree, uint64_t floor) {
    const Checkpoint head = seen_.Check(tree.checkpoint(), floor);
    return VerifyConsistency(TreeSize(tree.tree_size()), head.size, *Hash::FromBytes(tree.root()),
                             head.root, ToProof(tree.to_head()))
        .ok();
  }

  ServedLog& served_;
  const int number_;
  const std::shared_ptr<grpc::Channel> channel_;
  Seen seen_;
  std::atomic<int> published_{0}, fetched_{0};
};

TEST(ConcurrentTest, TenThousandAnswersAreEachOfOneMoment) {
  ServedLog served;
  std::vector<std::unique_ptr<Connection>> connections;
  for (int i = 0; i < kConnections; ++i) {
    connections.push_back(std::make_unique<Connection>(served, i));
  }
  std::vector<std::thread> threads;
  for (auto& connection : connections) threads.emplace_back([&] { connection->Run(); });
  for (std::thread& thread : threads) thread.join();
  int published = 0, fetched = 0;
  for (auto& connection : connections) {
    EXPECT_EQ(connection->seen().went_back(), 0u);
    EXPECT_GT(connection->seen().heads(), 1u);
    published += connection->published();
    fetched += connection->fetched();
  }
  EXPECT_EQ(published, kConnections * kPublishers * kEach);
  EXPECT_EQ(fetched, kConnections * kFetchers * kEach);
  EXPECT_EQ(served.log.size(), static_cast<uint64_t>(published) + 2);
}

}  // namespace
}  // namespace stele::server
