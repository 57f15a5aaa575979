// What commands print: results on standard output, everything else on standard error.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "core/json/value.h"

namespace stele::tools {

// Bytes to standard output, exactly. UNKNOWN if it cannot be written (a closed pipe, a full disk).
absl::Status WriteOut(std::string_view bytes);
// The same with a newline.
absl::Status WriteLine(std::string_view line);

// "stele: <message>" on standard error.
void Complain(std::string_view message);
// Says why a command failed, and gives its exit code.
int Fail(const absl::Status& status);

// A JSON object out of its members, in any order.
json::Value JsonObject(std::vector<json::Member> members);
json::Value JsonNumber(uint64_t number);
json::Value JsonText(std::string_view text);
// One line of JSON.
absl::Status WriteJson(const json::Value& value);

}  // namespace stele::tools
