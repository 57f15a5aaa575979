#include "store/index/log_evidence.h"

#include <algorithm>
#include <string>
#include <variant>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "store/index/index_keys.h"
#include "store/index/said_entry.h"
#include "store/index/trust.h"

namespace stele::store {

using kernelindex::LoggedVerification;
using kernelindex::RecordFacts;

absl::StatusOr<RecordFacts> LogEvidence::FactsOf(const Digest& record) const {
  STELE_ASSIGN_OR_RETURN(const RecordTrust trust, ReadTrust(reader_, record));
  RecordFacts facts;
  facts.published = trust.published();
  facts.counts = trust.counts();
  facts.retracted = trust.retracted();
  facts.withheld = trust.withheld_by.has_value();
  STELE_ASSIGN_OR_RETURN(const std::optional<Digest> successor, ReadSuccessor(reader_, trust));
  facts.superseded = successor.has_value();
  if (!facts.published || facts.withheld) return facts;
  const absl::StatusOr<std::string> body = reader_.Content(record);
  if (absl::IsNotFound(body.status())) return facts;
  STELE_RETURN_IF_ERROR(body.status());
  facts.profile = kernelindex::ReadProfile(*body);
  return facts;
}

absl::StatusOr<bool> LogEvidence::HasPublished(const KeyId& key, const Digest& record) const {
  STELE_ASSIGN_OR_RETURN(const Reader::Publications all, reader_.PublicationsOf(record));
  return std::any_of(all.rows.begin(), all.rows.end(),
                     [&](const PublicationRow& row) { return row.signer == key; });
}

absl::StatusOr<LoggedVerification> LogEvidence::ReadVerification(EntryIndex index) const {
  STELE_ASSIGN_OR_RETURN(const SaidEntry said, ReadSaidEntry(reader_, index));
  const auto* verification =
      said.statement ? std::get_if<Verification>(&said.statement->predicate) : nullptr;
  if (verification == nullptr) {
    return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "",
                  Concat("entry ", index.value(), " is no verification, as a row says"));
  }
  const KeyRing& ring = reader_.ring();
  return LoggedVerification{
      .index = index,
      .record = said.statement->subjects.front().digest,
      .signer = said.signer,
      .passed = verification->passed,
      .rerun = verification->rerun,
      .by_runner = RoleAt(ring, said.signer, said.authority) == Role::kRunner,
      .disputed = ring.DisputedBy(index, said.signer, said.authority).has_value()};
}

absl::StatusOr<std::vector<LoggedVerification>> LogEvidence::VerificationsAbout(
    const Digest& record) const {
  STELE_ASSIGN_OR_RETURN(const Reader::Subjects subjects, reader_.SubjectsOf(record));
  std::vector<LoggedVerification> found;
  for (const SubjectRow& row : subjects.rows) {
    if (row.type != StatementType::kVerification) continue;
    if (row.index.value() >= index_.position().applied.value()) continue;
    STELE_ASSIGN_OR_RETURN(LoggedVerification read, ReadVerification(row.index));
    found.push_back(std::move(read));
  }
  return found;
}

absl::StatusOr<std::vector<LoggedVerification>> LogEvidence::VerificationsCiting(
    const Digest& rerun) const {
  const std::string prefix = VerificationsPrefix(rerun);
  std::vector<LoggedVerification> found;
  STELE_RETURN_IF_ERROR(
      VisitPrefix(index_, prefix, [&](std::string_view key, std::string_view) -> absl::Status {
        const auto parts = ParseVerification(key.substr(prefix.size()));
        if (!parts) {
          return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "",
                        Concat(NameOfIndexRow(key), " has a key that is none"));
        }
        if (parts->index.value() >= index_.position().applied.value()) return absl::OkStatus();
        STELE_ASSIGN_OR_RETURN(LoggedVerification read, ReadVerification(parts->index));
        found.push_back(std::move(read));
        return absl::OkStatus();
      }));
  return found;
}

}  // namespace stele::store
