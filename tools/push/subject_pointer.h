// Which subject of a statement the server refused. Pure.
#pragma once

#include <optional>
#include <string_view>

namespace stele::tools {

// N out of "/subject/N" or "/manifests/N" and anything below; manifests are sent in the order of
// the subjects. Nothing for any other place, or if N is not below `count`.
std::optional<size_t> RefusedSubject(std::string_view pointer, size_t count);

}  // namespace stele::tools
