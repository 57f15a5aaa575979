#include "client/published.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "client/status.h"
#include "core/base/status_macros.h"
#include "core/statement/entry.h"

namespace stele::client {
namespace {

bool ByDigest(const Subject& a, const Subject& b) { return a.digest < b.digest; }

}  // namespace

PublishedSubjects::PublishedSubjects(std::vector<Subject> subjects)
    : subjects_(std::move(subjects)) {
  std::sort(subjects_.begin(), subjects_.end(), ByDigest);
}

absl::StatusOr<PublishedSubjects> PublishedSubjects::Read(std::string_view leaf,
                                                          std::string_view origin,
                                                          const PublicKey& signer) {
  absl::StatusOr<Entry> entry = ParseLeaf(leaf);
  if (!entry.ok()) return Untrusted("the entry of a publication", entry.status());
  const auto* envelope = std::get_if<StoredEnvelope>(&entry->body);
  if (envelope == nullptr || envelope->key != signer.id()) {
    return Untrusted("the entry is not signed by the key that the server says");
  }
  absl::StatusOr<Statement> statement = ParseStatement(envelope->payload, origin);
  if (!statement.ok()) return Untrusted("the entry of a publication", statement.status());
  if (statement->type != StatementType::kPublication) {
    return Untrusted("the entry is no publication");
  }
  const absl::Status valid = signer.Verify(Pae(envelope->payload), envelope->signature);
  if (!valid.ok()) return Untrusted("the signature of a publication", valid);
  return PublishedSubjects(std::move(statement->subjects));
}

bool PublishedSubjects::Has(const Digest& record, const Digest& manifest) const {
  Subject wanted;
  wanted.digest = record;
  const auto found = std::lower_bound(subjects_.begin(), subjects_.end(), wanted, ByDigest);
  return found != subjects_.end() && found->digest == record && found->manifest == manifest;
}

}  // namespace stele::client
