#include "store/index/subject_rows.h"

#include <variant>

#include "absl/container/flat_hash_set.h"
#include "core/crypto/sha256.h"

namespace stele::store {
namespace {

bool StandsElsewhere(StatementType type, const Subject& subject) {
  switch (type) {
    case StatementType::kGenesis:
    case StatementType::kKeyGrant:
    case StatementType::kKeyRevoke:
    case StatementType::kKeyIntroduction:
      return true;
    case StatementType::kPublication:
      return subject.kind == Subject::Kind::kRecord;
    default:
      return false;
  }
}

}  // namespace

Digest CopiesOf(const ReplayKey& key) {
  return Sha256(
      {"stele copies of a detached statement\n", key.payload.bytes(), key.signer.bytes()});
}

std::vector<SubjectRow> SubjectRowsOf(const Statement& statement, EntryIndex index,
                                      const KeyId& signer, EventIndex authority) {
  const auto* withholding = std::get_if<Withholding>(&statement.predicate);
  std::vector<SubjectRow> rows;
  absl::flat_hash_set<Digest> seen;  // a foreign statement may name a digest twice
  const auto add = [&](const Digest& subject) {
    if (!seen.insert(subject).second) return;
    rows.push_back({.subject = subject,
                    .index = index,
                    .type = statement.type,
                    .signer = signer,
                    .authority = authority,
                    .withheld = withholding != nullptr && withholding->withheld});
  };
  for (const Subject& subject : statement.subjects) {
    if (!StandsElsewhere(statement.type, subject)) add(subject.digest);
  }
  if (withholding != nullptr) add(kWithholdings);
  return rows;
}

}  // namespace stele::store
