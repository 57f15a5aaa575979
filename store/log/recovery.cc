#include "store/log/recovery.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/merkle/proof.h"
#include "core/tlog/checkpoint.h"
#include "store/read/stored_tile.h"

namespace stele::store {
namespace {

absl::Status Damaged(absl::string_view what) {
  return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "",
                absl::StrCat("the store is damaged: ", what, "; restore it from a copy"));
}

absl::Status CheckCheckpoint(const Head& head, const NoteVerifier& verifier) {
  absl::StatusOr<SignedCheckpoint> opened = OpenCheckpoint(head.checkpoint, {verifier});
  if (ReasonOf(opened.status()) == reason::kCheckpointUnsigned) {
    return absl::FailedPreconditionError(
        absl::StrCat("the log key is not that of log ", head.origin, "; put its own log.key back"));
  }
  if (!opened.ok()) {
    return Damaged(absl::StrCat("its checkpoint does not verify: ", opened.status().message()));
  }
  const Checkpoint& signed_head = opened->checkpoint;
  if (signed_head.origin != head.origin || signed_head.size != head.size ||
      signed_head.root != head.root) {
    return Damaged("its checkpoint is not of its head");
  }
  return absl::OkStatus();
}

absl::StatusOr<TreeEdge> ReadEdge(const Snapshot& snapshot, TreeSize size) {
  std::vector<std::string> tiles;
  for (int level = 0; (size.value() >> (8 * level)) > 0; ++level) {
    const uint64_t number = (size.value() >> (8 * level)) / limits::kTileWidth;
    STELE_ASSIGN_OR_RETURN(std::string tile, StoredTile(snapshot, size, level, number));
    tiles.push_back(std::move(tile));
  }
  return TreeEdge::FromTiles(size, tiles);
}

absl::StatusOr<Frontier> ReadFrontier(const Snapshot& snapshot, TreeSize size) {
  std::vector<NodeId> nodes;  // the perfect subtrees, largest first
  uint64_t covered = 0;
  for (int level = 63; level >= 0; --level) {
    if (((size.value() >> level) & 1) == 0) continue;
    nodes.push_back({.level = level, .index = covered >> level});
    covered += uint64_t{1} << level;
  }
  STELE_ASSIGN_OR_RETURN(std::vector<Hash> roots,
                         StoredHashReader(snapshot, size).ReadHashes(nodes));
  Frontier frontier;
  if (!Frontier::FromRoots(size, std::move(roots), frontier)) return Damaged("its right edge");
  return frontier;
}

absl::StatusOr<std::shared_ptr<const KeyRing>> ReadRing(const Snapshot& snapshot) {
  STELE_ASSIGN_OR_RETURN(std::vector<KeyEvent> events, snapshot.KeyEvents());
  if (events.empty()) return Damaged("it has no key events");
  auto ring = std::make_shared<KeyRing>();
  for (const KeyEvent& event : events) ring->Add(event);
  return ring;
}

}  // namespace

absl::StatusOr<Recovered> Recover(const Backend& backend, const PrivateKey& log_key) {
  STELE_ASSIGN_OR_RETURN(std::shared_ptr<const Snapshot> snapshot, backend.GetSnapshot());
  if (!snapshot->head().has_value()) {
    return absl::FailedPreconditionError("the store has no genesis entry");
  }
  const Head& head = *snapshot->head();
  STELE_ASSIGN_OR_RETURN(NoteVerifier verifier,
                         NoteVerifier::Make(head.origin, log_key.public_key()));
  STELE_RETURN_IF_ERROR(CheckCheckpoint(head, verifier));
  STELE_ASSIGN_OR_RETURN(TreeEdge edge, ReadEdge(*snapshot, head.size));
  STELE_ASSIGN_OR_RETURN(Frontier frontier, ReadFrontier(*snapshot, head.size));
  if (edge.Root() != head.root || frontier.Root() != head.root) {
    return Damaged("its tiles do not lead to the root of its head");
  }
  STELE_ASSIGN_OR_RETURN(std::shared_ptr<const KeyRing> ring, ReadRing(*snapshot));
  STELE_ASSIGN_OR_RETURN(EntryRow genesis, snapshot->Entry(EntryIndex{0}));
  LogState state{.head = head,
                 .ring = std::move(ring),
                 .edge = std::make_shared<const TreeEdge>(std::move(edge)),
                 .frontier = std::move(frontier)};
  return Recovered{std::move(snapshot), std::move(state), std::move(verifier),
                   LeafHash(genesis.leaf)};
}

absl::Status CheckReaches(const Snapshot& snapshot, TreeSize size, const Hash& root) {
  const TreeSize head_size = snapshot.head().has_value() ? snapshot.head()->size : TreeSize{0};
  if (head_size < size) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the store ends at ", head_size.value(), " entries, but ", size.value(),
        " were acknowledged (guard): it was rolled back or damaged; restore a copy that has them"));
  }
  STELE_ASSIGN_OR_RETURN(const Hash stored, MakeRoot(StoredHashReader(snapshot, head_size), size));
  if (stored != root) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the store's first ", size.value(),
        " entries are not those that were acknowledged (guard): it is another history; restore a "
        "copy of the right one"));
  }
  return absl::OkStatus();
}

}  // namespace stele::store
