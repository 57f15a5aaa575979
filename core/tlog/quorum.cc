#include "core/tlog/quorum.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"

namespace stele {
namespace {

// When the witness cosigned; nothing if it did not.
absl::StatusOr<std::optional<CosignatureTime>> CosignedAt(const Note& note,
                                                          const TrustPolicy::Witness& witness) {
  std::optional<CosignatureTime> oldest;
  if (!witness.cosigner) return oldest;
  for (const NoteSignature& line : note.signatures) {
    if (!IsOf(line, *witness.cosigner)) continue;
    STELE_ASSIGN_OR_RETURN(const CosignatureTime time,
                           VerifyCosignature(note.text, line, *witness.cosigner));
    oldest = oldest ? std::min(*oldest, time) : time;
  }
  return oldest;
}

std::string QuorumName(const TrustPolicy& policy) {
  const TrustPolicy::Member& member = *policy.quorum;
  if (member.kind == TrustPolicy::Member::Kind::kWitness) {
    return Concat("the witness ", policy.witnesses[member.index].name);
  }
  const TrustPolicy::Group& group = policy.groups[member.index];
  return Concat(group.threshold, " of the ", group.members.size(), " of group ", group.name);
}

}  // namespace

bool MeetsQuorum(const TrustPolicy& policy, const std::vector<bool>& cosigned) {
  if (!policy.quorum) return true;
  std::vector<bool> met;  // by group; a group names only those above it
  const auto counts = [&](const TrustPolicy::Member& member) {
    return member.kind == TrustPolicy::Member::Kind::kWitness ? cosigned[member.index]
                                                              : met[member.index];
  };
  for (const TrustPolicy::Group& group : policy.groups) {
    const auto enough = std::count_if(group.members.begin(), group.members.end(), counts);
    met.push_back(static_cast<size_t>(enough) >= group.threshold);
  }
  return counts(*policy.quorum);
}

absl::StatusOr<TrustedCheckpoint> OpenCheckpoint(std::string_view note, const TrustPolicy& policy) {
  STELE_ASSIGN_OR_RETURN(SignedCheckpoint opened, OpenCheckpoint(note, policy.LogKeys()));
  STELE_ASSIGN_OR_RETURN(const Note parsed, ParseNote(note));
  TrustedCheckpoint trusted{std::move(opened.checkpoint), std::move(opened.signers), {}};
  std::vector<bool> cosigned;
  for (const TrustPolicy::Witness& witness : policy.witnesses) {
    STELE_ASSIGN_OR_RETURN(const std::optional<CosignatureTime> time, CosignedAt(parsed, witness));
    cosigned.push_back(time.has_value());
    if (time) trusted.cosigners.push_back({witness.name, witness.vkey, *time});
  }
  if (!MeetsQuorum(policy, cosigned)) {
    return RefuseInput(reason::kCheckpointQuorum, "",
                       Concat("the policy demands cosignatures of ", QuorumName(policy), "; ",
                              trusted.cosigners.size(), " known witnesses cosigned"));
  }
  return trusted;
}

}  // namespace stele
