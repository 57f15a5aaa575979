#include <algorithm>

#include "client/fetcher.h"
#include "client/proven_tree.h"
#include "client/range_proof.h"
#include "client/receipt.h"
#include "client/stubs.h"
#include "core/base/concat.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"

namespace stele::client {
namespace {

// Entries proven together: memory for one page, two calls a page.
constexpr uint64_t kPage = 256;

struct EntryAnswer {
  ProvenEntry entry;
  Proof proof;
};

absl::StatusOr<EntryAnswer> AskForEntry(const Connection& connection, CheckpointVerifier& verifier,
                                        EntryIndex index) {
  const TreeSize floor = verifier.newest();
  v1::GetEntryRequest request;
  request.set_index(index.value());
  v1::GetEntryResponse response;
  STELE_RETURN_IF_ERROR(Call(connection, *connection.stubs().log, &v1::LogService::Stub::GetEntry,
                             request, response));
  EntryAnswer answer;
  answer.entry.index = index;
  STELE_ASSIGN_OR_RETURN(answer.entry.checkpoint, verifier.Check(response.checkpoint(), floor));
  STELE_ASSIGN_OR_RETURN(answer.proof, ProofFrom(response.proof()));
  answer.entry.leaf = std::move(*response.mutable_leaf());
  STELE_RETURN_IF_ERROR(CheckInclusion({index, answer.entry.leaf, std::nullopt}, answer.proof,
                                       answer.entry.checkpoint));
  return answer;
}

}  // namespace

absl::StatusOr<LogHead> Fetcher::GetHead() const {
  const TreeSize floor = verifier_.newest();
  v1::GetHeadResponse response;
  STELE_RETURN_IF_ERROR(Call(connection_, *connection_.stubs().log, &v1::LogService::Stub::GetHead,
                             v1::GetHeadRequest(), response));
  LogHead head;
  STELE_ASSIGN_OR_RETURN(head.checkpoint, verifier_.Check(response.checkpoint(), floor));
  head.note = std::move(*response.mutable_checkpoint());
  head.last_logged = TimeMs(response.last_logged_ms());
  return head;
}

absl::StatusOr<ProvenEntry> Fetcher::GetEntry(EntryIndex index) const {
  STELE_ASSIGN_OR_RETURN(EntryAnswer answer, AskForEntry(connection_, verifier_, index));
  return std::move(answer.entry);
}

// The leaves as the server says them, not proven yet.
absl::Status Fetcher::AskForEntries(EntryIndex start, uint64_t limit,
                                    std::vector<std::string>& leaves) const {
  grpc::ClientContext context;
  SetDeadline(connection_, context);
  v1::ListEntriesRequest request;
  request.set_start(start.value());
  request.set_limit(limit);
  const TreeSize floor = verifier_.newest();
  std::unique_ptr<grpc::ClientReader<v1::ListEntriesResponse>> stream =
      connection_.stubs().log->ListEntries(&context, request);
  v1::ListEntriesResponse response;
  absl::Status fault;
  while (fault.ok() && stream->Read(&response)) {
    if (!response.checkpoint().empty())
      fault = verifier_.Check(response.checkpoint(), floor).status();
    if (response.leaves().empty() || response.start() != start.value() + leaves.size() ||
        leaves.size() + response.leaves_size() > limit) {
      fault = Untrusted("the server lists other entries than those asked for");
    }
    for (std::string& leaf : *response.mutable_leaves()) leaves.push_back(std::move(leaf));
  }
  if (!fault.ok()) context.TryCancel();
  const absl::Status status = FromGrpc(stream->Finish(), connection_.address());
  return fault.ok() ? status : fault;
}

absl::Status Fetcher::ListEntries(EntryIndex start, uint64_t limit, const VisitEntry& visit) const {
  STELE_ASSIGN_OR_RETURN(LogHead head, GetHead());
  const uint64_t size = head.checkpoint.size.value();
  if (start.value() >= size) {
    return absl::OutOfRangeError(
        Concat("the log has ", size, " entries, there is no entry ", start.value()));
  }
  const uint64_t left = size - start.value();
  const uint64_t end = start.value() + (limit == 0 ? left : std::min(limit, left));
  STELE_ASSIGN_OR_RETURN(EntryAnswer first, AskForEntry(connection_, verifier_, start));
  STELE_ASSIGN_OR_RETURN(Frontier edge,
                         EdgeBefore(start, first.entry.checkpoint.size, first.proof));
  for (uint64_t at = start.value(); at < end;) {
    const uint64_t count = std::min(kPage, end - at);
    std::vector<std::string> leaves;
    STELE_RETURN_IF_ERROR(AskForEntries(EntryIndex(at), count, leaves));
    if (leaves.empty()) return Untrusted(Concat("the server has no entry ", at, " by now"));
    std::vector<Hash> hashes;
    for (const std::string& leaf : leaves) hashes.push_back(LeafHash(leaf));
    const EntryIndex last(at + leaves.size() - 1);
    STELE_ASSIGN_OR_RETURN(EntryAnswer proven, AskForEntry(connection_, verifier_, last));
    STELE_RETURN_IF_ERROR(CheckRange(edge, hashes, proven.proof, proven.entry.checkpoint));
    for (const std::string& leaf : leaves) {
      STELE_RETURN_IF_ERROR(visit(EntryIndex(at++), leaf));
    }
  }
  return absl::OkStatus();
}

}  // namespace stele::client
