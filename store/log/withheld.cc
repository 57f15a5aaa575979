#include "store/log/withheld.h"

#include <string>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"

namespace stele::store {
namespace {

bool NamesContent(StatementType type) {
  switch (type) {
    case StatementType::kPublication:
    case StatementType::kVerification:
    case StatementType::kReproduction:
    case StatementType::kNote:
    case StatementType::kRetraction:
    case StatementType::kForeign:
      return true;
    default:
      return false;
  }
}

class Check {
 public:
  Check(const LogEvents& events, const KeyRing& ring) : events_(events), ring_(ring) {}

  absl::Status Digest(const stele::Digest& digest, const std::string& place) const {
    const std::optional<EntryIndex> by = events_.WithheldBy(ring_, digest);
    if (!by) return absl::OkStatus();
    return Refuse(absl::StatusCode::kFailedPrecondition, reason::kWithheld, place,
                  Concat(digest.ToText(), " is withheld by entry ", by->value(), " of the log"));
  }

  absl::Status Subjects(const Statement& statement) const {
    const bool foreign = statement.type == StatementType::kForeign;
    for (size_t i = 0; i < statement.subjects.size(); ++i) {
      const Subject& subject = statement.subjects[i];
      // Of a foreign statement only some subjects are read: their numbers are not the payload's.
      const std::string place = foreign ? "/subject" : Concat("/subject/", i);
      STELE_RETURN_IF_ERROR(Digest(subject.digest, place));
      if (!subject.manifest) continue;
      STELE_RETURN_IF_ERROR(Digest(*subject.manifest, place + "/annotations/manifest"));
    }
    return absl::OkStatus();
  }

 private:
  const LogEvents& events_;
  const KeyRing& ring_;
};

}  // namespace

absl::Status CheckNotWithheld(const LogEvents& events, const KeyRing& ring,
                              const Statement& statement, const std::optional<Digest>& envelope) {
  if (!events.HasWithholdings() || !NamesContent(statement.type)) return absl::OkStatus();
  const Check check(events, ring);
  STELE_RETURN_IF_ERROR(check.Subjects(statement));
  return envelope ? check.Digest(*envelope, "") : absl::OkStatus();
}

}  // namespace stele::store
