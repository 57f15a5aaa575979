#include "client/publish_stream.h"

#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "client/fetcher.h"
#include "client/receipt.h"
#include "client/status.h"
#include "core/base/concat.h"
#include "core/base/status_macros.h"

namespace stele::client {
namespace {

// Where the server asks for another try and names no delay.
constexpr std::chrono::milliseconds kDefaultDelay{200};

}  // namespace

PublishStream::PublishStream(const Connection& connection, CheckpointVerifier& verifier,
                             PublishQueue& queue, const Decided& decided, bool keep_receipts)
    : connection_(connection),
      verifier_(verifier),
      queue_(queue),
      decided_(decided),
      keep_receipts_(keep_receipts),
      floor_(verifier.newest()) {}

absl::Status PublishStream::Run() {
  queue_.StreamOpened();
  stream_ = connection_.stubs().publish->Publish(&context_);
  std::thread reader([this] { ReadAnswers(); });
  for (;;) {
    const std::vector<PendingPtr> batch = queue_.TakeBatch();
    if (batch.empty() || !Write(batch)) break;
  }
  stream_->WritesDone();
  reader.join();
  const absl::Status status = FromGrpc(stream_->Finish(), connection_.address());
  return fault_.ok() ? status : fault_;
}

// The statements are lent to the request while it is written; the reading thread may look at them
// at the same time and only reads.
bool PublishStream::Write(const std::vector<PendingPtr>& batch) {
  v1::PublishRequest request;
  for (const PendingPtr& pending : batch) {
    request.mutable_items()->UnsafeArenaAddAllocated(pending->item.get());
  }
  const bool written = stream_->Write(request);
  while (!request.items().empty()) request.mutable_items()->UnsafeArenaReleaseLast();
  return written;
}

void PublishStream::ReadAnswers() {
  v1::PublishResponse response;
  while (fault_.ok() && stream_->Read(&response)) fault_ = TakeResponse(response);
  if (!fault_.ok()) {
    queue_.Fail(fault_);
    context_.TryCancel();
  }
  queue_.StreamEnded();
}

absl::Status PublishStream::TakeResponse(v1::PublishResponse& response) {
  if (response.results().empty()) return Untrusted("an answer about no statement");
  std::optional<absl::StatusOr<Checkpoint>> checkpoint;
  std::optional<InclusionVerifier> tree;
  for (v1::PublishResult& result : *response.mutable_results()) {
    PendingPtr pending = queue_.Extract(result.tag());
    if (pending == nullptr) return Untrusted("the server answered a statement that was not sent");
    if (!result.has_receipt()) {
      TakeError(pending, FromRpc(result.error()));
      continue;
    }
    if (!checkpoint) {
      checkpoint = verifier_.Check(response.checkpoint(), floor_);
      if (checkpoint->ok()) {
        floor_ = (*checkpoint)->size;
        tree.emplace((*checkpoint)->size, (*checkpoint)->root);
      }
    }
    absl::Status verified = checkpoint->status();
    if (verified.ok()) {
      verified = TakeReceipt(*pending, *result.mutable_receipt(), *tree, response.checkpoint());
    } else if (!absl::IsDataLoss(verified)) {
      // The log's history could not be proven now: asked again, the statement is a replay.
      TakeError(pending, absl::UnavailableError(std::string(verified.message())));
      continue;
    }
    if (verified.ok()) continue;
    queue_.Fail(verified);
    decided_(*pending, verified);
    return verified;
  }
  return absl::OkStatus();
}

// The server has an earlier signature of the same statement, beside the leaf.
absl::StatusOr<std::string> PublishStream::FetchEnvelope(const Digest& digest) const {
  absl::StatusOr<std::string> envelope = Fetcher(connection_, verifier_).GetContent(digest);
  if (!absl::IsNotFound(envelope.status())) return envelope;
  return Untrusted(Concat("the envelope ", digest.ToText(), " of an entry is not there"));
}

absl::Status PublishStream::TakeReceipt(const PendingStatement& pending, v1::Receipt& receipt,
                                        InclusionVerifier& tree, const std::string& note) {
  const std::string_view hashes = receipt.proof();
  if (hashes.size() % Hash::kBytes != 0) {
    return Untrusted(Concat("a proof of ", hashes.size(), " bytes: hashes have ", Hash::kBytes));
  }
  Proof proof(hashes.size() / Hash::kBytes);
  for (size_t i = 0; i < proof.size(); ++i) {
    proof[i] = *Hash::FromBytes(hashes.substr(i * Hash::kBytes, Hash::kBytes));
  }
  const EntryIndex index(receipt.index());
  const SentStatement sent{pending.key, pending.item->envelope(),
                           pending.public_key ? &*pending.public_key : nullptr};
  LoggedLeaf logged{index, receipt.leaf(), std::nullopt};
  std::string envelope;
  if (!IsOwnLeaf(sent, receipt.leaf())) {
    if (const std::optional<Digest> other = EnvelopeToFetch(sent, receipt.leaf())) {
      STELE_ASSIGN_OR_RETURN(envelope, FetchEnvelope(*other));
      logged.envelope = envelope;
    }
    STELE_RETURN_IF_ERROR(CheckLeaf(sent, logged));
  }
  STELE_RETURN_IF_ERROR(CheckInclusion(logged, proof, tree));
  Published published{index, receipt.replayed(), pending.sends > 1, nullptr};
  if (keep_receipts_) {
    published.receipt = std::make_shared<const KeptReceipt>(
        KeptReceipt{std::move(*receipt.mutable_leaf()), std::move(proof), note});
  }
  decided_(pending, std::move(published));
  return absl::OkStatus();
}

void PublishStream::TakeError(const PendingPtr& pending, absl::Status error) {
  if (error.ok()) error = absl::UnknownError("the server answered neither receipt nor error");
  const std::optional<std::chrono::milliseconds> delay = RetryDelayOf(error);
  const bool later = error.code() == absl::StatusCode::kUnavailable ||
                     (error.code() == absl::StatusCode::kResourceExhausted && delay);
  if (later && queue_.Delay(pending, delay.value_or(kDefaultDelay), error)) return;
  decided_(*pending, std::move(error));
}

}  // namespace stele::client
