// Keys of rows in an ordered engine (docs/formats/disk.md). Numbers are big-endian, so that the
// order of keys is the order of indexes. Format and parse are inverse; nothing else parses. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/strong_int.h"
#include "store/backend/backend.h"

namespace stele::store {

inline constexpr std::string_view kHeadKey = "head";

std::string EntryKey(EntryIndex index);                              // 8 bytes
std::string TileKey(int level, uint64_t number);                     // level, 1 byte; number, 8
std::string ReplayRowKey(const ReplayKey& key);                      // payload, 32; signer, 32
std::string PublicationKey(const Digest& record, EntryIndex index);  // record, 32; index, 8
std::string SubjectKey(const Digest& subject, EntryIndex index);     // the same
std::string KeyEventKey(EntryIndex index, uint32_t ordinal);         // index, 8; ordinal, 4
std::string ChunkKey(const Digest& artifact, uint64_t number);       // digest, 32; number, 4

std::optional<EntryIndex> ParseEntryKey(std::string_view key);

struct TileKeyParts {
  int level = 0;
  uint64_t number = 0;
};
std::optional<TileKeyParts> ParseTileKey(std::string_view key);

std::optional<ReplayKey> ParseReplayRowKey(std::string_view key);

struct PublicationKeyParts {
  Digest record;
  EntryIndex index;
};
std::optional<PublicationKeyParts> ParsePublicationKey(std::string_view key);

std::optional<PublicationKeyParts> ParseSubjectKey(std::string_view key);

struct KeyEventKeyParts {
  EntryIndex index;
  uint32_t ordinal = 0;
};
std::optional<KeyEventKeyParts> ParseKeyEventKey(std::string_view key);

}  // namespace stele::store
