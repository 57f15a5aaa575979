#include "server/rpc/proof_answers.h"

#include <string>
#include <utility>
#include <variant>

#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/serving_limits.h"
#include "core/base/status_macros.h"
#include "core/merkle/hash.h"
#include "core/statement/entry.h"
#include "core/tlog/tile.h"
#include "server/base/cat.h"
#include "server/rpc/status.h"

namespace stele::server {
namespace {

using Hashes = google::protobuf::RepeatedPtrField<std::string>;

std::string Bytes(const Hash& hash) { return std::string(hash.bytes()); }

void Fill(const Proof& proof, Hashes& out) {
  out.Reserve(static_cast<int>(proof.size()));
  for (const Hash& hash : proof) out.Add(Bytes(hash));
}

// The envelope of a detached entry lies beside the log, and is dropped where it is withheld.
absl::Status FillDetached(const store::Reader& reader, v1::ProvenEntry& entry) {
  absl::StatusOr<Entry> parsed = ParseLeaf(entry.leaf());
  if (!parsed.ok()) return absl::OkStatus();  // a malformed leaf is shown as it is
  const auto* detached = std::get_if<DetachedEnvelope>(&parsed->body);
  if (detached == nullptr) return absl::OkStatus();
  absl::StatusOr<std::string> envelope = reader.Content(detached->digest);
  if (absl::IsNotFound(envelope.status())) return absl::OkStatus();
  if (envelope.ok()) entry.set_detached(*std::move(envelope));
  return envelope.status();
}

absl::Status CheckTile(const v1::TileName& name, int at) {
  if (name.level() <= 7 && name.width() <= limits::kTileWidth) return absl::OkStatus();
  return RefuseInput(reason::kWrongValue, Cat("/tiles/", at),
                     "a tile has a level from 0 to 7 and a width from 1 to 256");
}

}  // namespace

absl::StatusOr<TreeSize> AskedTree(const store::Reader& reader, uint64_t size) {
  const TreeSize head = reader.head().size;
  if (size == 0) return head;
  if (size <= head.value()) return TreeSize(size);
  return Refuse(absl::StatusCode::kOutOfRange, reason::kProofIndex, "",
                Cat("the log has ", head.value(), " entries, not yet ", size));
}

absl::Status FillTree(const store::Reader& reader, TreeSize size, v1::ProvenTree& tree) {
  STELE_ASSIGN_OR_RETURN(const Hash root, reader.RootAt(size));
  tree.set_tree_size(size.value());
  tree.set_root(Bytes(root));
  tree.set_checkpoint(reader.head().checkpoint);
  if (size == reader.head().size) return absl::OkStatus();
  STELE_ASSIGN_OR_RETURN(const Proof to_head, reader.Consistency(size, reader.head().size));
  Fill(to_head, *tree.mutable_to_head());
  return absl::OkStatus();
}

absl::Status AnswerInclusion(const store::Reader& reader,
                             const v1::GetInclusionProofRequest& request,
                             v1::GetInclusionProofResponse& response) {
  STELE_ASSIGN_OR_RETURN(const TreeSize size, AskedTree(reader, request.tree_size()));
  const EntryIndex index(request.index());
  absl::StatusOr<Proof> proof = reader.InclusionAt(index, size);
  if (!proof.ok()) return PrefixPointer(proof.status(), "/index");
  STELE_ASSIGN_OR_RETURN(const store::EntryRow row, reader.Entry(index));
  response.set_leaf_hash(Bytes(row.leaf_hash));
  Fill(*proof, *response.mutable_proof());
  return FillTree(reader, size, *response.mutable_tree());
}

absl::Status AnswerConsistency(const store::Reader& reader,
                               const v1::GetConsistencyProofRequest& request,
                               v1::GetConsistencyProofResponse& response) {
  STELE_ASSIGN_OR_RETURN(const TreeSize to, AskedTree(reader, request.to_size()));
  const TreeSize from(request.from_size());
  absl::StatusOr<Proof> proof = reader.Consistency(from, to);
  if (!proof.ok()) return PrefixPointer(proof.status(), "/from_size");
  STELE_ASSIGN_OR_RETURN(const Hash root, reader.RootAt(from));
  response.set_from_root(Bytes(root));
  Fill(*proof, *response.mutable_proof());
  return FillTree(reader, to, *response.mutable_tree());
}

absl::Status AnswerTiles(const store::Reader& reader, const v1::GetTilesRequest& request,
                         v1::GetTilesResponse& response) {
  const size_t count = static_cast<size_t>(request.tiles_size());
  if (count > limits::kRequestTiles) {
    return RefuseLimit(absl::StatusCode::kResourceExhausted, reason::kTooLarge, "request_tiles",
                       limits::kRequestTiles,
                       Cat(count, " tiles in one request, at most ", limits::kRequestTiles));
  }
  for (int i = 0; i < request.tiles_size(); ++i) {
    const v1::TileName& name = request.tiles(i);
    STELE_RETURN_IF_ERROR(CheckTile(name, i));
    const uint32_t width = name.width() == 0 ? uint32_t{limits::kTileWidth} : name.width();
    absl::StatusOr<std::string> tile =
        reader.Tile({static_cast<int>(name.level()), name.number(), width});
    if (!tile.ok()) return PrefixPointer(tile.status(), Cat("/tiles/", i));
    response.add_tiles(*std::move(tile));
  }
  response.set_checkpoint(reader.head().checkpoint);
  return absl::OkStatus();
}

absl::Status FillProvenEntry(const store::Reader& reader, EntryIndex index, TreeSize size,
                             v1::ProvenEntry& entry) {
  STELE_ASSIGN_OR_RETURN(const Proof proof, reader.InclusionAt(index, size));
  STELE_ASSIGN_OR_RETURN(store::EntryRow row, reader.Entry(index));
  entry.set_index(index.value());
  entry.set_leaf(std::move(row.leaf));
  Fill(proof, *entry.mutable_proof());
  return FillDetached(reader, entry);
}

absl::Status FillHead(const store::Reader& reader, TreeSize known,
                      v1::WatchHeadResponse& response) {
  const store::Head& head = reader.head();
  response.clear_proof();
  response.set_checkpoint(head.checkpoint);
  response.set_tree_size(head.size.value());
  response.set_root(Bytes(head.root));
  response.set_last_logged_ms(head.last_logged.value());
  if (known.value() == 0) return absl::OkStatus();
  STELE_ASSIGN_OR_RETURN(const Proof proof, reader.Consistency(known, head.size));
  Fill(proof, *response.mutable_proof());
  return absl::OkStatus();
}

}  // namespace stele::server
