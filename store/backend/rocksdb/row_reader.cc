#include "store/backend/rocksdb/row_reader.h"

#include <string>

#include "core/base/concat.h"
#include "core/base/hex.h"
#include "core/base/refusal.h"
#include "store/codec/keys.h"
#include "store/codec/rows.h"

namespace stele::store {
namespace {

using Decoded = absl::StatusOr<AnyRow>;

absl::Status NoKey(std::string_view kind, std::string_view key) {
  return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "",
                Concat(kind, " has a key that is none, ", HexEncode(key)));
}

Decoded Content(std::string_view key, std::string_view value) {
  const auto digest = Digest::FromBytes(key);
  if (!digest) return NoKey("a content row", key);
  return ContentRow{*digest, std::string(value)};
}

Decoded Entry(std::string_view key, std::string_view value) {
  const auto index = ParseEntryKey(key);
  if (!index) return NoKey("an entry", key);
  return DecodeEntry(value, *index);
}

Decoded Tile(std::string_view key, std::string_view value) {
  const auto parts = ParseTileKey(key);
  if (!parts) return NoKey("a tile", key);
  return DecodeTile(value, parts->level, parts->number);
}

Decoded Replay(std::string_view key, std::string_view value) {
  const auto replay = ParseReplayRowKey(key);
  if (!replay) return NoKey("a replay row", key);
  return DecodeReplay(value, *replay);
}

Decoded Publication(std::string_view key, std::string_view value) {
  const auto parts = ParsePublicationKey(key);
  if (!parts) return NoKey("a publication row", key);
  return DecodePublication(value, parts->record, parts->index);
}

Decoded Subject(std::string_view key, std::string_view value) {
  const auto parts = ParseSubjectKey(key);
  if (!parts) return NoKey("a subject row", key);
  return DecodeSubject(value, parts->record, parts->index);
}

Decoded Event(std::string_view key, std::string_view value) {
  const auto parts = ParseKeyEventKey(key);
  if (!parts) return NoKey("a key event", key);
  return DecodeKeyEvent(value, parts->index, parts->ordinal);
}

Decoded Artifact(std::string_view key, std::string_view value) {
  const auto digest = Digest::FromBytes(key);
  if (!digest) return NoKey("an artifact", key);
  return DecodeArtifact(value, *digest);
}

}  // namespace

RowReader RowReaderOf(RowKind kind) {
  switch (kind) {
    case RowKind::kContent:
      return {Family::kContent, "all content", Content};
    case RowKind::kEntry:
      return {Family::kEntries, "all entries", Entry};
    case RowKind::kTile:
      return {Family::kTiles, "all tiles", Tile};
    case RowKind::kReplay:
      return {Family::kReplays, "all replay rows", Replay};
    case RowKind::kPublication:
      return {Family::kPublications, "all publications", Publication};
    case RowKind::kSubject:
      return {Family::kSubjects, "all subject rows", Subject};
    case RowKind::kArtifact:
      return {Family::kArtifacts, "all artifacts", Artifact};
    case RowKind::kKeyEvent:
      break;
  }
  return {Family::kKeyEvents, "all key events", Event};
}

}  // namespace stele::store
