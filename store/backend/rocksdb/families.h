// The column families of a store: one for each kind of row (docs/formats/disk.md).
#pragma once

#include <array>
#include <cstddef>

namespace stele::store {

enum class Family : size_t {
  kMeta,          // the head; RocksDB's default family
  kContent,       // digest → raw bytes
  kEntries,       // index → frame
  kTiles,         // level, number → frame
  kReplays,       // payload, signer → frame
  kPublications,  // record, index → frame
  kKeyEvents,     // index, ordinal → frame
  kSubjects,      // subject, index → frame
};

inline constexpr std::array<const char*, 8> kFamilyNames = {
    "default", "content", "entries", "tiles", "replays", "publications", "key_events", "subjects"};

}  // namespace stele::store
