// A checkpoint judged by a trust policy: signed by a log that the policy names, and cosigned by
// enough of its witnesses. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/tlog/checkpoint.h"
#include "core/tlog/cosignature.h"
#include "core/tlog/trust_policy.h"

namespace stele {

// A witness of the policy that cosigned.
struct Cosigner {
  std::string name;  // in the policy
  std::string vkey;
  CosignatureTime time;  // of the oldest of its lines
};

struct TrustedCheckpoint {
  Checkpoint checkpoint;
  std::vector<std::string> signers;  // vkeys of the logs in the policy that signed
  std::vector<Cosigner> cosigners;   // every witness that cosigned, in the policy's order
};

// What OpenCheckpoint refuses; CHECKPOINT_SIGNATURE also for a cosignature of a known witness that
// does not verify; CHECKPOINT_QUORUM if too few witnesses cosigned. Lines of unknown keys are
// ignored. The caller refuses the source: none of these is ever retried, but a checkpoint that
// lacks only its quorum may get it later.
absl::StatusOr<TrustedCheckpoint> OpenCheckpoint(std::string_view note, const TrustPolicy& policy);

// Is the policy's quorum met if `cosigned[i]` says whether witness i cosigned? One for each
// witness.
bool MeetsQuorum(const TrustPolicy& policy, const std::vector<bool>& cosigned);

}  // namespace stele
