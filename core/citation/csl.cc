#include <charconv>

#include "core/base/concat.h"
#include "core/citation/text_forms.h"
#include "core/json/canonical.h"

namespace stele {
namespace {

void AppendMember(std::string_view name, std::string_view text, std::string& out) {
  out += Concat(",\"", name, "\":");
  json::AppendCanonicalString(text, out);
}

// "2026-03-01" as {"date-parts":[[2026,3,1]]}.
std::string DateParts(TimeMs time) {
  const std::string text = DateText(time);
  int parts[3] = {};
  constexpr size_t kBegin[3] = {0, 5, 8}, kLength[3] = {4, 2, 2};
  for (size_t i = 0; i < 3; ++i) {
    const char* const begin = text.data() + kBegin[i];
    std::from_chars(begin, begin + kLength[i], parts[i]);
  }
  return Concat("{\"date-parts\":[[", parts[0], ",", parts[1], ",", parts[2], "]]}");
}

void AppendAuthor(const Author& author, std::string& out) {
  const bool parted = !author.family.empty();
  out += parted ? "{\"family\":" : "{\"literal\":";
  json::AppendCanonicalString(parted ? author.family : author.literal, out);
  if (parted && !author.given.empty()) AppendMember("given", author.given, out);
  out += '}';
}

}  // namespace

std::string FormatCsl(const CitedWork& work) {
  std::string out = "[{\"id\":";
  json::AppendCanonicalString(work.record.ToText(), out);
  AppendMember("type", "dataset", out);
  AppendMember("title", work.title, out);
  if (!work.authors.empty()) {
    out += ",\"author\":[";
    for (size_t i = 0; i < work.authors.size(); ++i) {
      if (i > 0) out += ',';
      AppendAuthor(work.authors[i], out);
    }
    out += ']';
  }
  out += Concat(",\"issued\":", DateParts(work.published));
  out += Concat(",\"accessed\":", DateParts(work.accessed));
  AppendMember("genre", work.kind, out);
  AppendMember("publisher", work.origin, out);
  AppendMember("URL", work.permalink, out);
  AppendMember("number", work.record.ToText(), out);
  if (work.retracted) AppendMember("note", RetractionNote(work), out);
  return out + "}]\n";
}

}  // namespace stele
