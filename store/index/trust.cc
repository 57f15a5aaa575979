#include "store/index/trust.h"

#include <algorithm>
#include <variant>

#include "core/base/status_macros.h"
#include "core/replay/successors.h"
#include "store/index/said_entry.h"

namespace stele::store {
namespace {

std::optional<KeyId> OwnerOf(const Reader::Publications& publications) {
  for (size_t i = 0; i < publications.rows.size(); ++i) {
    if (!publications.disputed[i]) return publications.rows[i].signer;
  }
  return std::nullopt;
}

bool Retracts(const KeyRing& ring, const SubjectRow& row, const std::optional<KeyId>& owner) {
  return row.signer == owner || RoleAt(ring, row.signer, row.authority) == Role::kOperator;
}

// The successors from the first on, into `retraction`.
absl::Status FollowChain(const Reader& reader, const Digest& record, RetractionRow& retraction) {
  const auto next_of = [&](const Digest& of) -> absl::StatusOr<std::optional<Digest>> {
    STELE_ASSIGN_OR_RETURN(const RecordTrust trust, ReadTrust(reader, of));
    return ReadSuccessor(reader, trust);
  };
  STELE_ASSIGN_OR_RETURN(retraction.chain_end, FollowSuccessors(record, retraction.superseded_by,
                                                                retraction.chain, next_of));
  return absl::OkStatus();
}

const Retraction* RetractionIn(const SaidEntry& said) {
  return said.statement ? std::get_if<Retraction>(&said.statement->predicate) : nullptr;
}

}  // namespace

std::optional<Digest> RecordTrust::manifest() const {
  for (size_t i = publications.rows.size(); i-- > 0;) {
    if (!publications.disputed[i] && publications.rows[i].signer == owner) {
      return publications.rows[i].manifest;
    }
  }
  return std::nullopt;
}

absl::StatusOr<RecordTrust> ReadTrust(const Reader& reader, const Digest& record) {
  RecordTrust trust;
  trust.record = record;
  trust.withheld_by = reader.WithheldBy(record);
  STELE_ASSIGN_OR_RETURN(trust.publications, reader.PublicationsOf(record));
  trust.owner = OwnerOf(trust.publications);
  STELE_ASSIGN_OR_RETURN(const Reader::Subjects subjects, reader.SubjectsOf(record));
  for (size_t i = 0; i < subjects.rows.size(); ++i) {
    const SubjectRow& row = subjects.rows[i];
    if (row.type != StatementType::kRetraction || subjects.disputed[i]) continue;
    if (Retracts(reader.ring(), row, trust.owner)) {
      trust.retractions.push_back(row);
    } else if (std::find(trust.withdrawn_by.begin(), trust.withdrawn_by.end(), row.signer) ==
               trust.withdrawn_by.end()) {
      trust.withdrawn_by.push_back(row.signer);
    }
  }
  return trust;
}

absl::StatusOr<std::optional<Digest>> ReadSuccessor(const Reader& reader,
                                                    const RecordTrust& trust) {
  for (const SubjectRow& row : trust.retractions) {
    STELE_ASSIGN_OR_RETURN(const SaidEntry said, ReadSaidEntry(reader, row.index));
    const Retraction* retraction = RetractionIn(said);
    if (retraction != nullptr && retraction->superseded_by) return retraction->superseded_by;
  }
  return std::optional<Digest>();
}

absl::StatusOr<std::optional<RetractionRow>> ReadRetraction(const Reader& reader,
                                                            const RecordTrust& trust) {
  if (!trust.retracted()) return std::optional<RetractionRow>();
  STELE_ASSIGN_OR_RETURN(const SaidEntry said,
                         ReadSaidEntry(reader, trust.retractions.front().index));
  RetractionRow row{.index = said.index, .signer = said.signer, .logged = said.logged};
  if (const Retraction* retraction = RetractionIn(said)) row.reason = retraction->reason;
  STELE_ASSIGN_OR_RETURN(row.superseded_by, ReadSuccessor(reader, trust));
  return std::optional(std::move(row));
}

absl::StatusOr<Standing> ReadStanding(const Reader& reader, const Digest& record) {
  STELE_ASSIGN_OR_RETURN(const RecordTrust trust, ReadTrust(reader, record));
  Standing standing;
  standing.record = record;
  standing.published = trust.published();
  if (trust.published()) standing.first = trust.publications.rows.front().index;
  standing.owner = trust.owner;
  standing.disputed = trust.published() && !trust.counts();
  standing.withdrawn_by = trust.withdrawn_by;
  standing.withheld_by = trust.withheld_by;
  STELE_ASSIGN_OR_RETURN(standing.retraction, ReadRetraction(reader, trust));
  if (standing.retraction) {
    STELE_RETURN_IF_ERROR(FollowChain(reader, record, *standing.retraction));
  }
  return standing;
}

}  // namespace stele::store
