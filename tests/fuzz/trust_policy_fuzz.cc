// A policy that is read keeps its promises: every index is in range, groups name only what stands
// above them, and all witnesses together meet the quorum.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "core/tlog/quorum.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using Member = stele::TrustPolicy::Member;
  const auto policy =
      stele::ParseTrustPolicy(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!policy.ok()) return 0;
  const auto check = [&](const Member& member, size_t groups) {
    const bool witness = member.kind == Member::Kind::kWitness;
    if (member.index >= (witness ? policy->witnesses.size() : groups)) std::abort();
  };
  for (size_t i = 0; i < policy->groups.size(); ++i) {
    const stele::TrustPolicy::Group& group = policy->groups[i];
    if (group.threshold == 0 || group.threshold > group.members.size()) std::abort();
    for (const Member& member : group.members) check(member, i);
  }
  if (policy->quorum) check(*policy->quorum, policy->groups.size());
  const size_t witnesses = policy->witnesses.size();
  if (!stele::MeetsQuorum(*policy, std::vector<bool>(witnesses, true))) std::abort();
  if (stele::MeetsQuorum(*policy, std::vector<bool>(witnesses, false)) != !policy->quorum) {
    std::abort();
  }
  return 0;
}
