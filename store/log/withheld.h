// What is withheld is not taken in again (formats §4, rule 29; admission, not validity). Pure.
#pragma once

#include <optional>

#include "absl/status/status.h"
#include "core/replay/events.h"
#include "core/statement/statement.h"

namespace stele::store {

// WITHHELD (FAILED_PRECONDITION) if the statement names a withheld digest: one of its subjects, the
// manifest of one, or its own envelope (`envelope`, where it is logged detached). What a predicate
// or a record refers to is not named. Events about keys, the log and withholding itself name no
// content. Costs nothing while nothing is withheld.
absl::Status CheckNotWithheld(const LogEvents& events, const KeyRing& ring,
                              const Statement& statement, const std::optional<Digest>& envelope);

}  // namespace stele::store
