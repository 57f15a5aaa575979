#include <optional>

#include "core/json/pointer.h"
#include "core/record/manifest.h"

namespace stele {
namespace {

// Walks a spec, its place in `pointer`.
void AppendReferences(const json::Value& value, bool artifact, std::string& pointer,
                      std::vector<Reference>& out) {
  const size_t parent = pointer.size();
  if (const std::string* string = value.string()) {
    if (std::optional<Digest> digest = Digest::FromText(*string)) {
      out.push_back({pointer, *digest, artifact});
    }
  } else if (const json::Array* array = value.array()) {
    for (size_t i = 0; i < array->size(); ++i) {
      pointer.append("/").append(std::to_string(i));
      AppendReferences((*array)[i], false, pointer, out);
      pointer.resize(parent);
    }
  } else if (const json::Object* object = value.object()) {
    const bool has_uri = object->Find("uri") != nullptr;
    for (const auto& [name, member] : object->members) {
      json::AppendPointer(pointer, name);
      AppendReferences(member, has_uri && name == "digest", pointer, out);
      pointer.resize(parent);
    }
  }
}

}  // namespace

std::vector<Reference> FindReferences(const json::Value& manifest) {
  std::vector<Reference> references;
  const json::Object* object = manifest.object();
  const json::Value* spec = object == nullptr ? nullptr : object->Find("spec");
  std::string pointer = "/spec";
  if (spec != nullptr) AppendReferences(*spec, false, pointer, references);
  return references;
}

}  // namespace stele
