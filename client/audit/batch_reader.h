// The expensive part of an audit, on several threads: entries read from the source, signatures
// verified, content looked at.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "client/source/source.h"
#include "core/replay/content.h"
#include "core/replay/said.h"

namespace stele::client {

struct BatchEntry {
  Hash leaf_hash;
  ReadEntry read;
  std::vector<ContentFault> content_faults;
};

// One thread at a time; it uses `threads` of its own while it is called.
class BatchReader {
 public:
  // The source outlives the reader.
  BatchReader(Source& source, std::string origin, size_t threads)
      : source_(source), origin_(std::move(origin)), threads_(threads) {}

  // The keys that a statement read elsewhere brings: signers of later entries.
  void AddKeysOf(const Statement& statement);
  // Entries from `start` on; batches come in ascending order. Errors are the source's.
  absl::StatusOr<std::vector<BatchEntry>> Read(EntryIndex start, uint64_t count, TreeSize size);

  // Contents that were there, and their bytes, since the beginning.
  uint64_t contents() const { return contents_; }
  uint64_t content_bytes() const { return content_bytes_; }

 private:
  using Slice = absl::Span<BatchEntry>;
  absl::Status ReadSlice(EntryIndex start, TreeSize size, Slice slice) const;
  absl::Status ReadEnvelopes(Slice slice) const;
  void CheckSignatures(Slice slice) const;
  absl::Status CheckContents(Slice slice);

  Source& source_;
  const std::string origin_;
  const size_t threads_;
  absl::flat_hash_map<KeyId, PublicKey> keys_;
  std::atomic<uint64_t> contents_{0};
  std::atomic<uint64_t> content_bytes_{0};
};

}  // namespace stele::client
