#include "server/http/fields.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace stele::server {
namespace {

constexpr std::string_view kBlanks = " \t";

void SkipBlanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
}

std::string_view Trim(std::string_view text) {
  SkipBlanks(text);
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

bool EqualIgnoringCase(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != lower[i]) return false;
  }
  return true;
}

// weight = OWS ";" OWS "q=" qvalue. Thousandths; nothing if it is no weight.
std::optional<int> Weight(std::string_view text) {
  SkipBlanks(text);
  if (text.size() < 3 || !EqualIgnoringCase(text.substr(0, 2), "q=")) return std::nullopt;
  text.remove_prefix(2);
  const bool one = text.front() == '1';
  if (!one && text.front() != '0') return std::nullopt;
  text.remove_prefix(1);
  int value = one ? 1000 : 0;
  if (text.empty()) return value;
  if (text.front() != '.' || text.size() > 4) return std::nullopt;
  int unit = 100;
  for (char c : text.substr(1)) {
    if (c < '0' || c > (one ? '0' : '9')) return std::nullopt;
    value += unit * (c - '0');
    unit /= 10;
  }
  return value;
}

struct Coding {
  std::string_view name;
  int weight = 1000;
};

std::optional<Coding> ReadCoding(std::string_view part) {
  const size_t semicolon = part.find(';');
  Coding coding{Trim(part.substr(0, semicolon))};
  if (coding.name.empty() || coding.name.find_first_of(" \t\"") != std::string_view::npos) {
    return std::nullopt;
  }
  if (semicolon == std::string_view::npos) return coding;
  const std::optional<int> weight = Weight(Trim(part.substr(semicolon + 1)));
  if (!weight) return std::nullopt;
  coding.weight = *weight;
  return coding;
}

bool IsTagLetter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == 0x21 || (byte >= 0x23 && byte != 0x7f);
}

// Takes `[W/]"…"` from the front; nothing if there is none. With the quotes.
struct Tag {
  bool weak = false;
  std::string_view opaque;
};
std::optional<Tag> TakeTag(std::string_view& text) {
  Tag tag;
  if (text.substr(0, 2) == "W/") {
    tag.weak = true;
    text.remove_prefix(2);
  }
  if (text.empty() || text.front() != '"') return std::nullopt;
  size_t end = 1;
  while (end < text.size() && IsTagLetter(text[end])) ++end;
  if (end == text.size() || text[end] != '"') return std::nullopt;
  tag.opaque = text.substr(0, end + 1);
  text.remove_prefix(end + 1);
  return tag;
}

// #entity-tag: empty elements are passed over.
std::optional<std::vector<Tag>> ReadTags(std::string_view list) {
  std::vector<Tag> tags;
  for (;;) {
    SkipBlanks(list);
    if (!list.empty() && list.front() != ',') {
      std::optional<Tag> tag = TakeTag(list);
      if (!tag) return std::nullopt;
      tags.push_back(*tag);
      SkipBlanks(list);
    }
    if (list.empty()) return tags;
    if (list.front() != ',') return std::nullopt;
    list.remove_prefix(1);
  }
}

}  // namespace

bool AcceptsGzip(std::string_view accept_encoding) {
  std::optional<int> gzip, any;
  for (;;) {
    const size_t comma = accept_encoding.find(',');
    const std::string_view part = accept_encoding.substr(0, comma);
    if (!Trim(part).empty()) {
      const std::optional<Coding> coding = ReadCoding(part);
      if (!coding) return false;
      if (EqualIgnoringCase(coding->name, "gzip") || EqualIgnoringCase(coding->name, "x-gzip")) {
        gzip = coding->weight;
      } else if (coding->name == "*") {
        any = coding->weight;
      }
    }
    if (comma == std::string_view::npos) break;
    accept_encoding.remove_prefix(comma + 1);
  }
  return gzip.value_or(any.value_or(0)) > 0;
}

bool NamesTag(std::string_view list, std::string_view etag, TagComparison comparison) {
  if (Trim(list) == "*") return true;
  const std::optional<std::vector<Tag>> tags = ReadTags(list);
  if (!tags) return false;
  for (const Tag& tag : *tags) {
    if (tag.opaque == etag && (comparison == TagComparison::kWeak || !tag.weak)) return true;
  }
  return false;
}

}  // namespace stele::server
