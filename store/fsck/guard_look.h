// A guard looked at beside whoever holds and writes it: no lock, nothing changes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "store/log/guard.h"

namespace stele::store {

struct GuardLook {
  std::optional<GuardIdentity> identity;  // nothing if the header does not verify
  std::optional<GuardPosition> position;  // nothing if no slot does
  std::vector<std::string> faults;        // what does not verify, in words
};

// NOT_FOUND if there is none, UNAVAILABLE or PERMISSION_DENIED if it cannot be read. What does not
// verify is looked at again for a while: somebody may just be writing it.
absl::StatusOr<GuardLook> LookAtGuard(const std::filesystem::path& path);

}  // namespace stele::store
