// Key names of C2SP signed-note, and the characters that a note may have at all. Pure.
#pragma once

#include <string_view>

namespace stele {

// UTF-8 without control characters below U+0020 other than `allowed`.
bool ValidNoteText(std::string_view text, std::string_view allowed);

// Not empty, UTF-8, without Unicode white space, control characters and '+'.
bool ValidKeyName(std::string_view name);

}  // namespace stele
