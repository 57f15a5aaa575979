// Reading the golden vectors through simdjson's DOM, on purpose not the product's own parser, so
// that a fault of that one cannot hide here. A file that is not as expected throws, and the test
// fails.
#pragma once

#include <simdjson.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "core/base/base64.h"
#include "tests/support/shared.h"

namespace stele::testing {

class Vectors {
 public:
  // A file below tests/vectors/stele.
  explicit Vectors(std::string_view file)
      : root_(parser_.parse(simdjson::padded_string(ReadFile(VectorsDir() / file)))) {}
  simdjson::dom::array operator[](std::string_view name) const { return root_[name]; }

 private:
  simdjson::dom::parser parser_;
  simdjson::dom::element root_;
};

inline std::string TextOf(simdjson::dom::element object, std::string_view name) {
  return std::string(std::string_view(object[name]));
}

inline std::string BytesOf(simdjson::dom::element object, std::string_view name) {
  std::optional<std::string> bytes = Base64DecodeStrict(std::string_view(object[name]));
  if (!bytes) throw std::runtime_error("no base64 in member " + std::string(name));
  return *std::move(bytes);
}

}  // namespace stele::testing
