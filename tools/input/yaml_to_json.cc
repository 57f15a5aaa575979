#include "tools/input/yaml_to_json.h"

#include <algorithm>
#include <utility>

#include "core/base/concat.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/json/canonical.h"
#include "core/json/pointer.h"
#include "tools/input/yaml_scalar.h"

namespace stele::tools {
namespace {

// What yaml-cpp calls a node without a tag: plain scalars and collections, and scalars in quotes.
constexpr std::string_view kUntagged = "?";
constexpr std::string_view kNonPlain = "!";

}  // namespace

absl::StatusOr<std::string> YamlToJson::Take() {
  if (!fault_.ok()) return fault_;
  return std::move(out_);
}

void YamlToJson::OnDocumentStart(const YAML::Mark& mark) {
  begun_ = true;
  begin_ = static_cast<size_t>(mark.pos);
  line_ = static_cast<size_t>(mark.line) + 1;
}

void YamlToJson::Fail(const YAML::Mark& mark, std::string_view reason, std::string_view message) {
  if (!fault_.ok()) return;
  fault_ = RefuseInput(reason, Pointer(), Concat("line ", mark.line + 1, ": ", message));
}

// Of the innermost value begun.
std::string YamlToJson::Pointer() const {
  std::string pointer;
  for (const Level& level : levels_) {
    if (!level.map && level.values > 0) {
      pointer = json::ChildPointer(pointer, level.values - 1);
    } else if (level.map && level.key_given) {
      pointer = json::ChildPointer(pointer, level.key);
    }
  }
  return pointer;
}

// A tag `!` of the user's looks like the one of quotes; the text shows which it is.
bool YamlToJson::IsTagged(const YAML::Mark& mark, const std::string& tag) const {
  if (tag == kUntagged) return false;
  if (tag != kNonPlain) return true;
  std::string_view rest = source_.substr(static_cast<size_t>(mark.pos));
  if (rest.starts_with('&')) {
    rest.remove_prefix(std::min(rest.find_first_of(" \t\r\n"), rest.size()));
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
  }
  return rest.empty() || std::string_view("\"'|>").find(rest.front()) == std::string_view::npos;
}

void YamlToJson::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  if (expects_key()) return Key(mark, true, "null");
  Value(mark, anchor, "null");
}

void YamlToJson::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                          const std::string& value) {
  if (IsTagged(mark, tag)) return Fail(mark, reason::kSyntax, "tags are not allowed");
  const bool plain = tag == kUntagged;
  if (expects_key()) {
    if (anchor != 0) return Fail(mark, reason::kSyntax, "a member name cannot be an anchor");
    return Key(mark, plain, value);
  }
  if (!plain) {
    std::string quoted;
    json::AppendCanonicalString(value, quoted);
    return Value(mark, anchor, quoted);
  }
  absl::StatusOr<std::string> token = PlainScalarToJson(value);
  if (token.ok()) return Value(mark, anchor, *token);
  Separate();
  Fail(mark, ReasonOf(token.status()), std::string(token.status().message()));
}

void YamlToJson::Key(const YAML::Mark& mark, bool plain, const std::string& value) {
  Level& level = levels_.back();
  if (plain && value == "<<") return Fail(mark, reason::kSyntax, "merge keys are not allowed");
  if (plain && !PlainScalarIsString(value)) {
    return Fail(mark, reason::kWrongType,
                Concat("the member name ", value, " is no string; put it in quotes"));
  }
  level.key = value;
  level.key_given = true;
  if (!level.keys.insert(value).second) {
    return Fail(mark, reason::kDuplicateName, Concat("the member ", value, " is there twice"));
  }
  if (level.values++ > 0) out_.push_back(',');
  json::AppendCanonicalString(value, out_);
  out_.push_back(':');
}

// Before a value: the comma of an array. Counts it, so that Pointer() names it.
void YamlToJson::Separate() {
  if (levels_.empty() || levels_.back().map) return;
  if (levels_.back().values++ > 0) out_.push_back(',');
}

void YamlToJson::Value(const YAML::Mark& mark, YAML::anchor_t anchor, std::string_view token) {
  if (!fault_.ok()) return;
  Separate();
  if (out_.size() + token.size() > limits::kManifestFileBytes) {
    return Fail(mark, reason::kTooLarge,
                Concat("with its aliases the document has more than ", limits::kManifestFileBytes,
                       " bytes"));
  }
  const size_t begin = out_.size();
  out_.append(token);
  if (anchor != 0) anchors_[anchor] = {begin, out_.size()};
  ValueDone();
}

void YamlToJson::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  if (!fault_.ok()) return;
  if (expects_key()) return Fail(mark, reason::kWrongType, "an alias cannot be a member name");
  if (++aliases_ > limits::kYamlAliases) {
    Separate();
    return Fail(mark, reason::kTooLarge,
                Concat("more than ", limits::kYamlAliases, " aliases in one document"));
  }
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end()) {
    Separate();
    return Fail(mark, reason::kSyntax, "the alias stands inside what it names");
  }
  const std::string token =
      out_.substr(found->second.begin, found->second.end - found->second.begin);
  Value(mark, 0, token);
}

void YamlToJson::Open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                      bool map) {
  if (!fault_.ok()) return;
  if (expects_key()) return Fail(mark, reason::kWrongType, "a member name must be a string");
  Separate();
  if (tag != kUntagged) return Fail(mark, reason::kSyntax, "tags are not allowed");
  Level level;
  level.map = map;
  level.anchor = anchor;
  level.begin = out_.size();
  levels_.push_back(std::move(level));
  out_.push_back(map ? '{' : '[');
}

void YamlToJson::OnSequenceStart(const YAML::Mark& mark, const std::string& tag,
                                 YAML::anchor_t anchor, YAML::EmitterStyle::value) {
  Open(mark, tag, anchor, false);
}

void YamlToJson::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                            YAML::EmitterStyle::value) {
  Open(mark, tag, anchor, true);
}

void YamlToJson::Close(char bracket) {
  if (!fault_.ok()) return;
  out_.push_back(bracket);
  const Level& level = levels_.back();
  if (level.anchor != 0) anchors_[level.anchor] = {level.begin, out_.size()};
  levels_.pop_back();
  ValueDone();
}

}  // namespace stele::tools
