#include "client/trust_policy.h"

#include <sstream>

#include "core/base/concat.h"
#include "core/base/status_macros.h"

namespace stele::client {
namespace {

absl::Status BadLine(size_t number, std::string_view message) {
  return absl::InvalidArgumentError(Concat("line ", number, ": ", message));
}

absl::Status AddLogKey(std::istringstream& words, size_t number, TrustPolicy& policy) {
  std::string vkey;
  words >> vkey;
  absl::StatusOr<NoteVerifier> key = NoteVerifier::FromVkey(vkey);
  if (!key.ok()) return BadLine(number, std::string(key.status().message()));
  if (!policy.log_keys.empty() && key->name != policy.origin) {
    return BadLine(number, Concat("the keys are of two logs, ", policy.origin, " and ", key->name));
  }
  policy.origin = key->name;
  policy.log_keys.push_back(*std::move(key));
  return absl::OkStatus();
}

absl::Status ReadPolicyLine(const std::string& line, size_t number, TrustPolicy& policy,
                            bool& quorum) {
  std::istringstream words(line);
  std::string keyword;
  words >> keyword;
  if (keyword.empty() || keyword.front() == '#') return absl::OkStatus();
  if (keyword == "log") return AddLogKey(words, number, policy);
  if (keyword != "quorum") {
    return BadLine(
        number, Concat("expected log or quorum; ", keyword, " is not supported by this version"));
  }
  std::string name;
  words >> name;
  if (name != "none") return BadLine(number, "this version supports only `quorum none`");
  quorum = true;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<TrustPolicy> ParseTrustPolicy(std::string_view text) {
  std::istringstream lines{std::string(text)};
  TrustPolicy policy;
  bool quorum = false;
  std::string line;
  for (size_t number = 1; std::getline(lines, line); ++number) {
    STELE_RETURN_IF_ERROR(ReadPolicyLine(line, number, policy, quorum));
  }
  if (policy.log_keys.empty()) return absl::InvalidArgumentError("there is no line `log VKEY`");
  if (!quorum) return absl::InvalidArgumentError("there is no line `quorum none`");
  return policy;
}

}  // namespace stele::client
