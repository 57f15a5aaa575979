#include "tools/catalog/normalisation.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/base/concat.h"
#include "core/json/parse.h"
#include "core/json/pointer.h"

namespace stele::tools {
namespace {

constexpr std::array<std::string_view, 3> kSets{"dtypes", "hardwareArchitectures",
                                                "productsTested"};
constexpr std::array<std::string_view, 6> kUnits{"ns", "us", "µs", "μs", "ms", "s"};

// Digits with at most one point in them, then a unit of time, and nothing else.
bool IsDurationText(std::string_view text) {
  const size_t unit = text.find_first_not_of("0123456789.");
  if (unit == 0 || unit == std::string_view::npos) return false;
  const std::string_view number = text.substr(0, unit);
  if (std::count(number.begin(), number.end(), '.') > 1 || number == ".") return false;
  std::string_view rest = text.substr(unit);
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  return std::find(kUnits.begin(), kUnits.end(), rest) != kUnits.end();
}

bool IsSortedSet(const json::Array& list) {
  for (size_t i = 1; i < list.size(); ++i) {
    const std::string* before = list[i - 1].string();
    const std::string* after = list[i].string();
    if (before != nullptr && after != nullptr && *before >= *after) return false;
  }
  return true;
}

// Depth is bounded by the reader.
void Look(const json::Value& value, const std::string& pointer, std::vector<std::string>& found) {
  if (const std::string* text = value.string(); text != nullptr && IsDurationText(*text)) {
    found.push_back(Concat(pointer, ": the registry stores the duration \"", *text,
                           "\" as a number of nanoseconds"));
  }
  if (const json::Array* list = value.array()) {
    for (size_t i = 0; i < list->size(); ++i)
      Look((*list)[i], json::ChildPointer(pointer, i), found);
  }
  if (const json::Object* object = value.object()) {
    for (const auto& [name, member] : object->members) {
      Look(member, json::ChildPointer(pointer, name), found);
    }
  }
}

void LookAtSets(const json::Object& spec, std::vector<std::string>& found) {
  const json::Value* support = spec.Find("support");
  if (support == nullptr || support->object() == nullptr) return;
  for (std::string_view name : kSets) {
    const json::Value* list = support->object()->Find(name);
    if (list == nullptr || list->array() == nullptr || IsSortedSet(*list->array())) continue;
    found.push_back(Concat("/spec/support/", name,
                           ": the registry sorts this list and drops what is there twice"));
  }
}

}  // namespace

std::vector<std::string> NormalisationWarnings(const Manifest& manifest) {
  std::vector<std::string> found;
  if (!manifest.api_version.starts_with("kernelindex.dev/")) return found;
  absl::StatusOr<json::Value> identity = json::Parse(manifest.identity);
  if (!identity.ok() || identity->object() == nullptr) return found;
  const json::Value* spec = identity->object()->Find("spec");
  if (spec == nullptr || spec->object() == nullptr) return found;
  Look(*spec, "/spec", found);
  LookAtSets(*spec->object(), found);
  return found;
}

}  // namespace stele::tools
