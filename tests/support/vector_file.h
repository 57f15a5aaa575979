// Reading JSON vector files in tests: a thin layer over simdjson's DOM, on purpose not the
// product's own parser, so that a fault of that one cannot hide here. A file that is not as
// expected throws, and the test fails. Link simdjson::simdjson.
#pragma once

#include <simdjson.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/base/base64.h"
#include "core/base/hex.h"
#include "tests/support/shared.h"

namespace stele::testing {

class VectorFile {
 public:
  explicit VectorFile(const std::filesystem::path& path)
      : root_(parser_.parse(simdjson::padded_string(ReadFile(path)))) {}
  simdjson::dom::element root() const { return root_; }

 private:
  simdjson::dom::parser parser_;
  simdjson::dom::element root_;
};

inline std::string Text(simdjson::dom::element object, std::string_view name) {
  return std::string(std::string_view(object[name]));
}

inline std::string FromBase64(std::string_view text) {
  std::optional<std::string> bytes = Base64DecodeStrict(text);
  if (!bytes) throw std::runtime_error("no base64: " + std::string(text));
  return *std::move(bytes);
}

inline std::string Base64Member(simdjson::dom::element object, std::string_view name) {
  return FromBase64(std::string_view(object[name]));
}

inline std::string HexMember(simdjson::dom::element object, std::string_view name) {
  std::optional<std::string> bytes = HexDecode(std::string_view(object[name]));
  if (!bytes) throw std::runtime_error("no hex in member " + std::string(name));
  return *std::move(bytes);
}

}  // namespace stele::testing
