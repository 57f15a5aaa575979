#include "client/audit/checks.h"

#include <algorithm>
#include <utility>

#include "client/audit/parallel.h"
#include "client/status.h"
#include "core/base/base64.h"
#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/replay/log_keys.h"

namespace stele::client {
namespace {

absl::Status Refusal(std::string_view reason, std::string_view message) {
  return Refuse(absl::StatusCode::kDataLoss, reason, "", message);
}

// The first hash that differs, or the length.
absl::Status TileMismatch(const Source& source, const TreeEdge::FinishedTile& tile,
                          std::string_view got) {
  const std::string path = TilePath(tile.id);
  if (got.size() != tile.bytes.size()) {
    return Refusal(reason::kTileMismatch, Concat(source.name(), ": ", path, " has ", got.size(),
                                                 " bytes, not ", tile.bytes.size()));
  }
  const auto differs = std::mismatch(got.begin(), got.end(), tile.bytes.begin()).first;
  const size_t at = static_cast<size_t>(differs - got.begin()) / Hash::kBytes;
  const auto hash = [&](std::string_view bytes) {
    return Digest::FromBytes(bytes.substr(at * Hash::kBytes, Hash::kBytes))->ToHex();
  };
  return Refusal(reason::kTileMismatch,
                 Concat(source.name(), ": hash ", at, " of ", path, " is ", hash(got),
                        ", the entries lead to ", hash(tile.bytes)));
}

bool Signed(std::string_view note, const NoteVerifier& key) {
  return OpenCheckpoint(note, {key}).ok();
}

}  // namespace

absl::Status AsRefusal(const absl::Status& status) {
  if (status.ok() || ReasonOf(status).empty() || status.code() == absl::StatusCode::kDataLoss) {
    return status;
  }
  return Refuse(absl::StatusCode::kDataLoss, ReasonOf(status), PointerOf(status),
                std::string(status.message()));
}

absl::StatusOr<Checkpoint> ReadCheckpoint(std::string_view note) {
  const absl::StatusOr<Note> parsed = ParseNote(note);
  if (!parsed.ok()) return Untrusted("the checkpoint", parsed.status());
  absl::StatusOr<Checkpoint> checkpoint = ParseCheckpointText(parsed->text);
  if (!checkpoint.ok()) return Untrusted("the checkpoint", checkpoint.status());
  if (!ValidOrigin(checkpoint->origin)) {
    return Refusal(reason::kCheckpointOrigin, "the checkpoint's origin can be no log's");
  }
  return checkpoint;
}

absl::Status CompareTiles(Source& source, absl::Span<const TreeEdge::FinishedTile> tiles,
                          size_t threads) {
  return ParallelFor(threads, tiles.size(), [&](size_t i) -> absl::Status {
    const absl::StatusOr<std::string> got = source.Tile(tiles[i].id);
    if (!got.ok()) return AsRefusal(got.status());
    return *got == tiles[i].bytes ? absl::OkStatus() : TileMismatch(source, tiles[i], *got);
  });
}

std::vector<TreeEdge::FinishedTile> UnfinishedTiles(const TreeEdge& edge) {
  std::vector<TreeEdge::FinishedTile> tiles;
  for (size_t level = 0; level < edge.levels(); ++level) {
    const std::vector<Hash>& hashes = edge.unfinished(level);
    if (hashes.empty()) continue;
    const int at = static_cast<int>(level);
    TreeEdge::FinishedTile tile{
        {at, edge.size().value() >> (8 * (level + 1)), static_cast<uint32_t>(hashes.size())}, {}};
    for (const Hash& hash : hashes) tile.bytes += hash.bytes();
    tiles.push_back(std::move(tile));
  }
  return tiles;
}

bool IsTileMismatch(const absl::Status& status) {
  return ReasonOf(status) == reason::kTileMismatch;
}

absl::Status RootMismatch(const Checkpoint& checkpoint, const Hash& root,
                          const absl::Status& tile) {
  const std::string where =
      tile.ok() ? "" : Concat("\n  first difference: ", std::string(tile.message()));
  return Refusal(
      reason::kCheckpointRoot,
      Concat("the entries do not lead to the root of the checkpoint of size ",
             checkpoint.size.value(), ".\n  signed:  ", Base64Encode(checkpoint.root.bytes()),
             "\n  entries: ", Base64Encode(root.bytes()), where));
}

absl::StatusOr<SignedCheckpoint> OpenWithLogKeys(std::string_view note,
                                                 absl::Span<const LogKeySpan> keys) {
  std::vector<NoteVerifier> own;
  for (const LogKeySpan& span : keys) own.push_back(span.key);
  absl::StatusOr<SignedCheckpoint> opened = OpenCheckpoint(note, own);
  if (!opened.ok()) return Untrusted("the checkpoint", opened.status());
  return opened;
}

absl::StatusOr<std::vector<std::string>> JudgeSigners(std::string_view note,
                                                      absl::Span<const LogKeySpan> keys,
                                                      const SignedCheckpoint& head) {
  absl::StatusOr<std::vector<std::string>> missing =
      CheckLogKeys(head.checkpoint.size, keys, head.signers);
  if (!missing.ok()) return AsRefusal(missing.status());
  // A key that the policy does not know may have signed all the same.
  std::erase_if(*missing, [&](const std::string& vkey) {
    return std::any_of(keys.begin(), keys.end(), [&](const LogKeySpan& span) {
      return span.key.ToVkey() == vkey && Signed(note, span.key);
    });
  });
  return missing;
}

void Count(const Replay& replay, AuditReport& report) {
  for (uint64_t i = 0; i < replay.size(); ++i) {
    switch (replay.JudgementOf(EntryIndex(i)).verdict) {
      case Verdict::kValid:
        ++report.valid;
        if (replay.DisputedBy(EntryIndex(i))) ++report.disputed;
        break;
      case Verdict::kVoid:
        ++report.void_entries;
        break;
      case Verdict::kWithheld:
        ++report.withheld;
        break;
      case Verdict::kMalformed:
        ++report.malformed;
        break;
    }
  }
  report.records = replay.records().size();
  report.withheld_digests = replay.Withheld().size();
}

}  // namespace stele::client
