#include "core/citation/verify.h"

#include <algorithm>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/citation/shown_replay.h"
#include "core/crypto/sha256.h"
#include "core/record/manifest.h"

namespace stele {
namespace {

absl::Status CheckContent(const Citation& citation, std::string_view origin) {
  const std::string permalink = Permalink(origin, citation.record);
  if (citation.permalink != permalink) {
    return RefuseInput(reason::kPermalink, "/permalink", Concat("expected ", permalink));
  }
  if (Sha256(citation.identity) != citation.record) {
    return RefuseInput(reason::kIdentityMismatch, "/identity",
                       Concat("the bytes do not hash to ", citation.record.ToText()));
  }
  const absl::StatusOr<Manifest> manifest = ParseManifest(citation.manifest);
  if (manifest.ok() && manifest->canonical == citation.manifest &&
      manifest->record == citation.record) {
    return absl::OkStatus();
  }
  return RefuseInput(reason::kManifestMismatch, "/manifest",
                     Concat("this is no manifest of ", citation.record.ToText()));
}

absl::Status CheckProofs(const Citation& citation, const Checkpoint& checkpoint) {
  for (size_t at = 0; at < citation.entries.size(); ++at) {
    const CitationEntry& entry = citation.entries[at];
    STELE_RETURN_IF_ERROR(
        PrefixPointer(VerifyInclusion(entry.index, checkpoint.size, LeafHash(entry.leaf),
                                      entry.proof, checkpoint.root),
                      Concat("/entries/", at, "/proof")));
  }
  if (citation.entries.front().index == EntryIndex(0)) return absl::OkStatus();
  return RefuseInput(reason::kGenesis, "/entries/0",
                     "the first entry shown is not that of genesis");
}

// Rule 32: one log key that is current at this size, and that the policy knows, has signed.
absl::Status CheckLogKeys(const Replay& replay, CitationVerdict& verdict) {
  const std::vector<std::string>& signers = verdict.checkpoint.signers;
  bool counts = false;
  for (const LogKeySpan& span : replay.LogKeys()) {
    if (!span.Current(verdict.checkpoint.checkpoint.size)) continue;
    const std::string vkey = span.key.ToVkey();
    const bool signed_by = std::find(signers.begin(), signers.end(), vkey) != signers.end();
    counts = counts || signed_by;
    if (!signed_by) verdict.missing_log_keys.push_back(vkey);
  }
  if (counts) return absl::OkStatus();
  return RefuseInput(
      reason::kLogKeyRetired, "",
      "no log key that is current at this size and that the policy knows has signed");
}

absl::Status CheckPublications(const Replay& replay, CitationVerdict& verdict) {
  const std::optional<KeyId> owner = replay.OwnerOf(verdict.record);
  if (!owner) {
    return RefuseInput(reason::kNoPublication, "/entries",
                       "no publication of the record that counts is shown");
  }
  verdict.owner = *owner;
  for (const RecordPublication& publication : replay.records().PublicationsOf(verdict.record)) {
    if (publication.manifest == verdict.manifest) return absl::OkStatus();
  }
  return RefuseInput(reason::kManifestMismatch, "/manifest",
                     Concat("no publication shown names ", verdict.manifest.ToText()));
}

// A withholding is about a digest, not about the record.
bool IsAbout(const Statement& statement, const Digest& record) {
  return statement.type != StatementType::kWithholding &&
         std::any_of(statement.subjects.begin(), statement.subjects.end(),
                     [&](const Subject& subject) { return subject.digest == record; });
}

void ListEntries(const ShownReplay& shown, CitationVerdict& verdict) {
  const Replay& replay = shown.replay();
  for (const ReadEntry& entry : shown.entries()) {
    const Said& said = entry.said;
    if (const auto revocation = replay.DisputedBy(said.index)) {
      verdict.disputed.emplace_back(said.index, *revocation);
    }
    if (!said.HasStatement()) verdict.withheld_entries.push_back(said.index);
    if (!replay.Counts(said.index) || !IsAbout(said.statement, verdict.record)) continue;
    verdict.about.push_back(
        {said.index, said.statement.type, said.statement.predicate_type, said.signer, said.logged});
  }
  for (const EntryFault& fault : replay.Faults()) verdict.time_faults.push_back(fault.index);
}

}  // namespace

absl::StatusOr<CitationVerdict> VerifyCitation(const Citation& citation,
                                               const TrustPolicy& policy) {
  CitationVerdict verdict;
  STELE_ASSIGN_OR_RETURN(verdict.checkpoint, OpenCheckpoint(citation.checkpoint, policy));
  const Checkpoint& checkpoint = verdict.checkpoint.checkpoint;
  verdict.record = citation.record;
  verdict.manifest = Sha256(citation.manifest);
  verdict.entries = citation.entries.size();
  STELE_RETURN_IF_ERROR(CheckContent(citation, checkpoint.origin));
  STELE_RETURN_IF_ERROR(CheckProofs(citation, checkpoint));
  ShownReplay shown(citation.entries, citation.record, checkpoint.origin);
  STELE_RETURN_IF_ERROR(shown.Judge());
  const Replay& replay = shown.replay();
  STELE_RETURN_IF_ERROR(CheckLogKeys(replay, verdict));
  STELE_RETURN_IF_ERROR(CheckPublications(replay, verdict));
  ListEntries(shown, verdict);
  verdict.withheld = replay.IsWithheld(verdict.record) || replay.IsWithheld(verdict.manifest);
  if (const auto retraction = replay.RetractionOf(verdict.record)) {
    verdict.retracted = true;
    verdict.superseded_by = retraction->superseded_by;
  }
  return verdict;
}

}  // namespace stele
