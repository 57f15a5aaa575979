// JSON Pointer (RFC 6901), the text form of a place.
#pragma once

#include <string>
#include <string_view>

namespace stele::json {

// Appends "/" and the escaped name ("~" as "~0", "/" as "~1").
void AppendPointer(std::string& pointer, std::string_view name);
std::string ChildPointer(std::string_view parent, std::string_view name);
std::string ChildPointer(std::string_view parent, size_t index);

}  // namespace stele::json
