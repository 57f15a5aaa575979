#include "core/replay/content.h"

#include <algorithm>

#include "core/base/refusal.h"
#include "core/crypto/sha256.h"
#include "core/record/manifest.h"

namespace stele {
namespace {

// The record that the bytes are a manifest of, if they are its RFC 8785 form.
std::optional<Digest> RecordOf(std::string_view bytes) {
  const absl::StatusOr<Manifest> manifest = ParseManifest(bytes);
  if (!manifest.ok() || manifest->canonical != bytes) return std::nullopt;
  return manifest->record;
}

}  // namespace

// Manifests first: with one at hand the identity body need not be read, its digest says it all.
// Artifacts after both.
ContentCheck::ContentCheck(const Statement& statement) {
  if (statement.type != StatementType::kPublication) return;
  subjects_ = statement.subjects;
  for (const Subject& subject : subjects_) {
    if (subject.manifest) wanted_.push_back(*subject.manifest);
  }
  for (const Subject& subject : subjects_) wanted_.push_back(subject.digest);
  std::vector<Digest> once;
  for (const Digest& digest : wanted_) {
    if (facts_.try_emplace(digest).second) once.push_back(digest);
  }
  wanted_ = std::move(once);
  facts_.clear();
  has_artifacts_ = std::any_of(subjects_.begin(), subjects_.end(),
                               [](const Subject& subject) { return !subject.manifest; });
  if (!has_artifacts_) return;
  std::stable_sort(wanted_.begin(), wanted_.end(), [this](const Digest& a, const Digest& b) {
    return ArtifactSize(a) < ArtifactSize(b);
  });
}

// As a manifest, or as the identity body of a record whose manifest is not there.
bool ContentCheck::HasToBeRead(const Digest& digest) const {
  return std::any_of(subjects_.begin(), subjects_.end(), [&](const Subject& subject) {
    if (!subject.manifest) return false;
    return *subject.manifest == digest ||
           (subject.digest == digest && !facts_.contains(*subject.manifest));
  });
}

void ContentCheck::Take(const std::optional<std::string>& bytes) {
  const Digest& digest = wanted_[taken_++];
  if (!bytes || Sha256(*bytes) != digest) return;
  bytes_ += bytes->size();
  Facts facts{.size = bytes->size()};
  if (HasToBeRead(digest)) {
    facts.looked = true;
    facts.record = RecordOf(*bytes);
  }
  facts_[digest] = facts;
}

std::optional<uint64_t> ContentCheck::ArtifactSize(const Digest& digest) const {
  std::optional<uint64_t> size;
  if (!has_artifacts_) return size;
  for (const Subject& subject : subjects_) {
    const bool named = subject.digest == digest;
    if (subject.manifest && (named || *subject.manifest == digest)) return std::nullopt;
    if (named) size = subject.size;
  }
  return size;
}

void ContentCheck::TakeArtifact(std::optional<uint64_t> size) {
  const Digest& digest = wanted_[taken_++];
  if (!size) return;
  bytes_ += *size;
  facts_[digest] = {.size = *size};
}

void ContentCheck::AddFaults(const Subject& record, std::vector<ContentFault>& faults) const {
  const auto manifest = facts_.find(*record.manifest);
  const auto identity = facts_.find(record.digest);
  if (manifest == facts_.end()) {
    faults.push_back({*record.manifest, std::string(reason::kMissingContent)});
  } else if (manifest->second.record != record.digest) {
    faults.push_back({*record.manifest, std::string(reason::kContentMismatch)});
  }
  if (record.digest == *record.manifest) return;
  if (identity == facts_.end()) {
    faults.push_back({record.digest, std::string(reason::kMissingContent)});
  } else if (identity->second.looked && identity->second.record != record.digest) {
    faults.push_back({record.digest, std::string(reason::kContentMismatch)});
  }
}

std::vector<ContentFault> ContentCheck::Faults() const {
  std::vector<ContentFault> faults;
  for (const Subject& subject : subjects_) {
    if (subject.manifest) {
      AddFaults(subject, faults);
      continue;
    }
    const auto artifact = facts_.find(subject.digest);
    if (artifact == facts_.end()) {
      faults.push_back({subject.digest, std::string(reason::kMissingContent)});
    } else if (artifact->second.size != subject.size) {
      faults.push_back({subject.digest, std::string(reason::kContentMismatch)});
    }
  }
  return faults;
}

}  // namespace stele
