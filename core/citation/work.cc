#include "core/citation/work.h"

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "core/base/time_text.h"
#include "core/citation/citation.h"
#include "core/json/parse.h"
#include "core/record/manifest.h"

namespace stele {
namespace {

constexpr size_t kShortHex = 12;

// The length of the white space or control character at the front of `text`; 0 if there is none.
size_t SpaceLength(std::string_view text) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  if (byte(0) <= 0x20 || byte(0) == 0x7f) return 1;
  if (byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) <= 0xa0) return 2;  // C1, no-break space
  if (byte(0) == 0xe2 && byte(1) == 0x80 && (byte(2) == 0xa8 || byte(2) == 0xa9)) return 3;
  return 0;
}

std::string TextAt(const json::Object& object, std::string_view name) {
  const json::Value* value = object.Find(name);
  return value != nullptr && value->string() != nullptr ? OneLine(*value->string()) : "";
}

std::optional<Author> AuthorFrom(const json::Value& value) {
  Author author;
  if (value.string() != nullptr) {
    author.literal = OneLine(*value.string());
  } else if (value.object() != nullptr) {
    author.family = TextAt(*value.object(), "family");
    author.given = TextAt(*value.object(), "given");
    if (author.family.empty()) author = {TextAt(*value.object(), "name"), "", ""};
  }
  if (author == Author()) return std::nullopt;
  return author;
}

std::vector<Author> AuthorsFrom(const json::Object& metadata) {
  std::vector<Author> authors;
  const json::Value* list = metadata.Find("authors");
  if (list == nullptr || list->array() == nullptr) return authors;
  for (const json::Value& value : *list->array()) {
    if (std::optional<Author> author = AuthorFrom(value)) authors.push_back(*std::move(author));
  }
  return authors;
}

}  // namespace

std::string OneLine(std::string_view utf8) {
  std::string line;
  bool space = false;
  while (!utf8.empty()) {
    const size_t length = SpaceLength(utf8);
    if (length == 0) {
      if (space && !line.empty()) line += ' ';
      line += utf8.front();
    }
    space = length != 0;
    utf8.remove_prefix(length == 0 ? 1 : length);
  }
  return line;
}

std::string DateText(TimeMs time) { return FormatTime(time).substr(0, 10); }

absl::StatusOr<CitedWork> DescribeWork(std::string_view manifest, std::string_view origin,
                                       TimeMs published, TimeMs accessed) {
  STELE_ASSIGN_OR_RETURN(const Manifest parsed, ParseManifest(manifest));
  STELE_ASSIGN_OR_RETURN(const json::Value value, json::Parse(manifest));
  CitedWork work;
  const json::Value* metadata = value.object()->Find("metadata");
  if (metadata != nullptr) work.authors = AuthorsFrom(*metadata->object());
  work.title = OneLine(parsed.title);
  if (work.title.empty()) work.title = OneLine(parsed.name);
  work.kind = OneLine(parsed.kind);
  if (work.title.empty()) {
    work.title = Concat(work.kind, " ", parsed.record.ToHex().substr(0, kShortHex));
  }
  work.origin = origin;
  work.permalink = Permalink(origin, parsed.record);
  work.record = parsed.record;
  work.published = published;
  work.accessed = accessed;
  return work;
}

}  // namespace stele
