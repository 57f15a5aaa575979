#include "tools/push/batch.h"

#include <algorithm>
#include <utility>

#include "core/base/status_macros.h"
#include "core/statement/dsse.h"
#include "core/statement/statement.h"

namespace stele::tools {

bool Batch::Fits(const Publication& publication) const {
  if (publications_.empty()) return true;
  if (publications_.size() >= limits_.subjects) return false;
  if (bytes_ + publication.canonical.size() > limits_.content_bytes) return false;
  return std::none_of(publications_.begin(), publications_.end(),
                      [&](const PublicationPtr& p) { return p->record == publication.record; });
}

void Batch::Add(PublicationPtr publication) {
  bytes_ += publication->canonical.size();
  publications_.push_back(std::move(publication));
}

std::vector<PublicationPtr> Batch::Take() {
  bytes_ = 0;
  return std::exchange(publications_, {});
}

absl::StatusOr<client::OutgoingStatement> SignPayload(const std::string& payload,
                                                      const std::string& origin,
                                                      const PrivateKey& key) {
  STELE_RETURN_IF_ERROR(ParseStatement(payload, origin).status());
  STELE_ASSIGN_OR_RETURN(std::string signature, key.Sign(Pae(payload)));
  client::OutgoingStatement statement;
  statement.key = key.public_key().id();
  statement.public_key = key.public_key();
  statement.envelope = FormatEnvelope(payload, statement.key, signature);
  return statement;
}

absl::StatusOr<client::OutgoingStatement> SignPublication(
    const std::vector<PublicationPtr>& publications, const std::string& origin,
    const PrivateKey& key) {
  Statement statement;
  statement.type = StatementType::kPublication;
  statement.predicate_type = std::string(PredicateTypeOf(statement.type));
  statement.log = origin;
  statement.predicate = stele::Publication{};
  for (const PublicationPtr& publication : publications) {
    statement.subjects.push_back(RecordSubject(publication->record, publication->manifest));
  }
  STELE_ASSIGN_OR_RETURN(client::OutgoingStatement outgoing,
                         SignPayload(FormatStatement(statement), origin, key));
  for (const PublicationPtr& publication : publications) {
    outgoing.manifests.push_back(publication->canonical);
  }
  return outgoing;
}

}  // namespace stele::tools
