// The words of a text, as names are searched by. Pure.
//
//   "BF16 GEMM, 4096×4096 (H100)"  →  "4096×4096", "bf16", "gemm", "h100"
//
// A word is a run of letters and digits of ASCII and of every character beyond it; capitals of
// ASCII count as small letters, nothing else is folded. A longer one is cut to
// limits::kIndexedWordBytes, at the end of a character.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace stele::store {

// In the order of the text, each as often as it stands there; at most `most`.
std::vector<std::string> SplitWords(std::string_view text, size_t most);

// Those of a name and a title, ascending, each once: the first limits::kIndexedWords of them.
std::vector<std::string> WordsOf(std::string_view name, std::string_view title);

// `text` cut to at most `bytes`, at the end of a character; `text` is UTF-8.
std::string CutText(std::string_view text, size_t bytes);

}  // namespace stele::store
