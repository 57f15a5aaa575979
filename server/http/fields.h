// The request fields that decide what is sent: strict readers of RFC 9110 syntax. Pure.
//
// A field that does not read is as if absent: a client that says it wrongly gets the plain answer.
#pragma once

#include <string>
#include <string_view>

namespace stele::server {

// Accept-Encoding (§12.5.3): is "gzip" (or "x-gzip", or "*") there with a weight above 0?
bool AcceptsGzip(std::string_view accept_encoding);

// If-None-Match and If-Match (§13.1): does the list name the entity tag `etag` (quoted, strong), or
// is it "*"? The weak comparison ignores a leading W/, the strong one never matches such a tag.
enum class TagComparison { kWeak, kStrong };
bool NamesTag(std::string_view list, std::string_view etag, TagComparison comparison);

}  // namespace stele::server
