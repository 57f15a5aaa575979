// The frames of an audit's journal: what it found out about consecutive entries. Pure.
//
//   payload length, 4 bytes little-endian | first 8 bytes of SHA-256(payload) | payload
//   payload: first index, number of entries (varints), and of each entry
//     leaf hash, 32 bytes | what it says (core/replay/said_codec.h) |
//     number of faults of content | of each: digest, 32 bytes, reason word (length, text)
//
// A file that its writer alone reads: it may change with the program.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/merkle/hash.h"
#include "core/replay/content.h"
#include "core/replay/said.h"

namespace stele::client {

// An entry after all that is expensive about it.
struct AuditedEntry {
  Hash leaf_hash;
  Said said;
  std::vector<ContentFault> content_faults;
};

class FrameBuilder {
 public:
  void Add(const Hash& leaf_hash, const ReadEntry& read, const std::vector<ContentFault>& faults);
  uint64_t count() const { return count_; }  // since the last Take
  // The frame of all that was added.
  std::string Take();

 private:
  uint64_t first_ = 0, count_ = 0;
  std::string entries_;
};

inline constexpr size_t kFrameHeaderBytes = 12;
// Payload bytes that a frame's header announces; nothing if there are more than a frame may have.
std::optional<size_t> FramePayloadBytes(std::string_view header);
// The payload's digest is the header's.
bool FrameIntact(std::string_view header, std::string_view payload);
// The entries of a payload, the first of which must be `next`. DATA_LOSS for anything else.
absl::StatusOr<std::vector<AuditedEntry>> ParseFrame(std::string_view payload, EntryIndex next,
                                                     std::string_view origin);

}  // namespace stele::client
