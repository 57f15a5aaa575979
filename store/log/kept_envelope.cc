#include "store/log/kept_envelope.h"

#include <string>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"

namespace stele::store {

absl::StatusOr<std::optional<StoredEnvelope>> ReadKeptEnvelope(const Snapshot& snapshot,
                                                               const DetachedEnvelope& detached) {
  const absl::StatusOr<std::string> bytes = snapshot.Content(detached.digest);
  if (absl::IsNotFound(bytes.status())) return std::nullopt;
  STELE_RETURN_IF_ERROR(bytes.status());
  if (Sha256(*bytes) == detached.digest) {
    absl::StatusOr<StoredEnvelope> envelope = ParseKeptEnvelope(*bytes);
    if (envelope.ok()) return *std::move(envelope);
  }
  return Refuse(
      absl::StatusCode::kDataLoss, reason::kDamaged, "",
      Concat("the envelope ", detached.digest.ToText(), " is damaged; stele fsck says more"));
}

}  // namespace stele::store
