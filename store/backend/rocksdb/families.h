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
  kArtifacts,     // digest → frame
  kChunks,        // digest, number → raw bytes
  kStaged,        // digest → frame
};

// From this one on, families that a store of an earlier Stele may be without: opening it for
// writing makes them, who only reads it finds nothing in them.
inline constexpr Family kFirstLaterFamily = Family::kArtifacts;

inline constexpr std::array<const char*, 11> kFamilyNames = {
    "default",    "content",  "entries",   "tiles",  "replays", "publications",
    "key_events", "subjects", "artifacts", "chunks", "staged"};

}  // namespace stele::store
