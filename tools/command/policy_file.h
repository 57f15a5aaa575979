// The file that --policy names (C2SP tlog-policy).
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "core/tlog/trust_policy.h"

namespace stele::tools {

// Usage errors that name file and line; one also if the policy names no log. What the policy's
// warnings say goes to standard error.
absl::StatusOr<TrustPolicy> ReadPolicyFile(const std::string& path);

}  // namespace stele::tools
