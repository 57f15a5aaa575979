#include "core/record/manifest.h"

#include <algorithm>
#include <utility>

#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"
#include "core/json/canonical.h"
#include "core/json/parse.h"
#include "core/json/pointer.h"

namespace stele {
namespace {

enum class Type { kString, kObject };
struct MemberRule {
  std::string_view name;
  Type type;
  bool required;
};
constexpr MemberRule kMembers[] = {
    {"apiVersion", Type::kString, true},
    {"kind", Type::kString, true},
    {"spec", Type::kObject, true},
    {"metadata", Type::kObject, false},
};

bool IsMember(std::string_view name) {
  return std::any_of(std::begin(kMembers), std::end(kMembers),
                     [&](const MemberRule& rule) { return rule.name == name; });
}

absl::Status CheckSize(size_t bytes, std::string_view what) {
  if (bytes <= limits::kManifestBytes) return absl::OkStatus();
  return RefuseInput(reason::kTooLarge, "",
                     std::string(what) + " has " + std::to_string(bytes) + " bytes, the limit is " +
                         std::to_string(limits::kManifestBytes));
}

absl::Status CheckMember(const json::Object& object, const MemberRule& rule) {
  const json::Value* value = object.Find(rule.name);
  const std::string pointer = json::ChildPointer("", rule.name);
  if (value == nullptr) {
    if (!rule.required) return absl::OkStatus();
    return RefuseInput(reason::kMissingMember, pointer,
                       "a manifest has apiVersion, kind and spec; " + pointer + " is missing");
  }
  const bool is_string = rule.type == Type::kString;
  if (is_string ? value->string() != nullptr : value->object() != nullptr) return absl::OkStatus();
  return RefuseInput(reason::kWrongType, pointer,
                     pointer + (is_string ? " must be a string" : " must be an object"));
}

// Unknown members come before missing ones (rule 6), each in its order.
absl::Status CheckShape(const json::Value& value) {
  const json::Object* object = value.object();
  if (object == nullptr) {
    return RefuseInput(reason::kWrongType, "", "a manifest is a JSON object");
  }
  for (const json::Member& member : object->members) {
    if (!IsMember(member.first)) {
      return RefuseInput(reason::kUnknownMember, json::ChildPointer("", member.first),
                         "a manifest has apiVersion, kind, spec and metadata, nothing else");
    }
  }
  for (const MemberRule& rule : kMembers) STELE_RETURN_IF_ERROR(CheckMember(*object, rule));
  return absl::OkStatus();
}

std::string TextOf(const json::Object* metadata, std::string_view name) {
  const json::Value* value = metadata == nullptr ? nullptr : metadata->Find(name);
  return value == nullptr || value->string() == nullptr ? std::string() : *value->string();
}

// A non-empty object all of whose members are objects (rule 2).
bool IsBundle(const json::Value& value) {
  const json::Object* object = value.object();
  return object != nullptr && !object->members.empty() &&
         std::all_of(object->members.begin(), object->members.end(),
                     [](const json::Member& member) { return member.second.object() != nullptr; });
}

absl::StatusOr<json::Value> ParseFileText(std::string_view text) {
  absl::StatusOr<json::Value> value = json::Parse(text);
  const std::string refusal = ReasonOf(value.status());
  if (refusal != reason::kTooLarge && refusal != reason::kTooDeep) return value;
  // The limits of one manifest are not those of a bundle, whose wrapper counts for neither.
  absl::StatusOr<json::Value> wide = json::Parse(
      text, {.max_bytes = limits::kManifestFileBytes, .max_depth = limits::kJsonDepth + 1});
  return wide.ok() && !IsBundle(*wide) ? value : wide;
}

absl::StatusOr<std::vector<ManifestItem>> BundleItems(const json::Object& bundle,
                                                      std::string_view text) {
  std::vector<ManifestItem> items;
  items.reserve(bundle.members.size());
  for (const auto& [name, value] : bundle.members) {
    const std::string_view source =
        text.substr(value.source_begin, value.source_end - value.source_begin);
    absl::StatusOr<Manifest> manifest = ManifestFromValue(value, source.size());
    if (!manifest.ok()) return PrefixPointer(manifest.status(), json::ChildPointer("", name));
    items.push_back({name, true, source, *std::move(manifest)});
  }
  return items;
}

}  // namespace

absl::StatusOr<Manifest> ParseManifest(std::string_view text) {
  STELE_ASSIGN_OR_RETURN(json::Value value, json::Parse(text));
  return ManifestFromValue(value, text.size());
}

absl::StatusOr<Manifest> ManifestFromValue(const json::Value& value, size_t source_bytes) {
  STELE_RETURN_IF_ERROR(CheckSize(source_bytes, "the text of the manifest"));
  STELE_RETURN_IF_ERROR(CheckShape(value));
  const json::Object& object = *value.object();
  const json::Value* metadata = object.Find("metadata");
  Manifest manifest;
  manifest.api_version = *object.Find("apiVersion")->string();
  manifest.kind = *object.Find("kind")->string();
  manifest.name = TextOf(metadata ? metadata->object() : nullptr, "name");
  manifest.title = TextOf(metadata ? metadata->object() : nullptr, "title");

  // Written once: the members stand in this order in both forms.
  std::string& canonical = manifest.canonical;
  canonical.reserve(source_bytes);
  canonical.append("{\"apiVersion\":");
  json::AppendCanonicalString(manifest.api_version, canonical);
  canonical.append(",\"kind\":");
  json::AppendCanonicalString(manifest.kind, canonical);
  const size_t head = canonical.size();
  if (metadata != nullptr) {
    canonical.append(",\"metadata\":");
    json::AppendCanonical(*metadata, canonical);
  }
  const size_t tail = canonical.size();
  canonical.append(",\"spec\":");
  json::AppendCanonical(*object.Find("spec"), canonical);
  canonical.push_back('}');
  STELE_RETURN_IF_ERROR(CheckSize(canonical.size(), "the RFC 8785 form of the manifest"));

  manifest.identity.reserve(canonical.size() - (tail - head));
  manifest.identity.append(canonical, 0, head).append(canonical, tail);
  manifest.record = Sha256(manifest.identity);
  manifest.manifest = metadata == nullptr ? manifest.record : Sha256(canonical);
  return manifest;
}

absl::StatusOr<std::vector<ManifestItem>> ParseManifestFile(std::string_view text) {
  STELE_ASSIGN_OR_RETURN(json::Value value, ParseFileText(text));
  if (IsBundle(value)) return BundleItems(*value.object(), text);
  STELE_ASSIGN_OR_RETURN(Manifest manifest, ManifestFromValue(value, text.size()));
  std::vector<ManifestItem> items;
  items.push_back({"", false, text, std::move(manifest)});
  return items;
}

}  // namespace stele
