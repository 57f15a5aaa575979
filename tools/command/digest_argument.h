// Digests as people type them: `sha256:…` or only the hex digits, whole or a prefix.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "client/fetcher.h"
#include "core/crypto/digest.h"

namespace stele::tools {

// The hex digits of a digest or prefix: at least limits::kDigestPrefixHex, at most 64, lowercase. A
// usage error for anything else.
absl::StatusOr<std::string> HexOfDigestArgument(std::string_view text);

// The content that the argument stands for. NOT_FOUND; FAILED_PRECONDITION with the matches if a
// prefix is not unique. A whole digest is not looked up.
absl::StatusOr<Digest> ResolveContent(const client::Fetcher& fetcher, std::string_view text);

// The key of the ring that the argument stands for; as above.
absl::StatusOr<client::KeyInfo> ResolveKey(const client::Fetcher& fetcher, std::string_view text);

}  // namespace stele::tools
