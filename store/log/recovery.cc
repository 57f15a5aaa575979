#include "store/log/recovery.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/merkle/proof.h"
#include "core/statement/entry.h"
#include "core/tlog/checkpoint.h"
#include "store/index/subject_rows.h"
#include "store/read/stored_tile.h"

namespace stele::store {
namespace {

absl::Status Damaged(absl::string_view what) {
  return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "",
                absl::StrCat("the store is damaged: ", what, "; restore it from a copy"));
}

absl::Status CheckKeys(const Head& head, const LogSigner& signer,
                       const std::vector<LogKeySpan>& log_keys) {
  const bool ours = std::any_of(log_keys.begin(), log_keys.end(),
                                [&](const LogKeySpan& span) { return signer.Holds(span.key); });
  if (ours) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("the log key is not that of log ", head.origin, "; put its own log.key back"));
}

// By a log key that is current at its size: whether the server still has that one or not.
absl::Status CheckCheckpoint(const Head& head, const std::vector<LogKeySpan>& log_keys) {
  std::vector<NoteVerifier> current;
  for (const LogKeySpan& span : log_keys) {
    if (span.Current(head.size)) current.push_back(span.key);
  }
  const absl::StatusOr<SignedCheckpoint> opened = OpenCheckpoint(head.checkpoint, current);
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

// The entries that policy, withholding and log-key rows lead to, and genesis: the rows tell where
// to look, the entries what was said.
absl::StatusOr<std::set<EntryIndex>> FindEvents(const Snapshot& snapshot) {
  std::set<EntryIndex> indexes = {EntryIndex{0}};
  for (const Digest& place : {OriginSubject(snapshot.head()->origin).digest, kWithholdings}) {
    STELE_ASSIGN_OR_RETURN(const std::vector<SubjectRow> rows, snapshot.Subjects(place));
    for (const SubjectRow& row : rows) {
      if (LogEvents::Takes(row.type)) indexes.insert(row.index);
    }
  }
  return indexes;
}

absl::StatusOr<std::shared_ptr<const LogEvents>> ReadEvents(const Snapshot& snapshot) {
  STELE_ASSIGN_OR_RETURN(const std::set<EntryIndex> indexes, FindEvents(snapshot));
  auto events = std::make_shared<LogEvents>();
  for (EntryIndex index : indexes) {
    STELE_ASSIGN_OR_RETURN(const EntryRow row, snapshot.Entry(index));
    const absl::StatusOr<Entry> entry = ParseLeaf(row.leaf);
    const auto* envelope = entry.ok() ? std::get_if<StoredEnvelope>(&entry->body) : nullptr;
    if (envelope == nullptr) return Damaged(absl::StrCat("entry ", index.value(), " is no event"));
    const auto statement = ParseStatement(envelope->payload, snapshot.head()->origin);
    if (!statement.ok() || !LogEvents::Takes(statement->type)) {
      return Damaged(absl::StrCat("entry ", index.value(), " is no event"));
    }
    events->Add({index, envelope->key, entry->authority}, *statement);
  }
  return events;
}

}  // namespace

absl::StatusOr<Recovered> Recover(const Backend& backend, const std::vector<PrivateKey>& log_keys) {
  STELE_ASSIGN_OR_RETURN(std::shared_ptr<const Snapshot> snapshot, backend.GetSnapshot());
  if (!snapshot->head().has_value()) {
    return absl::FailedPreconditionError("the store has no genesis entry");
  }
  const Head& head = *snapshot->head();
  STELE_ASSIGN_OR_RETURN(LogSigner signer, LogSigner::Make(head.origin, log_keys));
  STELE_ASSIGN_OR_RETURN(std::shared_ptr<const KeyRing> ring, ReadRing(*snapshot));
  STELE_ASSIGN_OR_RETURN(std::shared_ptr<const LogEvents> events, ReadEvents(*snapshot));
  const std::vector<LogKeySpan> spans = events->LogKeys(*ring);
  STELE_RETURN_IF_ERROR(CheckKeys(head, signer, spans));
  STELE_RETURN_IF_ERROR(CheckCheckpoint(head, spans));
  STELE_ASSIGN_OR_RETURN(TreeEdge edge, ReadEdge(*snapshot, head.size));
  STELE_ASSIGN_OR_RETURN(Frontier frontier, ReadFrontier(*snapshot, head.size));
  if (edge.Root() != head.root || frontier.Root() != head.root) {
    return Damaged("its tiles do not lead to the root of its head");
  }
  STELE_ASSIGN_OR_RETURN(EntryRow genesis, snapshot->Entry(EntryIndex{0}));
  LogState state{.head = head,
                 .ring = std::move(ring),
                 .events = std::move(events),
                 .edge = std::make_shared<const TreeEdge>(std::move(edge)),
                 .frontier = std::move(frontier)};
  return Recovered{std::move(snapshot), std::move(state), std::move(signer),
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
