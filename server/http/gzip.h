// gzip (RFC 1952) of a whole answer. The same bytes in give the same bytes out: no name, no time.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stele::server {

// Nothing if memory runs out.
std::optional<std::string> Gzip(std::string_view bytes);

}  // namespace stele::server
