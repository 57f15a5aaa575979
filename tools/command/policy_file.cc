#include "tools/command/policy_file.h"

#include <string_view>

#include "core/base/concat.h"
#include "core/base/limits.h"
#include "tools/command/exit_code.h"
#include "tools/command/output.h"
#include "tools/io/file.h"

namespace stele::tools {

absl::StatusOr<TrustPolicy> ReadPolicyFile(const std::string& path) {
  absl::StatusOr<std::string> text = ReadFileAtMost(path, limits::kTrustPolicyBytes);
  if (!text.ok()) return UsageError(Concat("--policy: ", std::string(text.status().message())));
  absl::StatusOr<TrustPolicy> policy = ParseTrustPolicy(*text);
  if (!policy.ok()) {
    return UsageError(Concat(path, ": ", std::string(policy.status().message())));
  }
  if (policy->logs.empty()) return UsageError(Concat(path, ": there is no line `log VKEY`"));
  for (const std::string& warning : policy->Warnings()) Complain(Concat(path, ": ", warning));
  return policy;
}

}  // namespace stele::tools
