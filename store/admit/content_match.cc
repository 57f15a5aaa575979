#include "store/admit/content_match.h"

#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/record/manifest.h"

namespace stele::store {
namespace {

struct Sent {
  size_t place;  // among the manifests of the request
  Manifest manifest;
};
using SentByDigest = absl::flat_hash_map<Digest, Sent>;

std::string ManifestPlace(size_t n) { return absl::StrCat("/manifests/", n); }
std::string SubjectPlace(size_t n) { return absl::StrCat("/subject/", n); }

absl::Status CheckSize(const std::vector<std::string>& manifests) {
  size_t bytes = 0;
  for (const std::string& manifest : manifests) bytes += manifest.size();
  if (bytes <= limits::kStatementContentBytes) return absl::OkStatus();
  return Refuse(absl::StatusCode::kResourceExhausted, reason::kTooLarge, "/manifests",
                absl::StrCat("the manifests of one statement have ", bytes, " bytes, at most ",
                             limits::kStatementContentBytes,
                             " are taken; sign statements of fewer subjects"));
}

absl::Status LeftOver(size_t place) {
  return RefuseInput(reason::kContentMismatch, ManifestPlace(place),
                     "no subject of the statement names this manifest; send only those it names");
}

absl::StatusOr<SentByDigest> Parse(const std::vector<std::string>& manifests) {
  SentByDigest sent;
  sent.reserve(manifests.size());
  for (size_t i = 0; i < manifests.size(); ++i) {
    absl::StatusOr<Manifest> manifest = ParseManifest(manifests[i]);
    if (!manifest.ok()) return PrefixPointer(manifest.status(), ManifestPlace(i));
    const Digest digest = manifest->manifest;
    if (!sent.try_emplace(digest, Sent{i, *std::move(manifest)}).second) return LeftOver(i);
  }
  return sent;
}

absl::Status TakeRecord(const Subject& subject, size_t n, SentByDigest& sent,
                        std::vector<ContentRow>& rows) {
  auto found = sent.find(*subject.manifest);
  if (found == sent.end()) {
    return RefuseInput(reason::kMissingContent, SubjectPlace(n),
                       "the manifest " + subject.manifest->ToText() +
                           " that this subject names was not sent with the statement");
  }
  Manifest& manifest = found->second.manifest;
  if (manifest.record != subject.digest) {
    return RefuseInput(reason::kContentMismatch, SubjectPlace(n),
                       "the manifest that this subject names is of record " +
                           manifest.record.ToText() + ", not of " + subject.digest.ToText());
  }
  if (manifest.manifest != manifest.record) {
    rows.push_back({.digest = manifest.manifest, .bytes = std::move(manifest.canonical)});
  }
  rows.push_back({.digest = manifest.record, .bytes = std::move(manifest.identity)});
  sent.erase(found);
  return absl::OkStatus();
}

absl::Status CheckArtifact(const Subject& subject, size_t n, const Reader& reader) {
  absl::StatusOr<std::string> bytes = reader.Content(subject.digest);
  if (absl::IsNotFound(bytes.status())) {  // what is withheld was refused before
    return RefuseInput(reason::kMissingContent, SubjectPlace(n),
                       "the artifact " + subject.digest.ToText() + " is not stored here");
  }
  if (!bytes.ok()) return bytes.status();
  if (bytes->size() == subject.size) return absl::OkStatus();
  return RefuseInput(
      reason::kContentMismatch, SubjectPlace(n) + "/annotations/size",
      absl::StrCat("the artifact has ", bytes->size(), " bytes, not ", subject.size));
}

}  // namespace

absl::StatusOr<std::vector<ContentRow>> MatchContent(const Statement& statement,
                                                     const std::vector<std::string>& manifests,
                                                     const Reader& reader) {
  STELE_RETURN_IF_ERROR(CheckSize(manifests));
  if (statement.type != StatementType::kPublication) {
    if (!manifests.empty()) return LeftOver(0);
    return std::vector<ContentRow>();
  }
  if (manifests.size() > statement.subjects.size()) return LeftOver(statement.subjects.size());
  STELE_ASSIGN_OR_RETURN(SentByDigest sent, Parse(manifests));
  std::vector<ContentRow> rows;
  rows.reserve(2 * manifests.size());
  for (size_t n = 0; n < statement.subjects.size(); ++n) {
    const Subject& subject = statement.subjects[n];
    if (subject.kind == Subject::Kind::kRecord) {
      STELE_RETURN_IF_ERROR(TakeRecord(subject, n, sent, rows));
    } else {
      STELE_RETURN_IF_ERROR(CheckArtifact(subject, n, reader));
    }
  }
  size_t left = manifests.size();
  for (const auto& [digest, manifest] : sent) left = std::min(left, manifest.place);
  if (left < manifests.size()) return LeftOver(left);
  return rows;
}

}  // namespace stele::store
