#include "store/log/planner.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"
#include "core/statement/entry.h"
#include "core/tlog/tile.h"
#include "store/index/entry_rows.h"
#include "store/log/judge.h"

namespace stele::store {
namespace {

class Planner {
 public:
  Planner(const LogState& state, TimeMs now)
      : base_(state),
        time_(std::max(now, state.head.last_logged)),
        ring_(state.ring),
        edge_(std::make_shared<TreeEdge>(*state.edge)) {
    edge_->ForgetFinished();
  }

  Decision Decide(AdmittedStatement& admitted, const std::optional<EntryIndex>& dedup);
  absl::StatusOr<PlannedBatch> Finish(std::vector<Decision> decisions);

 private:
  Decision Append(AdmittedStatement& admitted, EntryIndex index);
  void AddRows(EntryRows rows);
  void AddTiles();

  const LogState& base_;
  const TimeMs time_;
  std::shared_ptr<const KeyRing> ring_;
  std::shared_ptr<TreeEdge> edge_;
  CommitPlan plan_;
  absl::flat_hash_map<ReplayKey, EntryIndex> in_batch_;
  absl::flat_hash_set<Digest> content_;
};

Decision Planner::Decide(AdmittedStatement& admitted, const std::optional<EntryIndex>& dedup) {
  const EntryIndex index{edge_->size().value()};
  absl::Status known = CheckKeyKnown(*ring_, admitted.statement, admitted.signer, index);
  if (!known.ok()) return known;
  if (dedup.has_value()) return Replayed{*dedup};
  auto earlier = in_batch_.find(ReplayKey{admitted.payload_digest, admitted.signer});
  if (earlier != in_batch_.end()) return Replayed{earlier->second};
  absl::Status allowed = Judge(*ring_, admitted.statement, admitted.signer, index);
  if (!allowed.ok()) return allowed;
  return Append(admitted, index);
}

Decision Planner::Append(AdmittedStatement& admitted, EntryIndex index) {
  const EventIndex authority = AuthorityOf(*ring_, admitted.signer, index);
  absl::StatusOr<std::string> leaf = BuildInlineLeaf(authority, admitted.envelope, time_);
  if (!leaf.ok()) return std::move(leaf).status();

  const Hash leaf_hash = LeafHash(*leaf);
  edge_->Append(leaf_hash);
  plan_.entries.push_back({.index = index, .leaf = *std::move(leaf), .leaf_hash = leaf_hash});
  AddRows(RowsOf(admitted.statement, index, admitted.signer, authority, admitted.payload_digest));
  for (ContentRow& row : admitted.content) {
    if (content_.insert(row.digest).second) plan_.content.push_back(std::move(row));
  }
  return Appended{index};
}

void Planner::AddRows(EntryRows rows) {
  plan_.replays.push_back(rows.replay);
  in_batch_.emplace(rows.replay.key, rows.replay.index);
  for (PublicationRow& row : rows.publications) plan_.publications.push_back(row);
  for (SubjectRow& row : rows.subjects) plan_.subjects.push_back(row);
  if (rows.key_events.empty()) return;
  auto grown = std::make_shared<KeyRing>(*ring_);
  for (KeyEvent& event : rows.key_events) {
    grown->Add(event);
    plan_.key_events.push_back(std::move(event));
  }
  ring_ = std::move(grown);
}

// Finished tiles, and of each level ≥ 1 the unfinished one if this batch made it grow.
void Planner::AddTiles() {
  for (const TreeEdge::FinishedTile& tile : edge_->finished()) {
    plan_.tiles.push_back({.level = tile.id.level, .number = tile.id.number, .bytes = tile.bytes});
  }
  for (size_t level = 1; level < edge_->levels(); ++level) {
    const std::vector<Hash>& hashes = edge_->unfinished(level);
    const int tile_level = static_cast<int>(level);
    const uint64_t number = (edge_->size().value() >> (8 * level)) / limits::kTileWidth;
    if (hashes.size() == TileWidth(tile_level, number, base_.head.size)) continue;
    TileRow row{.level = tile_level, .number = number, .bytes = {}};
    row.bytes.reserve(hashes.size() * Hash::kBytes);
    for (const Hash& hash : hashes) row.bytes.append(hash.bytes());
    plan_.tiles.push_back(std::move(row));
  }
}

absl::StatusOr<PlannedBatch> Planner::Finish(std::vector<Decision> decisions) {
  plan_.base_size = base_.head.size;
  plan_.base_root = base_.head.root;
  AddTiles();
  // The second computation starts from the bytes that will be written, not from the hashes above.
  Frontier frontier = base_.frontier;
  for (const EntryRow& row : plan_.entries) frontier.Append(LeafHash(row.leaf));
  plan_.head = {.origin = base_.head.origin,
                .size = edge_->size(),
                .root = edge_->Root(),
                .last_logged = plan_.entries.empty() ? base_.head.last_logged : time_,
                .checkpoint = {}};
  if (frontier.size() != plan_.head.size || frontier.Root() != plan_.head.root) {
    return absl::InternalError(
        "two computations of the new root differ: memory of this machine is not to be trusted; "
        "nothing was signed");
  }
  LogState next{.head = plan_.head,
                .ring = std::move(ring_),
                .edge = std::move(edge_),
                .frontier = std::move(frontier)};
  return PlannedBatch{std::move(plan_), std::move(decisions), std::move(next)};
}

}  // namespace

size_t AdmittedStatement::bytes() const {
  constexpr size_t kRows = 512;  // entry, replay and publication rows around the envelope
  size_t sum = envelope.size() + kRows + statement.subjects.size() * kRows;
  for (const ContentRow& row : content) sum += row.bytes.size() + Digest::kBytes;
  return sum;
}

absl::StatusOr<PlannedBatch> PlanBatch(const LogState& state,
                                       absl::Span<AdmittedStatement* const> batch,
                                       const std::vector<std::optional<EntryIndex>>& dedup,
                                       TimeMs now) {
  if (dedup.size() != batch.size()) return absl::InternalError("a batch without dedup answers");
  Planner planner(state, now);
  std::vector<Decision> decisions;
  decisions.reserve(batch.size());
  for (size_t i = 0; i < batch.size(); ++i) {
    decisions.push_back(planner.Decide(*batch[i], dedup[i]));
  }
  return planner.Finish(std::move(decisions));
}

}  // namespace stele::store
