#include "tools/command/record_text.h"

#include <utility>

#include "core/base/concat.h"
#include "core/base/time_text.h"
#include "core/json/canonical.h"
#include "tools/command/output.h"

namespace stele::tools {
namespace {

void AppendWord(std::string_view word, std::string& line) {
  if (word.empty()) return;
  line += "  ";
  line += word;
}

// One line of a text that may have several.
std::string FirstLine(std::string_view text) {
  const size_t end = text.find_first_of("\r\n");
  return end == text.npos ? std::string(text) : Concat(text.substr(0, end), " …");
}

json::Value TextOrNull(std::string_view text) {
  return text.empty() ? json::Value() : JsonText(text);
}

json::Value IndexOrNull(const std::optional<EntryIndex>& index) {
  return index ? JsonNumber(index->value()) : json::Value();
}

json::Value Texts(const std::vector<std::string>& texts) {
  std::vector<json::Value> values;
  for (const std::string& text : texts) values.push_back(JsonText(text));
  return json::Value(std::move(values));
}

std::string ChainText(const RetractionRow& retraction) {
  if (!retraction.superseded_by) return {};
  std::string text = Concat("superseded by ", retraction.superseded_by->ToText());
  if (retraction.chain.size() > 1) {
    text += Concat(", which is retracted too: the last of the chain is ",
                   retraction.chain.back().ToText());
  }
  if (retraction.chain_end == ChainEnd::kCycle) text += " (the successors go in a circle)";
  if (retraction.chain_end == ChainEnd::kLimit) text += " (and more successors than are followed)";
  return text;
}

// What the entry says, in a few words.
std::string SaidText(const HistoryRow& row) {
  const HistorySaid& said = row.said;
  std::string line;
  if (said.manifest) AppendWord(Concat("manifest ", said.manifest->ToText()), line);
  AppendWord(said.media_type, line);
  if (said.bytes) AppendWord(Concat(*said.bytes, " bytes"), line);
  AppendWord(said.outcome, line);
  if (said.rerun) AppendWord(Concat("by the rerun ", said.rerun->ToText()), line);
  if (said.observed) {
    AppendWord(Concat(said.observed->metric, " ", said.observed->statistic, " ",
                      NumberText(said.observed->value), " ", said.observed->unit),
               line);
  }
  if (said.environment) AppendWord(Concat("in ", said.environment->ToText()), line);
  AppendWord(said.topic, line);
  AppendWord(said.state, line);
  if (!said.reason.empty()) AppendWord(Concat("\"", FirstLine(said.reason), "\""), line);
  if (said.superseded_by) AppendWord(Concat("for ", said.superseded_by->ToText()), line);
  if (!said.body.empty()) AppendWord(Concat("\"", FirstLine(said.body), "\""), line);
  for (const Evidence& link : said.evidence) AppendWord(link.uri, line);
  if (said.evidence_count > said.evidence.size()) {
    AppendWord(Concat("and ", said.evidence_count - said.evidence.size(), " more links"), line);
  }
  return line;
}

}  // namespace

std::string NumberText(double number) {
  std::string text;
  json::AppendCanonicalNumber(number, text);
  return text;
}

json::Value OptionalText(const std::optional<Digest>& digest) {
  return digest ? JsonText(digest->ToText()) : json::Value();
}

std::vector<std::string> WarningsOf(const Standing& standing) {
  std::vector<std::string> lines;
  if (standing.retraction) {
    const RetractionRow& retraction = *standing.retraction;
    lines.push_back(Concat("RETRACTED in entry ", retraction.index.value(), " of ",
                           FormatTime(retraction.logged), " by ",
                           standing.owner == retraction.signer ? "its owner " : "",
                           retraction.signer.ToText(), ": \"", FirstLine(retraction.reason), "\""));
    if (std::string chain = ChainText(retraction); !chain.empty()) lines.push_back(chain);
  }
  if (standing.disputed) {
    lines.push_back(
        "DISPUTED: every publication of it was signed by a key that was compromised by then");
  }
  if (standing.withheld_by) {
    lines.push_back(Concat("WITHHELD by entry ", standing.withheld_by->value()));
  }
  return lines;
}

std::string RecordText(const RecordRow& row) {
  std::string line = row.record.ToText();
  AppendWord(row.kind.empty() ? "-" : row.kind, line);
  AppendWord(row.name, line);
  if (!row.title.empty()) line += Concat(row.name.empty() ? "  " : ": ", FirstLine(row.title));
  if (row.retracted) AppendWord("[RETRACTED]", line);
  if (row.superseded_by) AppendWord(Concat("[for ", row.superseded_by->ToText(), "]"), line);
  if (row.disputed) AppendWord("[DISPUTED]", line);
  if (row.withheld_by) AppendWord("[WITHHELD]", line);
  return line;
}

json::Value RecordJson(const RecordRow& row) {
  return JsonObject({{"record", JsonText(row.record.ToText())},
                     {"kind", TextOrNull(row.kind)},
                     {"name", TextOrNull(row.name)},
                     {"title", TextOrNull(row.title)},
                     {"first", JsonNumber(row.first.value())},
                     {"logged", JsonText(FormatTime(row.logged))},
                     {"owner", OptionalText(row.owner)},
                     {"disputed", json::Value(row.disputed)},
                     {"retracted", json::Value(row.retracted)},
                     {"supersededBy", OptionalText(row.superseded_by)},
                     {"withheldBy", IndexOrNull(row.withheld_by)}});
}

json::Value ReferenceJson(const ReferenceRow& row) {
  return JsonObject({{"from", RecordJson(row.from)},
                     {"pointer", TextOrNull(row.pointer)},
                     {"artifact", json::Value(row.artifact)}});
}

json::Value StandingJson(const Standing& standing) {
  json::Value retraction;
  if (standing.retraction) {
    const RetractionRow& row = *standing.retraction;
    std::vector<json::Value> chain;
    for (const Digest& next : row.chain) chain.push_back(JsonText(next.ToText()));
    retraction = JsonObject({{"index", JsonNumber(row.index.value())},
                             {"signer", JsonText(row.signer.ToText())},
                             {"logged", JsonText(FormatTime(row.logged))},
                             {"reason", JsonText(row.reason)},
                             {"supersededBy", OptionalText(row.superseded_by)},
                             {"chain", json::Value(std::move(chain))},
                             {"chainEnd", JsonText(ChainEndName(row.chain_end))}});
  }
  std::vector<json::Value> withdrawn;
  for (const KeyId& key : standing.withdrawn_by) withdrawn.push_back(JsonText(key.ToText()));
  return JsonObject({{"record", JsonText(standing.record.ToText())},
                     {"published", json::Value(standing.published)},
                     {"first", IndexOrNull(standing.first)},
                     {"owner", OptionalText(standing.owner)},
                     {"disputed", json::Value(standing.disputed)},
                     {"retraction", std::move(retraction)},
                     {"withdrawnBy", json::Value(std::move(withdrawn))},
                     {"withheldBy", IndexOrNull(standing.withheld_by)}});
}

json::Value EvidenceJson(const client::EvidenceAnswer& evidence) {
  std::vector<json::Value> verifications;
  for (const client::EvidenceAnswer::Verification& row : evidence.verifications) {
    verifications.push_back(JsonObject({{"index", JsonNumber(row.index.value())},
                                        {"signer", JsonText(row.signer.ToText())},
                                        {"passed", json::Value(row.passed)},
                                        {"rerun", JsonText(row.rerun.ToText())},
                                        {"counts", json::Value(row.not_counted.empty())},
                                        {"reason", TextOrNull(row.not_counted)},
                                        {"instead", IndexOrNull(row.instead)}}));
  }
  return JsonObject({{"level", JsonText(evidence.level)},
                     {"reasons", Texts(evidence.reasons)},
                     {"verifications", json::Value(std::move(verifications))}});
}

std::string HistoryText(const HistoryRow& row) {
  const std::string type = row.type == StatementType::kForeign
                               ? row.predicate_type
                               : std::string(StatementTypeName(row.type));
  std::string line =
      Concat(row.index.value(), "  ", FormatTime(row.logged), "  ", type, "  ",
             row.signer_name.empty() ? "" : Concat(row.signer_name, " "), row.signer.ToText());
  if (row.withheld_by) {
    AppendWord(Concat("[envelope withheld by entry ", row.withheld_by->value(), "]"), line);
  }
  if (row.disputed_by) {
    AppendWord(Concat("[DISPUTED by entry ", row.disputed_by->value(), "]"), line);
  }
  return line + SaidText(row);
}

json::Value HistoryJson(const HistoryRow& row) {
  const HistorySaid& said = row.said;
  std::vector<json::Member> members = {
      {"index", JsonNumber(row.index.value())},
      {"type", JsonText(StatementTypeName(row.type))},
      {"predicateType", JsonText(row.predicate_type)},
      {"signer", JsonText(row.signer.ToText())},
      {"signerName", TextOrNull(row.signer_name)},
      {"authority", json::Value(static_cast<double>(row.authority.value()))},
      {"logged", JsonText(FormatTime(row.logged))},
      {"disputedBy", IndexOrNull(row.disputed_by)},
      {"withheldBy", IndexOrNull(row.withheld_by)}};
  const auto add = [&](const char* name, json::Value value) {
    members.push_back({name, std::move(value)});
  };
  if (said.manifest) add("manifest", OptionalText(said.manifest));
  if (!said.media_type.empty()) add("mediaType", JsonText(said.media_type));
  if (said.bytes) add("bytes", JsonNumber(*said.bytes));
  if (!said.outcome.empty()) add("outcome", JsonText(said.outcome));
  if (said.rerun) add("rerun", OptionalText(said.rerun));
  if (said.observed) {
    add("observed", JsonObject({{"metric", JsonText(said.observed->metric)},
                                {"statistic", JsonText(said.observed->statistic)},
                                {"unit", JsonText(said.observed->unit)},
                                {"value", json::Value(said.observed->value)}}));
  }
  if (said.environment) add("environment", OptionalText(said.environment));
  if (!said.topic.empty()) add("topic", JsonText(said.topic));
  if (!said.body.empty()) add("body", JsonText(said.body));
  if (said.evidence_count > 0) {
    std::vector<json::Value> links;
    for (const Evidence& link : said.evidence) {
      links.push_back(
          JsonObject({{"uri", JsonText(link.uri)}, {"digest", OptionalText(link.digest)}}));
    }
    add("evidence", json::Value(std::move(links)));
    add("evidenceCount", JsonNumber(said.evidence_count));
  }
  if (!said.reason.empty()) add("reason", JsonText(said.reason));
  if (said.superseded_by) add("supersededBy", OptionalText(said.superseded_by));
  if (!said.state.empty()) add("state", JsonText(said.state));
  return JsonObject(std::move(members));
}

std::string LagText(const IndexMoment& moment) {
  const uint64_t behind = moment.size.value() - moment.applied.value();
  if (behind == 0 && moment.state == IndexState::kFollowing) return {};
  return Concat("the server's index is ", behind, " entries behind its log of ",
                moment.size.value(), " (", IndexStateName(moment.state), ")");
}

}  // namespace stele::tools
