#include "store/index/words.h"

#include <algorithm>
#include <utility>

#include "core/base/query_limits.h"

namespace stele::store {
namespace {

// The byte as it stands in a word; 0 if it separates words.
char InWord(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  return plain || static_cast<unsigned char>(c) >= 0x80 ? c : '\0';
}

bool ContinuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

std::string CutText(std::string_view text, size_t bytes) {
  if (text.size() > bytes) {
    while (bytes > 0 && ContinuesCharacter(text[bytes])) --bytes;
    text = text.substr(0, bytes);
  }
  return std::string(text);
}

std::vector<std::string> SplitWords(std::string_view text, size_t most) {
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size() && words.size() < most;) {
    std::string word;
    for (; at < text.size() && InWord(text[at]) != '\0'; ++at) {
      // One more than is kept tells whether the last character is whole.
      if (word.size() <= limits::kIndexedWordBytes) word += InWord(text[at]);
    }
    word = CutText(word, limits::kIndexedWordBytes);
    if (!word.empty()) words.push_back(std::move(word));
    while (at < text.size() && InWord(text[at]) == '\0') ++at;
  }
  return words;
}

std::vector<std::string> WordsOf(std::string_view name, std::string_view title) {
  std::vector<std::string> words;
  for (std::string_view text : {name, title}) {
    for (std::string& word : SplitWords(text, text.size())) {
      if (words.size() == limits::kIndexedWords) break;
      if (std::find(words.begin(), words.end(), word) == words.end()) {
        words.push_back(std::move(word));
      }
    }
  }
  std::sort(words.begin(), words.end());
  return words;
}

}  // namespace stele::store
