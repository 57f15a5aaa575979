// Predicates about records and content.
#include <algorithm>
#include <utility>

#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/statement/predicates.h"

namespace stele {
namespace {

// WRONG_VALUE if the text is none of `words`.
std::string ReadWord(const JsonReader& text, JsonReader::Names words) {
  const std::string& word = text.String();
  if (std::find(words.begin(), words.end(), word) == words.end()) {
    text.Fail(reason::kWrongValue, "is none of the words that may stand here");
  }
  return word;
}

Observation ReadObservation(const JsonReader& object) {
  object.Members({"metric", "statistic", "unit", "value"});
  Observation observed;
  // No limit of their own: the payload's.
  observed.metric = object.At("metric").Text(limits::kPayloadBytes);
  observed.statistic = object.At("statistic").Text(limits::kPayloadBytes);
  observed.unit = object.At("unit").Text(limits::kPayloadBytes);
  observed.value = object.At("value").Number();
  return observed;
}

std::vector<Evidence> ReadEvidence(const JsonReader& array) {
  const size_t count = array.Items();
  if (count == 0) array.Fail(reason::kWrongValue, "at least one, or no such member");
  std::vector<Evidence> evidence;
  for (size_t i = 0; i < count && array.ok(); ++i) {
    const JsonReader item = array.At(i);
    item.Members({"uri"}, {"digest"});
    Evidence& one = evidence.emplace_back();
    one.uri = item.At("uri").Text(limits::kPayloadBytes);
    if (item.Has("digest")) one.digest = item.At("digest").DigestText();
  }
  return evidence;
}

}  // namespace

std::optional<Predicate> ReadPublication(const JsonReader& object, std::string_view origin) {
  object.Members({"log"});
  ReadLog(object, origin);
  if (!object.ok()) return std::nullopt;
  return Publication{};
}

std::optional<Predicate> ReadVerification(const JsonReader& object, std::string_view origin) {
  object.Members({"log", "outcome", "rerun"});
  ReadLog(object, origin);
  Verification verification;
  verification.passed = ReadWord(object.At("outcome"), {"passed", "failed"}) == "passed";
  verification.rerun = object.At("rerun").DigestText();
  if (!object.ok()) return std::nullopt;
  return verification;
}

std::optional<Predicate> ReadReproduction(const JsonReader& object, std::string_view origin) {
  object.Members({"log", "outcome"}, {"observed", "environment", "evidence", "body"});
  ReadLog(object, origin);
  Reproduction reproduction;
  reproduction.outcome =
      ReadWord(object.At("outcome"), {"reproduced", "could_not_reproduce", "regression_observed"});
  if (object.Has("observed")) reproduction.observed = ReadObservation(object.At("observed"));
  if (object.Has("environment")) reproduction.environment = object.At("environment").DigestText();
  if (object.Has("evidence")) reproduction.evidence = ReadEvidence(object.At("evidence"));
  if (object.Has("body")) reproduction.body = object.At("body").Body();
  if (!object.ok()) return std::nullopt;
  return reproduction;
}

std::optional<Predicate> ReadNote(const JsonReader& object, std::string_view origin) {
  object.Members({"body", "log", "topic"}, {"evidence"});
  ReadLog(object, origin);
  NoteStatement note;
  note.topic = ReadWord(object.At("topic"), {"environment_note", "note", "issue"});
  note.body = object.At("body").Body();
  if (object.Has("evidence")) note.evidence = ReadEvidence(object.At("evidence"));
  if (!object.ok()) return std::nullopt;
  return note;
}

std::optional<Predicate> ReadRetraction(const JsonReader& object, std::string_view origin) {
  object.Members({"log", "reason"}, {"supersededBy"});
  ReadLog(object, origin);
  Retraction retraction;
  retraction.reason = object.At("reason").Text(limits::kReasonBytes);
  if (object.Has("supersededBy")) {
    retraction.superseded_by = object.At("supersededBy").DigestText();
  }
  if (!object.ok()) return std::nullopt;
  return retraction;
}

std::optional<Predicate> ReadWithholding(const JsonReader& object, std::string_view origin) {
  object.Members({"after", "log", "reason", "state"});
  ReadLog(object, origin);
  Withholding withholding;
  withholding.after = EventIndex(object.At("after").Integer(-1));
  withholding.withheld = ReadWord(object.At("state"), {"withheld", "restored"}) == "withheld";
  withholding.reason = object.At("reason").Text(limits::kReasonBytes);
  if (!object.ok()) return std::nullopt;
  return withholding;
}

}  // namespace stele
