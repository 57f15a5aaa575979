#include "tools/command/digest_argument.h"

#include <utility>
#include <vector>

#include "core/base/concat.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"
#include "tools/command/exit_code.h"

namespace stele::tools {
namespace {

constexpr std::string_view kAlgorithm = "sha256:";
constexpr size_t kHexDigits = 2 * Digest::kBytes;

absl::Status Ambiguous(std::string_view hex, const std::vector<Digest>& matches, bool truncated) {
  std::string list;
  for (const Digest& digest : matches) list += Concat("\n  ", digest.ToText());
  return absl::FailedPreconditionError(
      Concat(hex, " is not unique; it begins", list, truncated ? "\n  and more" : ""));
}

}  // namespace

absl::StatusOr<std::string> HexOfDigestArgument(std::string_view text) {
  std::string_view hex = text;
  if (hex.starts_with(kAlgorithm)) hex.remove_prefix(kAlgorithm.size());
  const bool digits = hex.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  if (digits && hex.size() >= limits::kDigestPrefixHex && hex.size() <= kHexDigits) {
    return std::string(hex);
  }
  return UsageError(Concat("\"", text, "\" is no digest: expected sha256: and 64 lowercase hex ",
                           "digits, or the first ", limits::kDigestPrefixHex, " or more of them"));
}

absl::StatusOr<Digest> ResolveContent(const client::Fetcher& fetcher, std::string_view text) {
  STELE_ASSIGN_OR_RETURN(std::string hex, HexOfDigestArgument(text));
  if (std::optional<Digest> whole = Digest::FromHex(hex)) return *whole;
  STELE_ASSIGN_OR_RETURN(client::PrefixMatches matches, fetcher.ResolvePrefix(hex));
  if (matches.digests.empty()) {
    return absl::NotFoundError(Concat("no content has a digest that begins with ", hex));
  }
  if (matches.digests.size() == 1 && !matches.truncated) return matches.digests.front();
  return Ambiguous(hex, matches.digests, matches.truncated);
}

absl::StatusOr<client::KeyInfo> ResolveKey(const client::Fetcher& fetcher, std::string_view text) {
  STELE_ASSIGN_OR_RETURN(std::string hex, HexOfDigestArgument(text));
  STELE_ASSIGN_OR_RETURN(std::vector<client::KeyInfo> keys, fetcher.ListKeys());
  std::vector<Digest> matches;
  client::KeyInfo match;
  for (client::KeyInfo& key : keys) {
    if (!key.key.ToHex().starts_with(hex)) continue;
    matches.push_back(key.key);
    match = std::move(key);
  }
  if (matches.empty()) return absl::NotFoundError(Concat("no key begins with ", hex));
  if (matches.size() == 1) return match;
  return Ambiguous(hex, matches, false);
}

}  // namespace stele::tools
