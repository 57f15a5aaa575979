// Text that protobuf string fields and HTTP/2 trailers will take.
#pragma once

#include <string>
#include <string_view>

namespace stele::server {

// `text` with every byte that is no UTF-8 replaced by '?', cut to at most `max_bytes` between
// characters.
std::string CleanUtf8(std::string_view text, size_t max_bytes);

}  // namespace stele::server
