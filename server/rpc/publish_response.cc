#include "server/rpc/publish_response.h"

#include <utility>

#include "server/rpc/service_limits.h"
#include "server/rpc/status.h"

namespace stele::server {
namespace {

std::unique_ptr<PendingResponse> NewResponse(const std::string& checkpoint, size_t results) {
  auto response = std::make_unique<PendingResponse>();
  response->message = google::protobuf::Arena::CreateMessage<v1::PublishResponse>(&response->arena);
  response->message->set_checkpoint(checkpoint);
  response->message->mutable_results()->Reserve(static_cast<int>(results));
  response->tags.reserve(results);
  return response;
}

void Fill(store::PublishOutcome& outcome, v1::PublishResult& result) {
  result.set_tag(outcome.tag);
  if (!outcome.result.ok()) {
    ToRpcStatus(outcome.result.status(), *result.mutable_error());
    return;
  }
  v1::Receipt& receipt = *result.mutable_receipt();
  receipt.set_index(outcome.result->index.value());
  receipt.set_leaf(std::move(outcome.result->leaf));
  receipt.set_replayed(outcome.result->replayed);
  std::string& proof = *receipt.mutable_proof();
  proof.reserve(outcome.result->proof.size() * Hash::kBytes);
  for (const Hash& hash : outcome.result->proof) proof.append(hash.bytes());
}

// About what the outcome takes in a message; an error's text is bounded.
size_t BytesOf(const store::PublishOutcome& outcome) {
  constexpr size_t kError = 8 * 1024, kReceipt = 64;
  if (!outcome.result.ok()) return kError;
  return kReceipt + outcome.result->leaf.size() + outcome.result->proof.size() * Hash::kBytes;
}

}  // namespace

std::vector<std::unique_ptr<PendingResponse>> BuildResponses(
    const std::string& checkpoint, std::vector<store::PublishOutcome> outcomes) {
  std::vector<std::unique_ptr<PendingResponse>> responses;
  size_t bytes = 0;
  for (store::PublishOutcome& outcome : outcomes) {
    const size_t more = BytesOf(outcome);
    if (responses.empty() || bytes + more > service_limits::kResponseBytes) {
      responses.push_back(NewResponse(checkpoint, outcomes.size()));
      bytes = checkpoint.size();
    }
    bytes += more;
    responses.back()->tags.push_back(outcome.tag);
    Fill(outcome, *responses.back()->message->add_results());
  }
  return responses;
}

}  // namespace stele::server
