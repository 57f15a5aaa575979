// A log entry, the leaf of the tree (formats §5): the envelope itself, or its digest where the type
// is detached, with the authority of its signer and the operator's time.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "absl/status/statusor.h"
#include "core/base/strong_int.h"
#include "core/crypto/digest.h"
#include "core/statement/dsse.h"

namespace stele {

struct DetachedEnvelope {
  Digest digest;  // of the canonical envelope, kept as content
  KeyId key;
  std::string predicate_type;
  uint64_t size = 0;  // bytes of the canonical envelope
};

struct Entry {
  EventIndex authority;
  TimeMs logged;
  std::variant<StoredEnvelope, DetachedEnvelope> body;
};

// The leaf of an inline entry. `envelope` is FormatEnvelope's output. LEAF_TOO_LARGE (RESOURCE is
// the caller's: INVALID_ARGUMENT) if over limits::kLeafBytes.
absl::StatusOr<std::string> BuildInlineLeaf(EventIndex authority, std::string_view envelope,
                                            TimeMs logged);
absl::StatusOr<std::string> BuildDetachedLeaf(EventIndex authority,
                                              const DetachedEnvelope& detached, TimeMs logged);

// The envelope of a detached entry, as it is kept as content: its own RFC 8785 form, strictly read.
absl::StatusOr<StoredEnvelope> ParseKeptEnvelope(std::string_view content);

// The strict check of a stored leaf: its own canonical form, exactly its members. Refusals with the
// golden vectors' reasons. LEAF_TOO_LARGE first.
absl::StatusOr<Entry> ParseLeaf(std::string_view leaf);

// The times of neighbours in a log: TIME_DECREASED (DATA_LOSS, the log's fault) if `logged` is
// before that of the entry before.
absl::Status CheckTimeOrder(TimeMs previous, TimeMs logged);

}  // namespace stele
