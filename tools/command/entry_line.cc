#include "tools/command/entry_line.h"

#include <variant>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "core/base/time_text.h"
#include "core/statement/entry.h"
#include "core/statement/statement.h"
#include "core/statement/types.h"
#include "tools/command/output.h"

namespace stele::tools {

absl::StatusOr<EntrySummary> Summarize(EntryIndex index, std::string_view leaf,
                                       std::string_view origin) {
  STELE_ASSIGN_OR_RETURN(Entry entry, ParseLeaf(leaf));
  EntrySummary summary;
  summary.index = index;
  summary.logged = entry.logged;
  summary.authority = entry.authority;
  if (const auto* detached = std::get_if<DetachedEnvelope>(&entry.body)) {
    const StatementTypeRow* ours = FindStatementType(detached->predicate_type);
    summary.type = ours == nullptr ? detached->predicate_type : std::string(ours->name);
    summary.signer = detached->key.ToText();
    return summary;
  }
  const StoredEnvelope& envelope = std::get<StoredEnvelope>(entry.body);
  summary.signer = envelope.key.ToText();
  absl::StatusOr<Statement> statement = ParseStatement(envelope.payload, origin);
  if (!statement.ok()) {
    summary.type = "malformed";
    return summary;
  }
  summary.type = statement->type == StatementType::kForeign
                     ? statement->predicate_type
                     : std::string(StatementTypeName(statement->type));
  summary.subjects = statement->subjects.size();
  return summary;
}

std::string EntryText(const EntrySummary& entry) {
  return Concat(entry.index.value(), "  ", FormatTime(entry.logged), "  ", entry.type, "  ",
                entry.signer, "  ", entry.subjects, entry.subjects == 1 ? " subject" : " subjects");
}

json::Value EntryJson(const EntrySummary& entry) {
  return JsonObject({{"index", JsonNumber(entry.index.value())},
                     {"logged", JsonText(FormatTime(entry.logged))},
                     {"type", JsonText(entry.type)},
                     {"signer", JsonText(entry.signer)},
                     {"subjects", JsonNumber(entry.subjects)},
                     {"authority", json::Value(static_cast<double>(entry.authority.value()))}});
}

}  // namespace stele::tools
