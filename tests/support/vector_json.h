// Reading the golden vectors: JSON of known shape. A test that uses it links stele_core_json. What
// is missing or of another type ends the test program with a clear line.
#pragma once

#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "core/base/base64.h"
#include "core/json/parse.h"
#include "tests/support/shared.h"

namespace stele::testing {

[[noreturn]] inline void BadVector(std::string_view what) {
  std::cerr << "the test vectors have no " << what << "\n";
  std::abort();
}

// A file below tests/vectors/stele.
inline json::Value LoadVectors(const std::string& file) {
  const std::string text = ReadFile(VectorsDir() / file);
  absl::StatusOr<json::Value> value = json::Parse(text, {.max_bytes = text.size()});
  if (!value.ok()) BadVector(file + ": " + value.status().ToString());
  return *std::move(value);
}

inline const json::Value& At(const json::Value& object, std::string_view name) {
  const json::Value* member = object.object() ? object.object()->Find(name) : nullptr;
  if (member == nullptr) BadVector(name);
  return *member;
}
inline bool Has(const json::Value& object, std::string_view name) {
  return object.object() != nullptr && object.object()->Find(name) != nullptr;
}
inline const json::Array& List(const json::Value& value) {
  if (value.array() == nullptr) BadVector("array");
  return *value.array();
}
inline const std::string& Text(const json::Value& value) {
  if (value.string() == nullptr) BadVector("string");
  return *value.string();
}
inline bool Flag(const json::Value& value) {
  if (value.boolean() == nullptr) BadVector("boolean");
  return *value.boolean();
}
inline double Number(const json::Value& value) {
  if (value.number() == nullptr) BadVector("number");
  return *value.number();
}
// The bytes of a string in standard base64.
inline std::string Bytes(const json::Value& value) {
  std::optional<std::string> bytes = Base64DecodeStrict(Text(value));
  if (!bytes) BadVector("base64");
  return *std::move(bytes);
}

}  // namespace stele::testing
