// A parsed JSON value (I-JSON, RFC 7493): what the strict parser gives and RFC 8785 output takes.
//
// Plain data, owned by its holder, no thread rules beyond those of std::string. Strings are valid
// UTF-8 without surrogates and noncharacters; numbers are finite and never negative zero. Members
// of an object stand in RFC 8785 order (by UTF-16 code units of the name), each name once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace stele::json {

class Value;
using Array = std::vector<Value>;
using Member = std::pair<std::string, Value>;

struct Object {
  std::vector<Member> members;  // in RFC 8785 order
  // Null if absent.
  const Value* Find(std::string_view name) const;
};

class Value {
 public:
  using Data = std::variant<std::monostate, bool, double, std::string, Array, Object>;
  Value() = default;                            // null
  Value(Data data) : data_(std::move(data)) {}  // NOLINT: literals read better

  bool is_null() const { return std::holds_alternative<std::monostate>(data_); }
  // Null pointers if the value is of another type.
  const bool* boolean() const { return std::get_if<bool>(&data_); }
  const double* number() const { return std::get_if<double>(&data_); }
  const std::string* string() const { return std::get_if<std::string>(&data_); }
  const Array* array() const { return std::get_if<Array>(&data_); }
  const Object* object() const { return std::get_if<Object>(&data_); }
  const Data& data() const { return data_; }
  Data& data() { return data_; }

  // Where the value stood in the parsed text, from first to past its last byte; objects and arrays
  // only, 0 and 0 for built values.
  uint32_t source_begin = 0;
  uint32_t source_end = 0;

 private:
  Data data_;
};

}  // namespace stele::json
