// What the log says about records that were pushed: who pushes a retracted one again must notice.
#pragma once

#include <functional>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "core/crypto/digest.h"
#include "tools/command/session.h"
#include "tools/input/document.h"

namespace stele::tools {

// Keeps one digest of each record. One thread.
class PushedStandings {
 public:
  void Note(const Document& document);
  // Asks about all of them, a line for each that is retracted, disputed or withheld; the first ones
  // only, then how many more there are. If the server cannot be asked, that is said.
  void Tell(const Session& session, const std::function<void(const std::string&)>& say) const;

 private:
  absl::flat_hash_set<Digest> records_;
};

}  // namespace stele::tools
