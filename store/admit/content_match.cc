#include "store/admit/content_match.h"

#include <optional>
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

// Of content that is stored; nothing if it is not.
absl::StatusOr<std::optional<uint64_t>> StoredSize(const Digest& digest, const Reader& reader) {
  const absl::StatusOr<ArtifactRow> artifact = reader.Artifact(digest);
  if (artifact.ok()) return std::optional(artifact->size);
  if (!absl::IsNotFound(artifact.status())) return artifact.status();
  const absl::StatusOr<std::string> bytes = reader.Content(digest);
  if (bytes.ok()) return std::optional<uint64_t>(bytes->size());
  if (!absl::IsNotFound(bytes.status())) return bytes.status();
  return std::optional<uint64_t>();
}

absl::Status OtherSize(size_t n, uint64_t is, uint64_t said) {
  return RefuseInput(reason::kContentMismatch, SubjectPlace(n) + "/annotations/size",
                     absl::StrCat("the artifact has ", is, " bytes, not ", said));
}

absl::Status TakeArtifact(const Subject& subject, size_t n, const Reader& reader,
                          ArtifactStage& stage, MatchedContent& matched) {
  // Claimed before it is looked up: what was staged may become content at any time.
  std::shared_ptr<const void> held = stage.Claim(subject.digest, subject.size);
  STELE_ASSIGN_OR_RETURN(const std::optional<uint64_t> stored, StoredSize(subject.digest, reader));
  if (stored) {
    return *stored == subject.size ? absl::OkStatus() : OtherSize(n, *stored, subject.size);
  }
  if (held != nullptr) {
    matched.artifacts.push_back({subject.digest, subject.size, {}});
    matched.held.push_back(std::move(held));
    return absl::OkStatus();
  }
  // The reader may be older than the publication that made it content.
  STELE_ASSIGN_OR_RETURN(const std::optional<ArtifactState> now, stage.Find(subject.digest));
  if (now && now->size != subject.size) return OtherSize(n, now->size, subject.size);
  if (now && now->phase == ArtifactState::Phase::kStored) return absl::OkStatus();
  return RefuseInput(
      reason::kMissingContent, SubjectPlace(n),
      absl::StrCat("of the artifact ", subject.digest.ToText(), " ", now ? now->held : 0, " of ",
                   subject.size, " bytes are here; upload it first (stele artifact put)"));
}

}  // namespace

absl::StatusOr<MatchedContent> MatchContent(const Statement& statement,
                                            const std::vector<std::string>& manifests,
                                            const Reader& reader, ArtifactStage& stage) {
  STELE_RETURN_IF_ERROR(CheckSize(manifests));
  MatchedContent matched;
  if (statement.type != StatementType::kPublication) {
    if (!manifests.empty()) return LeftOver(0);
    return matched;
  }
  if (manifests.size() > statement.subjects.size()) return LeftOver(statement.subjects.size());
  STELE_ASSIGN_OR_RETURN(SentByDigest sent, Parse(manifests));
  matched.rows.reserve(2 * manifests.size());
  for (size_t n = 0; n < statement.subjects.size(); ++n) {
    const Subject& subject = statement.subjects[n];
    if (subject.kind == Subject::Kind::kRecord) {
      STELE_RETURN_IF_ERROR(TakeRecord(subject, n, sent, matched.rows));
    } else {
      STELE_RETURN_IF_ERROR(TakeArtifact(subject, n, reader, stage, matched));
    }
  }
  size_t left = manifests.size();
  for (const auto& [digest, manifest] : sent) left = std::min(left, manifest.place);
  if (left < manifests.size()) return LeftOver(left);
  return matched;
}

}  // namespace stele::store
