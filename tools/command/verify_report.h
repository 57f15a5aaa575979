// What `stele verify` says that it checked: lines for people, or one JSON document.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "core/citation/verify.h"
#include "core/json/value.h"
#include "core/tlog/tlog_proof.h"

namespace stele::tools {

// Each check on a line of its own, and last what it does not show. `policy` is the one that the
// verdict is by.
std::string CitationReport(const CitationVerdict& verdict, const TrustPolicy& policy);
json::Value CitationReportJson(const CitationVerdict& verdict, const TrustPolicy& policy);

std::string ProofReport(const TlogProof& proof, const Hash& leaf_hash,
                        const TrustedCheckpoint& checkpoint, const TrustPolicy& policy);
json::Value ProofReportJson(const TlogProof& proof, const Hash& leaf_hash,
                            const TrustedCheckpoint& checkpoint, const TrustPolicy& policy);

// {"verified":false, "message", "reason", "pointer"}.
json::Value RefusalJson(const absl::Status& refusal);

}  // namespace stele::tools
