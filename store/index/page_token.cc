#include "store/index/page_token.h"

#include <optional>

#include "core/base/concat.h"
#include "core/base/hex.h"
#include "core/base/refusal.h"
#include "core/crypto/sha256.h"

namespace stele::store {
namespace {

constexpr char kVersion = 1;
constexpr size_t kHeaderBytes = 1 + 8 + 8;

void AppendU64(uint64_t value, std::string& out) {
  for (int shift = 56; shift >= 0; shift -= 8) out.push_back(static_cast<char>(value >> shift));
}

uint64_t ReadU64(std::string_view bytes) {
  uint64_t value = 0;
  for (char c : bytes.substr(0, 8)) value = value << 8 | static_cast<uint8_t>(c);
  return value;
}

absl::Status BadToken(std::string_view why) {
  return RefuseInput(reason::kWrongValue, "/page_token", Concat("the page token ", why));
}

}  // namespace

uint64_t QuestionHash(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (std::string_view part : parts) {
    AppendU64(part.size(), text);
    text.append(part);
  }
  return ReadU64(Sha256(text).bytes());
}

std::string FormatPageToken(const PageToken& token) {
  std::string bytes(1, kVersion);
  AppendU64(token.question, bytes);
  AppendU64(token.size.value(), bytes);
  return HexEncode(bytes.append(token.place));
}

absl::StatusOr<PageToken> ParsePageToken(std::string_view text, uint64_t question, TreeSize most,
                                         size_t place_bytes) {
  const std::optional<std::string> bytes = HexDecode(text);
  if (!bytes || bytes->size() != kHeaderBytes + place_bytes || bytes->front() != kVersion) {
    return BadToken("is none of this question; begin with an empty one");
  }
  PageToken token;
  token.question = ReadU64(std::string_view(*bytes).substr(1));
  token.size = TreeSize(ReadU64(std::string_view(*bytes).substr(9)));
  token.place = bytes->substr(kHeaderBytes);
  if (token.question != question) {
    return BadToken("is of another question; a filter stays the same from page to page");
  }
  if (token.size > most) {
    return BadToken(Concat("is of a log of ", token.size.value(), " entries, this one has ",
                           most.value(), "; begin with an empty one"));
  }
  return token;
}

}  // namespace stele::store
