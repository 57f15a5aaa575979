#include "store/fsck/rebuild.h"

#include <algorithm>
#include <utility>

#include "core/base/concat.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"
#include "core/replay/content.h"
#include "core/tlog/tile.h"
#include "store/artifact/chunk_sink.h"
#include "store/index/entry_rows.h"
#include "store/read/artifact_chunks.h"

namespace stele::store {
namespace {

constexpr size_t kPlanBytes = 16 << 20;
constexpr size_t kPlanEntries = 1024;

absl::Status Lost(std::string message) {
  return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "", std::move(message));
}

bool IsDamage(const absl::Status& status) {
  return absl::IsDataLoss(status) || absl::IsNotFound(status);
}

// As the planner writes them: finished ones, and of each level from 1 on the unfinished one.
void AddTiles(TreeEdge& edge, CommitPlan& plan) {
  for (const TreeEdge::FinishedTile& tile : edge.finished()) {
    plan.tiles.push_back({.level = tile.id.level, .number = tile.id.number, .bytes = tile.bytes});
  }
  edge.ForgetFinished();
  for (size_t level = 1; level < edge.levels(); ++level) {
    const std::vector<Hash>& hashes = edge.unfinished(level);
    if (hashes.empty()) continue;
    const uint64_t number = (edge.size().value() >> (8 * level)) / limits::kTileWidth;
    TileRow row{.level = static_cast<int>(level), .number = number, .bytes = {}};
    for (const Hash& hash : hashes) row.bytes.append(hash.bytes());
    plan.tiles.push_back(std::move(row));
  }
}

}  // namespace

absl::Status Rebuild::Write(const Head& head, TreeSize source_size,
                            absl::Span<const MustReach> must_reach, bool distrust,
                            const std::function<void(uint64_t done, uint64_t all)>& progress) {
  target_ = head;
  source_size_ = source_size;
  distrust_ = distrust;
  plan_.base_root = EmptyRoot();
  const uint64_t size = head.size.value();
  for (uint64_t i = 0; i < size; ++i) {
    STELE_ASSIGN_OR_RETURN(std::string leaf, LeafAt(EntryIndex{i}));
    STELE_RETURN_IF_ERROR(Add(EntryIndex{i}, std::move(leaf)));
    STELE_RETURN_IF_ERROR(CheckReached(i + 1, must_reach));
    if (progress) progress(i + 1, size);
    if (i + 1 == size) break;
    if (plan_bytes_ >= kPlanBytes || plan_.entries.size() >= kPlanEntries) {
      STELE_RETURN_IF_ERROR(Commit(nullptr));
    }
  }
  if (edge_.Root() != head.root) {
    return Lost(Concat("the entries lead to ", edge_.Root().ToHex(),
                       ", the root of the signed head is ", head.root.ToHex()));
  }
  return Commit(&head);
}

absl::Status Rebuild::CheckReached(uint64_t size, absl::Span<const MustReach> must_reach) const {
  for (const MustReach& point : must_reach) {
    if (point.size.value() != size || edge_.Root() == point.root) continue;
    return Lost(Concat("the first ", size, " entries lead to ", edge_.Root().ToHex(),
                       ", signed and acknowledged was ", point.root.ToHex()));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> Rebuild::LeafAt(EntryIndex index) {
  if (old_ != nullptr && !distrust_) {
    absl::StatusOr<EntryRow> row = old_->Entry(index);
    if (row.ok() && LeafHash(row->leaf) == row->leaf_hash) return std::move(row->leaf);
    if (!row.ok() && !IsDamage(row.status())) return row.status();
  }
  return FetchLeaf(index);
}

absl::StatusOr<std::string> Rebuild::FetchLeaf(EntryIndex index) {
  const uint64_t at = index.value();
  if (at < fetched_from_ || at >= fetched_from_ + fetched_.size()) {
    if (at >= source_size_.value()) {
      return Lost(Concat("entry ", at, " is damaged here, and the source ends at ",
                         source_size_.value(), " entries"));
    }
    // Whole bundles: a source keeps them so.
    const uint64_t begin = at / limits::kTileWidth * limits::kTileWidth;
    const uint64_t count = std::min<uint64_t>(limits::kTileWidth, source_size_.value() - begin);
    absl::StatusOr<std::vector<std::string>> leaves =
        source_.Leaves(EntryIndex{begin}, count, source_size_);
    if (IsDamage(leaves.status())) {
      return Lost(Concat("entry ", at, " is damaged here, and the source has it neither: ",
                         std::string(leaves.status().message())));
    }
    STELE_RETURN_IF_ERROR(leaves.status());
    if (leaves->size() != count)
      return Lost(Concat("the source gave not the entries from ", begin));
    fetched_ = *std::move(leaves);
    fetched_from_ = begin;
  }
  ++leaves_fetched_;
  return fetched_[at - fetched_from_];
}

absl::Status Rebuild::Add(EntryIndex index, std::string leaf) {
  const Hash leaf_hash = LeafHash(leaf);
  ReadEntry read = ReadLeaf(index, leaf, target_.origin);
  if (read.detached) {
    STELE_ASSIGN_OR_RETURN(auto envelope, ContentOf(read.detached->digest));
    ReadEnvelope(envelope, target_.origin, read);
    STELE_RETURN_IF_ERROR(TakeContent(read.detached->digest, std::move(envelope)));
  }
  CheckSignature(replay_.ring().FindKey(read.said.signer), read);
  last_logged_ = read.said.logged;
  if (read.said.HasStatement()) STELE_RETURN_IF_ERROR(AddContent(read));
  if (replay_.Add(read.said).ok()) {
    EntryRows rows = RowsOf(read.said.statement, index, read.said.signer, read.said.authority,
                            read.said.payload);
    if (rows.replay) plan_.replays.push_back(*rows.replay);
    for (PublicationRow& row : rows.publications) plan_.publications.push_back(row);
    for (SubjectRow& row : rows.subjects) plan_.subjects.push_back(row);
    for (KeyEvent& event : rows.key_events) plan_.key_events.push_back(std::move(event));
  }
  plan_bytes_ += leaf.size();
  plan_.entries.push_back({.index = index, .leaf = std::move(leaf), .leaf_hash = leaf_hash});
  edge_.Append(leaf_hash);
  return absl::OkStatus();
}

absl::Status Rebuild::AddContent(const ReadEntry& read) {
  const ContentCheck check(read.said.statement);
  for (const Digest& digest : check.wanted()) {
    if (in_plan_.contains(digest)) continue;
    if (check.ArtifactSize(digest)) {
      STELE_RETURN_IF_ERROR(AddArtifact(digest));
      continue;
    }
    STELE_ASSIGN_OR_RETURN(auto bytes, ContentOf(digest));
    STELE_RETURN_IF_ERROR(TakeContent(digest, std::move(bytes)));
  }
  return absl::OkStatus();
}

absl::Status Rebuild::AddArtifact(const Digest& digest) {
  if (written_ != nullptr) {
    STELE_ASSIGN_OR_RETURN(const bool there, written_->HasContent(digest));
    if (there) return absl::OkStatus();
  }
  if (!artifacts_in_plan_.insert(digest).second) return absl::OkStatus();
  STELE_ASSIGN_OR_RETURN(std::optional<uint64_t> size, StageOld(digest));
  if (!size) {
    STELE_ASSIGN_OR_RETURN(std::optional<std::string> piece, OldPiece(digest));
    if (piece) return TakeContent(digest, std::move(piece));
    STELE_ASSIGN_OR_RETURN(size, StageFetched(digest));
    if (size) ++contents_fetched_;
  }
  if (size) plan_.artifacts.push_back({digest, *size, {}});
  return absl::OkStatus();
}

absl::StatusOr<std::optional<uint64_t>> Rebuild::StageOld(const Digest& digest) {
  if (old_ == nullptr) return std::optional<uint64_t>();
  const absl::StatusOr<ArtifactRow> row = old_->Artifact(digest);
  if (!row.ok() && !IsDamage(row.status())) return row.status();
  if (!row.ok()) return std::optional<uint64_t>();
  ChunkSink sink(out_.staging(), digest, last_logged_);
  STELE_RETURN_IF_ERROR(sink.Begin());
  for (uint64_t i = 0; i < ChunksOf(row->size); ++i) {
    const absl::StatusOr<std::string> chunk = ReadChunk(*old_, *row, i);
    if (!chunk.ok()) {
      STELE_RETURN_IF_ERROR(sink.Drop());
      if (!IsDamage(chunk.status())) return chunk.status();
      return std::optional<uint64_t>();
    }
    STELE_RETURN_IF_ERROR(sink.Take(*chunk));
  }
  return sink.Finish();
}

absl::StatusOr<std::optional<uint64_t>> Rebuild::StageFetched(const Digest& digest) {
  ChunkSink sink(out_.staging(), digest, last_logged_);
  const absl::StatusOr<bool> all = source_.Artifact(digest, sink);
  if (all.ok() && *all) return sink.Finish();
  STELE_RETURN_IF_ERROR(sink.Drop());
  if (!all.ok() && !IsDamage(all.status())) return all.status();
  return std::optional<uint64_t>();
}

absl::Status Rebuild::TakeContent(const Digest& digest, std::optional<std::string> bytes) {
  if (!bytes) return absl::OkStatus();
  if (written_ != nullptr) {
    // In one piece: as an artifact it would be looked for in vain by who reads records.
    const absl::Status there = written_->Content(digest).status();
    if (there.ok() || !absl::IsNotFound(there)) return there;
  }
  if (!in_plan_.insert(digest).second) return absl::OkStatus();
  plan_bytes_ += bytes->size();
  plan_.content.push_back({digest, *std::move(bytes)});
  return absl::OkStatus();
}

// What the old snapshot has in one piece; nothing if it is not whole.
absl::StatusOr<std::optional<std::string>> Rebuild::OldPiece(const Digest& digest) const {
  if (old_ == nullptr) return std::optional<std::string>();
  absl::StatusOr<std::string> bytes = old_->Content(digest);
  if (bytes.ok() && Sha256(*bytes) == digest) return std::optional(*std::move(bytes));
  if (!bytes.ok() && !IsDamage(bytes.status())) return bytes.status();
  return std::optional<std::string>();
}

absl::StatusOr<std::optional<std::string>> Rebuild::ContentOf(const Digest& digest) {
  STELE_ASSIGN_OR_RETURN(std::optional<std::string> old, OldPiece(digest));
  if (old) return old;
  absl::StatusOr<std::optional<std::string>> fetched = source_.Content(digest);
  if (IsDamage(fetched.status())) return std::optional<std::string>();
  STELE_RETURN_IF_ERROR(fetched.status());
  if (!*fetched || Sha256(**fetched) != digest) return std::optional<std::string>();
  ++contents_fetched_;
  return fetched;
}

absl::Status Rebuild::Commit(const Head* last) {
  AddTiles(edge_, plan_);
  // No head but the last one is ever read: the folder is nobody's until it is whole.
  plan_.head = {.origin = target_.origin,
                .size = edge_.size(),
                .root = edge_.Root(),
                .last_logged = last_logged_,
                .checkpoint = last != nullptr ? last->checkpoint : std::string()};
  STELE_RETURN_IF_ERROR(out_.Commit(plan_));
  CommitPlan next;
  next.base_size = plan_.head.size;
  next.base_root = plan_.head.root;
  plan_ = std::move(next);
  plan_bytes_ = 0;
  in_plan_.clear();
  artifacts_in_plan_.clear();
  STELE_ASSIGN_OR_RETURN(written_, out_.GetSnapshot());
  return absl::OkStatus();
}

}  // namespace stele::store
