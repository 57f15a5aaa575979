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
};

inline constexpr std::array<const char*, 7> kFamilyNames = {
    "default", "content", "entries", "tiles", "replays", "publications", "key_events"};

}  // namespace stele::store
