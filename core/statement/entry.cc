#include "core/statement/entry.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/base/time_text.h"
#include "core/json/canonical.h"
#include "core/json/parse.h"
#include "core/statement/concat.h"
#include "core/statement/json_reader.h"

namespace stele {
namespace {

constexpr std::string_view kVersion = "entry/v1";
constexpr std::string_view kTail = R"(","stele":"entry/v1"})";

absl::Status CheckSize(size_t bytes) {
  if (bytes <= limits::kLeafBytes) return absl::OkStatus();
  return RefuseInput(reason::kLeafTooLarge, "",
                     absl::StrCat("the leaf has ", bytes, " bytes, at most ", limits::kLeafBytes));
}

DetachedEnvelope ReadDetached(const JsonReader& object) {
  object.Members({"digest", "keyid", "predicateType", "size"});
  DetachedEnvelope detached;
  detached.digest = object.At("digest").DigestText();
  detached.key = object.At("keyid").DigestText();
  detached.predicate_type = object.At("predicateType").Text(limits::kPredicateTypeBytes);
  detached.size = static_cast<uint64_t>(object.At("size").Integer(1));
  return detached;
}

TimeMs ReadTime(const JsonReader& text) {
  const auto time = ParseTime(text.String());
  if (!time) text.Fail(reason::kWrongValue, "must be YYYY-MM-DDThh:mm:ss.mmmZ");
  return time.value_or(TimeMs());
}

}  // namespace

absl::StatusOr<std::string> BuildInlineLeaf(EventIndex authority, std::string_view envelope,
                                            TimeMs logged) {
  std::string leaf =
      Concat({R"({"authority":)", std::to_string(authority.value()), R"(,"envelope":)", envelope,
              R"(,"logged":")", FormatTime(logged), kTail});
  STELE_RETURN_IF_ERROR(CheckSize(leaf.size()));
  return leaf;
}

absl::StatusOr<std::string> BuildDetachedLeaf(EventIndex authority,
                                              const DetachedEnvelope& detached, TimeMs logged) {
  std::string type;
  json::AppendCanonicalString(detached.predicate_type, type);
  std::string leaf =
      Concat({R"({"authority":)", std::to_string(authority.value()), R"(,"detached":{"digest":")",
              detached.digest.ToText(), R"(","keyid":")", detached.key.ToText(),
              R"(","predicateType":)", type, R"(,"size":)", std::to_string(detached.size),
              R"(},"logged":")", FormatTime(logged), kTail});
  STELE_RETURN_IF_ERROR(CheckSize(leaf.size()));
  return leaf;
}

absl::StatusOr<StoredEnvelope> ParseKeptEnvelope(std::string_view content) {
  STELE_ASSIGN_OR_RETURN(const json::Value value,
                         json::Parse(content, {.max_bytes = limits::kEnvelopeBytes}));
  if (json::Canonical(value) != content) {
    return RefuseInput(reason::kNotCanonical, "", "the envelope is not its own RFC 8785 form");
  }
  return StoredEnvelopeFromValue(value);
}

absl::StatusOr<Entry> ParseLeaf(std::string_view leaf) {
  STELE_RETURN_IF_ERROR(CheckSize(leaf.size()));
  STELE_ASSIGN_OR_RETURN(const json::Value value,
                         json::Parse(leaf, {.max_bytes = limits::kLeafBytes}));
  if (json::Canonical(value) != leaf) {
    return RefuseInput(reason::kNotCanonical, "", "the leaf is not its own RFC 8785 form");
  }
  absl::Status fault;
  const JsonReader root(value, fault);
  const bool detached = root.IsObject() && root.Has("detached");
  root.Members({"authority", detached ? "detached" : "envelope", "logged", "stele"});
  Entry entry;
  entry.authority = EventIndex(root.At("authority").Integer(-1));
  if (detached) {
    entry.body = ReadDetached(root.At("detached"));
  } else if (fault.ok()) {
    auto envelope = StoredEnvelopeFromValue(*value.object()->Find("envelope"));
    if (!envelope.ok()) return PrefixPointer(envelope.status(), "/envelope");
    entry.body = *std::move(envelope);
  }
  entry.logged = ReadTime(root.At("logged"));
  if (root.At("stele").String() != kVersion) {
    root.At("stele").Fail(reason::kWrongValue, "must be entry/v1");
  }
  if (!fault.ok()) return fault;
  return entry;
}

absl::Status CheckTimeOrder(TimeMs previous, TimeMs logged) {
  if (logged >= previous) return absl::OkStatus();
  return Refuse(absl::StatusCode::kDataLoss, reason::kTimeDecreased, "/logged",
                absl::StrCat(FormatTime(logged), " is before ", FormatTime(previous),
                             ", the time of the entry before"));
}

}  // namespace stele
