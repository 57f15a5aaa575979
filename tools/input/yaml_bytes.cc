#include <cstdint>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "tools/input/yaml_documents.h"

namespace stele::tools {
namespace {

// The first code point of `text` and its length; length 0 if the bytes are not UTF-8.
struct CodePoint {
  uint32_t value = 0;
  size_t length = 0;
};

CodePoint Decode(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  uint32_t value = lead & (0x7fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    value = value << 6 | (byte(i) & 0x3fu);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value < kLeast[length] || value > 0x10ffff || surrogate) return {};
  return {value, length};
}

bool IsControl(uint32_t c) {
  if (c == '\t' || c == '\n' || c == '\r' || c == 0x85) return false;
  return c < 0x20 || (c >= 0x7f && c < 0xa0);
}

}  // namespace

absl::Status CheckYamlBytes(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) {
    return RefuseInput(reason::kByteOrderMark, "", "the file begins with a byte-order mark");
  }
  size_t line = 1;
  bool control = false;
  size_t control_line = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const CodePoint c = Decode(rest);
    if (c.length == 0) {
      return RefuseInput(reason::kInvalidUtf8, "", Concat("line ", line, ": not UTF-8"));
    }
    if (c.value == '\n') ++line;
    if (!control && IsControl(c.value)) {
      control = true;
      control_line = line;
    }
    rest.remove_prefix(c.length);
  }
  if (!control) return absl::OkStatus();
  return RefuseInput(reason::kSyntax, "",
                     Concat("line ", control_line, ": a control character; write it as an escape"));
}

}  // namespace stele::tools
