#include <optional>

#include "core/json/pointer.h"
#include "core/record/manifest.h"

namespace stele {
namespace {

// Walks a spec, its place in `pointer`.
void VisitBelow(const json::Value& value, bool artifact, std::string& pointer,
                ReferenceVisit visit) {
  const size_t parent = pointer.size();
  if (const std::string* string = value.string()) {
    if (std::optional<Digest> digest = Digest::FromText(*string)) {
      visit(pointer, *digest, artifact);
    }
  } else if (const json::Array* array = value.array()) {
    for (size_t i = 0; i < array->size(); ++i) {
      pointer.append("/").append(std::to_string(i));
      VisitBelow((*array)[i], false, pointer, visit);
      pointer.resize(parent);
    }
  } else if (const json::Object* object = value.object()) {
    const bool has_uri = object->Find("uri") != nullptr;
    for (const auto& [name, member] : object->members) {
      json::AppendPointer(pointer, name);
      VisitBelow(member, has_uri && name == "digest", pointer, visit);
      pointer.resize(parent);
    }
  }
}

}  // namespace

void VisitReferences(const json::Value& manifest, ReferenceVisit visit) {
  const json::Object* object = manifest.object();
  const json::Value* spec = object == nullptr ? nullptr : object->Find("spec");
  std::string pointer = "/spec";
  if (spec != nullptr) VisitBelow(*spec, false, pointer, visit);
}

std::vector<Reference> FindReferences(const json::Value& manifest) {
  std::vector<Reference> references;
  VisitReferences(manifest, [&](std::string_view pointer, const Digest& digest, bool artifact) {
    references.push_back({std::string(pointer), digest, artifact});
  });
  return references;
}

}  // namespace stele
