#include "store/log/genesis.h"

#include <utility>

#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"
#include "core/statement/dsse.h"
#include "core/tlog/checkpoint.h"
#include "store/log/commit.h"

namespace stele::store {

absl::StatusOr<AdmittedStatement> MakeGenesis(const GenesisOptions& options) {
  STELE_ASSIGN_OR_RETURN(NoteVerifier log_key,
                         NoteVerifier::Make(options.origin, options.log_key.public_key()));
  const Statement wanted{.type = StatementType::kGenesis,
                         .predicate_type = std::string(PredicateTypeOf(StatementType::kGenesis)),
                         .log = options.origin,
                         .subjects = {OriginSubject(options.origin)},
                         .predicate = Genesis{.log_key = std::move(log_key),
                                              .operator_key = options.operator_key.public_key(),
                                              .recovery_keys = options.recovery_keys,
                                              .predecessor = {}}};
  std::string payload = FormatStatement(wanted);
  // Read back by the rules for everybody: what would be refused is never signed.
  STELE_ASSIGN_OR_RETURN(Statement statement, ParseStatement(payload, options.origin));
  STELE_ASSIGN_OR_RETURN(std::string signature, options.operator_key.Sign(Pae(payload)));
  const KeyId signer = options.operator_key.public_key().id();
  AdmittedStatement admitted{.statement = std::move(statement),
                             .signer = signer,
                             .payload_digest = Sha256(payload),
                             .payload = {},
                             .envelope = FormatEnvelope(payload, signer, signature),
                             .detached = {},
                             .content = {},
                             .looked_up = {},
                             .guest = {}};
  admitted.payload = std::move(payload);
  return admitted;
}

absl::StatusOr<CommittedGenesis> CommitGenesis(Backend& backend, const GenesisOptions& options) {
  STELE_ASSIGN_OR_RETURN(auto snapshot, backend.GetSnapshot());
  if (snapshot->head().has_value()) {
    return absl::FailedPreconditionError("there is a log already: " + snapshot->head()->origin);
  }
  STELE_ASSIGN_OR_RETURN(AdmittedStatement admitted, MakeGenesis(options));
  STELE_ASSIGN_OR_RETURN(PlannedBatch planned, PlanBatch(EmptyLog(options.origin), {&admitted},
                                                         {StatementFacts()}, options.now));
  if (const auto* refused = std::get_if<absl::Status>(&planned.decisions.front())) return *refused;
  STELE_ASSIGN_OR_RETURN(const LogSigner signer,
                         LogSigner::Make(options.origin, {options.log_key}));
  STELE_RETURN_IF_ERROR(SignAndCommit(backend, signer, planned));
  return CommittedGenesis{planned.plan.head, planned.plan.entries.front().leaf_hash};
}

}  // namespace stele::store
