#include "store/log/find_facts.h"

#include <algorithm>
#include <utility>

#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"
#include "core/record/manifest.h"
#include "core/replay/judge.h"
#include "core/statement/entry.h"
#include "store/index/subject_rows.h"
#include "store/log/kept_envelope.h"

namespace stele::store {
namespace {

using FactsByDigest = absl::flat_hash_map<Digest, SubjectFacts>;

absl::StatusOr<SubjectFacts> FindRecord(const Snapshot& snapshot, const Digest& digest,
                                        const KeyId& signer) {
  STELE_ASSIGN_OR_RETURN(const std::vector<PublicationRow> rows, snapshot.Publications(digest));
  SubjectFacts facts;
  facts.published = facts.stored = !rows.empty();
  for (const PublicationRow& row : rows) {
    if (row.signer == signer) facts.by_signer.push_back({row.index, row.signer, row.authority});
  }
  return facts;
}

absl::StatusOr<bool> IsPublishedArtifact(const Snapshot& snapshot, const Digest& digest) {
  STELE_ASSIGN_OR_RETURN(const std::vector<SubjectRow> rows, snapshot.Subjects(digest));
  return std::any_of(rows.begin(), rows.end(),
                     [](const SubjectRow& row) { return row.type == StatementType::kPublication; });
}

// Manifests have no rows of their own: the bytes say of which record, and that one's publications
// say whether one of them named this manifest. A manifest whose bytes are gone is not found.
absl::StatusOr<bool> IsPublishedManifest(const Snapshot& snapshot, const Digest& digest) {
  const absl::StatusOr<std::string> bytes = snapshot.Content(digest);
  if (absl::IsNotFound(bytes.status())) return false;
  STELE_RETURN_IF_ERROR(bytes.status());
  const absl::StatusOr<Manifest> manifest = ParseManifest(*bytes);
  if (!manifest.ok() || manifest->manifest != digest) return false;
  STELE_ASSIGN_OR_RETURN(const std::vector<PublicationRow> rows,
                         snapshot.Publications(manifest->record));
  return std::any_of(rows.begin(), rows.end(),
                     [&](const PublicationRow& row) { return row.manifest == digest; });
}

absl::StatusOr<FactsByDigest> FindRecords(const Snapshot& snapshot, const Statement& statement,
                                          const KeyId& signer) {
  FactsByDigest facts;
  for (const Subject& subject : statement.subjects) {
    STELE_ASSIGN_OR_RETURN(facts[subject.digest], FindRecord(snapshot, subject.digest, signer));
  }
  return facts;
}

// The cheap looks at all of them first.
absl::StatusOr<FactsByDigest> FindAnyStored(const Snapshot& snapshot, const Statement& statement,
                                            const KeyId& signer) {
  FactsByDigest facts;
  for (const Subject& subject : statement.subjects) {
    STELE_ASSIGN_OR_RETURN(SubjectFacts record, FindRecord(snapshot, subject.digest, signer));
    if (!record.stored) continue;
    facts[subject.digest] = std::move(record);
    return facts;
  }
  for (const auto look : {IsPublishedArtifact, IsPublishedManifest}) {
    for (const Subject& subject : statement.subjects) {
      STELE_ASSIGN_OR_RETURN(const bool stored, look(snapshot, subject.digest));
      if (!stored) continue;
      facts[subject.digest].stored = true;
      return facts;
    }
  }
  return facts;
}

// Anybody may name the digest under which copies stand: only what an entry itself says counts.
absl::StatusOr<std::optional<DetachedCopy>> ReadCopy(const Snapshot& snapshot, EntryIndex index,
                                                     const ReplayKey& key) {
  STELE_ASSIGN_OR_RETURN(const EntryRow row, snapshot.Entry(index));
  STELE_ASSIGN_OR_RETURN(const Entry entry, ParseLeaf(row.leaf));
  const auto* detached = std::get_if<DetachedEnvelope>(&entry.body);
  if (detached == nullptr || detached->key != key.signer) return std::nullopt;
  STELE_ASSIGN_OR_RETURN(const std::optional<StoredEnvelope> envelope,
                         ReadKeptEnvelope(snapshot, *detached));
  if (!envelope || Sha256(envelope->payload) != key.payload) return std::nullopt;
  return DetachedCopy{index, detached->digest};
}

}  // namespace

absl::StatusOr<std::vector<DetachedCopy>> FindCopies(const Snapshot& snapshot,
                                                     const ReplayKey& key) {
  STELE_ASSIGN_OR_RETURN(const std::vector<SubjectRow> rows, snapshot.Subjects(CopiesOf(key)));
  std::vector<DetachedCopy> copies;
  for (const SubjectRow& row : rows) {
    if (row.signer != key.signer) continue;
    STELE_ASSIGN_OR_RETURN(const auto copy, ReadCopy(snapshot, row.index, key));
    if (copy) copies.push_back(*copy);
  }
  return copies;
}

absl::StatusOr<StatementFacts> FindStatementFacts(const Snapshot& snapshot,
                                                  const RecentReplays& recent,
                                                  const AdmittedStatement& statement) {
  const ReplayKey key{statement.payload_digest, statement.signer};
  StatementFacts facts;
  if (statement.detached) {
    STELE_ASSIGN_OR_RETURN(facts.copies, FindCopies(snapshot, key));
  } else if (recent.KnowsSince(statement.looked_up)) {
    facts.replay = recent.Find(key);
  } else {
    STELE_ASSIGN_OR_RETURN(facts.replay, snapshot.FindReplay(key));
  }
  STELE_ASSIGN_OR_RETURN(facts.subjects,
                         FindSubjectFacts(snapshot, statement.statement, statement.signer));
  return facts;
}

absl::StatusOr<FactsByDigest> FindSubjectFacts(const Snapshot& snapshot, const Statement& statement,
                                               const KeyId& signer) {
  switch (QuestionOf(statement.type)) {
    case SubjectQuestion::kPublished:
      return FindRecords(snapshot, statement, signer);
    case SubjectQuestion::kStored:
      return FindAnyStored(snapshot, statement, signer);
    case SubjectQuestion::kNone:
      break;
  }
  return FactsByDigest();
}

}  // namespace stele::store
