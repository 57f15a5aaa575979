#include "store/log/planner.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"
#include "core/replay/judge.h"
#include "core/statement/entry.h"
#include "core/tlog/tile.h"
#include "store/index/entry_rows.h"
#include "store/log/planned_below.h"
#include "store/log/withheld.h"

namespace stele::store {
namespace {

class Planner {
 public:
  Planner(const LogState& state, TimeMs now)
      : base_(state),
        time_(std::max(now, state.head.last_logged)),
        below_(state.ring, state.events, plan_),
        edge_(std::make_shared<TreeEdge>(*state.edge)) {
    edge_->ForgetFinished();
  }

  Decision Decide(AdmittedStatement& admitted, const StatementFacts& facts);
  absl::StatusOr<PlannedBatch> Finish(std::vector<Decision> decisions);

 private:
  std::optional<EntryIndex> FindReplay(const AdmittedStatement& admitted,
                                       const StatementFacts& facts) const;
  std::optional<EntryIndex> FindCopy(const std::vector<DetachedCopy>& copies) const;
  Decision Append(AdmittedStatement& admitted, EntryIndex index);
  absl::StatusOr<std::string> BuildLeaf(const AdmittedStatement& admitted,
                                        EventIndex authority) const;
  void AddContent(AdmittedStatement& admitted);
  void AddRows(EntryRows rows);
  void AddTiles();

  const LogState& base_;
  const TimeMs time_;
  CommitPlan plan_;
  PlannedBelow below_;
  std::shared_ptr<TreeEdge> edge_;
  absl::flat_hash_map<ReplayKey, EntryIndex> in_batch_;               // inline
  absl::flat_hash_map<ReplayKey, std::vector<DetachedCopy>> copies_;  // of this batch
  absl::flat_hash_set<Digest> content_, artifacts_;
};

Decision Planner::Decide(AdmittedStatement& admitted, const StatementFacts& facts) {
  const EntryIndex index{edge_->size().value()};
  const Act act{index, admitted.signer, admitted.statement};
  STELE_RETURN_IF_ERROR(CheckKeyKnown(below_.ring(), admitted.signer, BringsOwnKey(act)));
  if (const auto replay = FindReplay(admitted, facts)) return Replayed{*replay};
  below_.LookThrough(facts);
  STELE_RETURN_IF_ERROR(CheckPlace(index, admitted.statement.type));
  STELE_RETURN_IF_ERROR(JudgeAct(below_, {}, act));
  STELE_RETURN_IF_ERROR(
      CheckNotWithheld(below_.events(), below_.ring(), admitted.statement, admitted.detached));
  return Append(admitted, index);
}

std::optional<EntryIndex> Planner::FindReplay(const AdmittedStatement& admitted,
                                              const StatementFacts& facts) const {
  const ReplayKey key{admitted.payload_digest, admitted.signer};
  if (!admitted.detached) {
    if (facts.replay) return facts.replay;
    const auto earlier = in_batch_.find(key);
    return earlier == in_batch_.end() ? std::nullopt : std::optional(earlier->second);
  }
  if (const auto copy = FindCopy(facts.copies)) return copy;
  const auto earlier = copies_.find(key);
  return earlier == copies_.end() ? std::nullopt : FindCopy(earlier->second);
}

// Rule 23: what is withheld answers no replay.
std::optional<EntryIndex> Planner::FindCopy(const std::vector<DetachedCopy>& copies) const {
  for (const DetachedCopy& copy : copies) {
    if (!below_.events().IsWithheld(below_.ring(), copy.envelope)) return copy.index;
  }
  return std::nullopt;
}

absl::StatusOr<std::string> Planner::BuildLeaf(const AdmittedStatement& admitted,
                                               EventIndex authority) const {
  if (!admitted.detached) return BuildInlineLeaf(authority, admitted.envelope, time_);
  return BuildDetachedLeaf(authority,
                           {.digest = *admitted.detached,
                            .key = admitted.signer,
                            .predicate_type = admitted.statement.predicate_type,
                            .size = admitted.envelope.size()},
                           time_);
}

Decision Planner::Append(AdmittedStatement& admitted, EntryIndex index) {
  const EventIndex authority = AuthorityOf(below_.ring(), admitted.signer, index);
  absl::StatusOr<std::string> leaf = BuildLeaf(admitted, authority);
  if (!leaf.ok()) return std::move(leaf).status();

  const Hash leaf_hash = LeafHash(*leaf);
  edge_->Append(leaf_hash);
  plan_.entries.push_back({.index = index, .leaf = *std::move(leaf), .leaf_hash = leaf_hash});
  EntryRows rows =
      RowsOf(admitted.statement, index, admitted.signer, authority, admitted.payload_digest);
  below_.Add({index, admitted.signer, authority}, admitted.statement, rows.key_events);
  if (admitted.detached) {
    copies_[{admitted.payload_digest, admitted.signer}].push_back({index, *admitted.detached});
  }
  AddRows(std::move(rows));
  AddContent(admitted);
  return Appended{index};
}

void Planner::AddContent(AdmittedStatement& admitted) {
  if (admitted.detached) {
    admitted.content.push_back({*admitted.detached, std::move(admitted.envelope)});
  }
  for (ContentRow& row : admitted.content) {
    if (content_.insert(row.digest).second) plan_.content.push_back(std::move(row));
  }
  for (ArtifactRow& row : admitted.artifacts) {
    if (artifacts_.insert(row.digest).second) plan_.artifacts.push_back(std::move(row));
  }
}

void Planner::AddRows(EntryRows rows) {
  if (rows.replay) {
    plan_.replays.push_back(*rows.replay);
    in_batch_.emplace(rows.replay->key, rows.replay->index);
  }
  for (PublicationRow& row : rows.publications) plan_.publications.push_back(row);
  for (SubjectRow& row : rows.subjects) plan_.subjects.push_back(row);
  for (KeyEvent& event : rows.key_events) plan_.key_events.push_back(std::move(event));
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
                .ring = below_.shared_ring(),
                .events = below_.shared_events(),
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
                                       const std::vector<StatementFacts>& facts, TimeMs now) {
  if (facts.size() != batch.size()) return absl::InternalError("a batch without its facts");
  Planner planner(state, now);
  std::vector<Decision> decisions;
  decisions.reserve(batch.size());
  for (size_t i = 0; i < batch.size(); ++i) {
    decisions.push_back(planner.Decide(*batch[i], facts[i]));
  }
  return planner.Finish(std::move(decisions));
}

}  // namespace stele::store
