// What the log says about records that were pushed: who pushes a retracted one again must notice.
#pragma once

#include <functional>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "core/crypto/digest.h"
#include "tools/command/session.h"

namespace stele::tools {

// A line for each that is retracted, disputed or withheld; the first ones only, then how many more
// there are. If the server cannot be asked, that is said.
void TellStandings(const Session& session, const absl::flat_hash_set<Digest>& pushed,
                   const std::function<void(const std::string&)>& say);

}  // namespace stele::tools
