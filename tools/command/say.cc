#include "tools/command/say.h"

#include <utility>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "tools/command/output.h"
#include "tools/command/publish_one.h"

namespace stele::tools {

Statement MakeStatement(StatementType type, const std::string& origin,
                        std::vector<Subject> subjects, Predicate predicate) {
  Statement statement;
  statement.type = type;
  statement.predicate_type = std::string(PredicateTypeOf(type));
  statement.log = origin;
  statement.subjects = std::move(subjects);
  statement.predicate = std::move(predicate);
  return statement;
}

Subject SubjectOf(const Digest& record) {
  return {.kind = Subject::Kind::kRecord,
          .digest = record,
          .media_type = std::string(kRecordMediaType),
          .manifest = {}};
}

Subject AnySubject(const Digest& digest) {
  return {.kind = Subject::Kind::kAny, .digest = digest, .media_type = {}, .manifest = {}};
}

absl::StatusOr<client::Published> PublishAfter(
    const Session& session, const PrivateKey& signer,
    const std::function<absl::StatusOr<EventIndex>()>& latest,
    const std::function<Statement(EventIndex after)>& make) {
  absl::StatusOr<client::Published> published = absl::AbortedError("");
  for (int attempt = 0; attempt < 2 && absl::IsAborted(published.status()); ++attempt) {
    STELE_ASSIGN_OR_RETURN(const EventIndex after, latest());
    published = PublishOne(session, make(after), signer);
  }
  return published;
}

absl::Status ReportSaid(std::string_view did, StatementType type, const Digest& subject,
                        const client::Published& published, bool as_json) {
  if (as_json) {
    return WriteJson(JsonObject({{"type", JsonText(StatementTypeName(type))},
                                 {"subject", JsonText(subject.ToText())},
                                 {"index", JsonNumber(published.index.value())},
                                 {"replayed", json::Value(published.replayed)}}));
  }
  return WriteLine(Concat(did, " ", subject.ToText(),
                          published.replayed ? ": said before, at entry " : " at entry ",
                          published.index.value()));
}

}  // namespace stele::tools
