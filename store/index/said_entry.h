// One entry read for an answer: who, when, and what it says if that may be read. Pure but for what
// it reads of one moment.
#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "core/statement/statement.h"
#include "store/read/reader.h"

namespace stele::store {

struct SaidEntry {
  EntryIndex index;
  TimeMs logged;
  KeyId signer;
  EventIndex authority;
  std::string predicate_type;
  std::optional<EntryIndex> withheld_by;  // of a detached entry whose envelope is
  // Nothing if the envelope is withheld or not there.
  std::optional<Statement> statement;
};

// Of a valid entry: what cannot be read of it is DATA_LOSS.
absl::StatusOr<SaidEntry> ReadSaidEntry(const Reader& reader, EntryIndex index);

// What made `authority` the authority of what `signer` said: the role that it had there.
std::optional<Role> RoleAt(const KeyRing& ring, const KeyId& signer, EventIndex authority);

}  // namespace stele::store
