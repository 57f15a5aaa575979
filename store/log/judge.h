// Whether a statement may stand at a position (formats §4, rule 22), as far as the types go that
// this server admits. Pure.
#pragma once

#include "absl/status/status.h"
#include "core/base/strong_int.h"
#include "core/statement/key_ring.h"
#include "core/statement/statement.h"

namespace stele::store {

// The signer's key is brought by an event below, or by the genesis itself: else UNKNOWN_KEY.
absl::Status CheckKeyKnown(const KeyRing& ring, const Statement& statement, const KeyId& signer,
                           EntryIndex index);

// Genesis' place, role, `after`, then the type's own conditions. `ring` is that below `index`.
absl::Status Judge(const KeyRing& ring, const Statement& statement, const KeyId& signer,
                   EntryIndex index);

// TYPE_NOT_ADMITTED (UNIMPLEMENTED) and, for genesis, GENESIS (INVALID_ARGUMENT): what a server in
// operation takes. OK for the rest.
absl::Status CheckTypeAdmitted(const Statement& statement);

// The `authority` of what `signer` says at `index`.
EventIndex AuthorityOf(const KeyRing& ring, const KeyId& signer, EntryIndex index);

}  // namespace stele::store
