#include "core/tlog/key_name.h"

#include <simdjson.h>

#include <algorithm>

namespace stele {
namespace {

// The white space of Unicode beyond the control characters, in UTF-8. In valid UTF-8 none of them
// can begin in the middle of another character.
constexpr std::string_view kSpaces[] = {" ",
                                        "\xc2\x85",
                                        "\xc2\xa0",
                                        "\xe1\x9a\x80",
                                        "\xe2\x80\x80",
                                        "\xe2\x80\x81",
                                        "\xe2\x80\x82",
                                        "\xe2\x80\x83",
                                        "\xe2\x80\x84",
                                        "\xe2\x80\x85",
                                        "\xe2\x80\x86",
                                        "\xe2\x80\x87",
                                        "\xe2\x80\x88",
                                        "\xe2\x80\x89",
                                        "\xe2\x80\x8a",
                                        "\xe2\x80\xa8",
                                        "\xe2\x80\xa9",
                                        "\xe2\x80\xaf",
                                        "\xe2\x81\x9f",
                                        "\xe3\x80\x80"};

}  // namespace

bool ValidNoteText(std::string_view text, std::string_view allowed) {
  const bool control = std::any_of(text.begin(), text.end(), [&](char c) {
    return static_cast<unsigned char>(c) < 0x20 && allowed.find(c) == std::string_view::npos;
  });
  return !control && simdjson::validate_utf8(text.data(), text.size());
}

bool ValidKeyName(std::string_view name) {
  if (name.empty() || !ValidNoteText(name, "")) return false;
  if (name.find('+') != std::string_view::npos) return false;
  return std::none_of(std::begin(kSpaces), std::end(kSpaces), [&](std::string_view space) {
    return name.find(space) != std::string_view::npos;
  });
}

}  // namespace stele
