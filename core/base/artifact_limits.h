// The limits of artifacts: limits.h goes on here, in the same namespace and under the same rules.
// The chunk is part of the layout on disk; the others are admission limits. ServerService lists
// those that a caller can meet.
#pragma once

#include <cstddef>
#include <cstdint>

namespace stele::limits {

// What a store keeps, reads and sends of an artifact at a time; the last chunk may be shorter.
inline constexpr size_t kArtifactChunkBytes = 256 * 1024;
inline constexpr uint64_t kArtifactBytes = 256ull * 1024 * 1024;           // of one; the default
inline constexpr uint64_t kArtifactBytesMost = 4ull * 1024 * 1024 * 1024;  // configurable so far
// Uploaded and not yet published, all together, by the sizes that were announced; the default.
inline constexpr uint64_t kStagedBytes = 2ull * 1024 * 1024 * 1024;
inline constexpr size_t kStagedArtifacts = 1024;
// Dropped after so long without an upload or a publication; the default.
inline constexpr int64_t kStagedMs = 24ll * 3600 * 1000;
inline constexpr size_t kUploads = 32;                         // under way at a time
inline constexpr size_t kUploadMessageBytes = 1024 * 1024;     // data of one message
inline constexpr int64_t kUploadIdleMs = 60 * 1000;            // until the next message is there
inline constexpr size_t kWholeContentBytes = 8 * 1024 * 1024;  // handed out in one piece

}  // namespace stele::limits
