#include <utility>
#include <variant>

#include "client/proofs.h"
#include "client/proven_tree.h"
#include "client/stubs.h"
#include "core/base/concat.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"
#include "core/statement/entry.h"

namespace stele::client {
namespace {

// A detached envelope is the one that its leaf names.
absl::Status CheckDetached(const EntryWithProof& entry) {
  absl::StatusOr<Entry> leaf = ParseLeaf(entry.leaf);
  const auto* named = leaf.ok() ? std::get_if<DetachedEnvelope>(&leaf->body) : nullptr;
  if (named != nullptr && named->digest == Sha256(*entry.detached) &&
      named->size == entry.detached->size()) {
    return absl::OkStatus();
  }
  return Untrusted(
      Concat("the envelope beside entry ", entry.index.value(), " is not that of its leaf"));
}

absl::StatusOr<EntryWithProof> EntryFrom(v1::ProvenEntry& message, EntryIndex asked,
                                         const VerifiedTree& tree) {
  EntryWithProof entry;
  entry.index = EntryIndex(message.index());
  if (entry.index != asked) {
    return Untrusted(Concat("entry ", message.index(), " is answered instead of ", asked.value()));
  }
  entry.leaf = std::move(*message.mutable_leaf());
  STELE_ASSIGN_OR_RETURN(entry.proof, ProofFrom(message.proof()));
  const absl::Status included =
      VerifyInclusion(entry.index, tree.size, LeafHash(entry.leaf), entry.proof, tree.root);
  if (!included.ok()) return Untrusted(Concat("entry ", asked.value(), " is not proven"), included);
  if (message.has_detached()) {
    entry.detached = std::move(*message.mutable_detached());
    STELE_RETURN_IF_ERROR(CheckDetached(entry));
  }
  return entry;
}

}  // namespace

absl::StatusOr<InclusionAnswer> Proofs::GetInclusion(EntryIndex index, TreeSize size) const {
  const TreeSize floor = verifier_.newest();
  v1::GetInclusionProofRequest request;
  request.set_index(index.value());
  request.set_tree_size(size.value());
  v1::GetInclusionProofResponse response;
  STELE_RETURN_IF_ERROR(Call(connection_, *connection_.stubs().proofs,
                             &v1::ProofService::Stub::GetInclusionProof, request, response));
  InclusionAnswer answer;
  answer.index = index;
  STELE_ASSIGN_OR_RETURN(answer.tree, TreeFrom(verifier_, floor, size, response.tree()));
  STELE_ASSIGN_OR_RETURN(answer.leaf_hash, HashFrom(response.leaf_hash()));
  STELE_ASSIGN_OR_RETURN(answer.proof, ProofFrom(response.proof()));
  const absl::Status included =
      VerifyInclusion(index, answer.tree.size, answer.leaf_hash, answer.proof, answer.tree.root);
  if (!included.ok()) return Untrusted(Concat("entry ", index.value(), " is not proven"), included);
  return answer;
}

absl::StatusOr<std::vector<std::string>> Proofs::GetTiles(absl::Span<const TileId> tiles) const {
  const TreeSize floor = verifier_.newest();
  v1::GetTilesRequest request;
  for (const TileId& tile : tiles) {
    v1::TileName* name = request.add_tiles();
    name->set_level(static_cast<uint32_t>(tile.level));
    name->set_number(tile.number);
    name->set_width(tile.width);
  }
  v1::GetTilesResponse response;
  STELE_RETURN_IF_ERROR(Call(connection_, *connection_.stubs().proofs,
                             &v1::ProofService::Stub::GetTiles, request, response));
  STELE_RETURN_IF_ERROR(verifier_.Check(response.checkpoint(), floor).status());
  if (static_cast<size_t>(response.tiles_size()) != tiles.size()) {
    return Untrusted(
        Concat(tiles.size(), " tiles were asked for, ", response.tiles_size(), " came"));
  }
  std::vector<std::string> bytes;
  bytes.reserve(tiles.size());
  for (std::string& tile : *response.mutable_tiles()) {
    const size_t expected = tiles[bytes.size()].width * Hash::kBytes;
    if (tile.size() != expected) {
      return Untrusted(
          Concat(TilePath(tiles[bytes.size()]), " has ", tile.size(), " bytes, not ", expected));
    }
    bytes.push_back(std::move(tile));
  }
  return bytes;
}

absl::StatusOr<v1::GetConsistencyProofResponse> AskForConsistency(const Connection& connection,
                                                                  TreeSize from, TreeSize to) {
  v1::GetConsistencyProofRequest request;
  request.set_from_size(from.value());
  request.set_to_size(to.value());
  v1::GetConsistencyProofResponse response;
  STELE_RETURN_IF_ERROR(Call(connection, *connection.stubs().proofs,
                             &v1::ProofService::Stub::GetConsistencyProof, request, response));
  return response;
}

absl::StatusOr<ConsistencyAnswer> Proofs::GetConsistency(TreeSize from, TreeSize to) const {
  if (from.value() == 0) {
    return RefuseInput(reason::kProofIndex, "",
                       "there is no consistency proof from size 0, and none is needed");
  }
  const TreeSize floor = verifier_.newest();
  STELE_ASSIGN_OR_RETURN(const v1::GetConsistencyProofResponse response,
                         AskForConsistency(connection_, from, to));
  ConsistencyAnswer answer;
  answer.from_size = from;
  STELE_ASSIGN_OR_RETURN(answer.tree, TreeFrom(verifier_, floor, to, response.tree()));
  STELE_ASSIGN_OR_RETURN(answer.from_root, HashFrom(response.from_root()));
  STELE_ASSIGN_OR_RETURN(answer.proof, ProofFrom(response.proof()));
  const absl::Status begins =
      VerifyConsistency(from, answer.tree.size, answer.from_root, answer.tree.root, answer.proof);
  if (!begins.ok()) {
    return Untrusted(Concat("the tree of ", answer.tree.size.value(),
                            " entries is not proven to begin with that of ", from.value()),
                     begins);
  }
  return answer;
}

absl::StatusOr<VerifiedTree> Proofs::GetEntries(absl::Span<const EntryIndex> indexes, TreeSize size,
                                                const VisitEntry& visit) const {
  const TreeSize floor = verifier_.newest();
  v1::GetProvenEntriesRequest request;
  for (EntryIndex index : indexes) request.add_indexes(index.value());
  request.set_tree_size(size.value());
  grpc::ClientContext context;
  SetDeadline(connection_, context);
  auto stream = connection_.stubs().proofs->GetProvenEntries(&context, request);
  VerifiedTree tree;
  size_t next = 0;
  const auto take = [&](v1::GetProvenEntriesResponse& page) -> absl::Status {
    if (tree.note.empty()) {
      STELE_ASSIGN_OR_RETURN(tree, TreeFrom(verifier_, floor, size, page.tree()));
    } else if (page.entries().empty()) {
      return Untrusted("a page without entries");
    }
    for (v1::ProvenEntry& message : *page.mutable_entries()) {
      if (next == indexes.size()) return Untrusted("more entries are answered than were asked for");
      STELE_ASSIGN_OR_RETURN(EntryWithProof entry, EntryFrom(message, indexes[next++], tree));
      STELE_RETURN_IF_ERROR(visit(std::move(entry)));
    }
    return absl::OkStatus();
  };
  v1::GetProvenEntriesResponse page;
  absl::Status fault;
  while (fault.ok() && stream->Read(&page)) fault = take(page);
  if (!fault.ok()) context.TryCancel();
  const absl::Status ended = FromGrpc(stream->Finish(), connection_.address());
  STELE_RETURN_IF_ERROR(fault);
  STELE_RETURN_IF_ERROR(ended);
  if (tree.note.empty() || next < indexes.size()) {
    return Untrusted(Concat("the server answered ", next, " of ", indexes.size(), " entries"));
  }
  return tree;
}

}  // namespace stele::client
