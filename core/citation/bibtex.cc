#include "core/base/concat.h"
#include "core/citation/text_forms.h"

namespace stele {
namespace {

constexpr size_t kKeyHex = 12;

// Braces are counted by BibTeX even behind a backslash, so they never stand for themselves.
std::string_view CommandFor(char c) {
  switch (c) {
    case '\\':
      return "\\textbackslash{}";
    case '{':
      return "\\textbraceleft{}";
    case '}':
      return "\\textbraceright{}";
    case '~':
      return "\\textasciitilde{}";
    case '^':
      return "\\textasciicircum{}";
    case '<':
      return "\\textless{}";
    case '>':
      return "\\textgreater{}";
    case '|':
      return "\\textbar{}";
    case '$':
      return "\\$";
    case '&':
      return "\\&";
    case '#':
      return "\\#";
    case '%':
      return "\\%";
    case '_':
      return "\\_";
    default:
      return "";
  }
}

// A URL goes through as it is but for what would end the field or start a command.
std::string EscapeUrl(std::string_view url) {
  std::string out;
  for (char c : url) {
    switch (c) {
      case '{':
        out += "%7B";
        break;
      case '}':
        out += "%7D";
        break;
      case '\\':
        out += "%5C";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// Braces around a name keep ` and ` and commas inside it from parting it.
std::string AuthorField(const CitedWork& work) {
  std::string field;
  for (const Author& author : work.authors) {
    if (!field.empty()) field += " and ";
    if (author.family.empty()) {
      field += Concat("{", EscapeTex(author.literal), "}");
    } else {
      field += Concat("{", EscapeTex(author.family), "}");
      if (!author.given.empty()) field += Concat(", {", EscapeTex(author.given), "}");
    }
  }
  return field;
}

void AppendField(std::string_view name, std::string_view value, std::string& out) {
  constexpr size_t kWidth = 9;
  if (value.empty()) return;
  out += Concat("  ", name, std::string(kWidth - name.size(), ' '), " = {", value, "},\n");
}

}  // namespace

std::string EscapeTex(std::string_view text) {
  std::string out;
  for (char c : text) {
    const std::string_view command = CommandFor(c);
    if (command.empty()) {
      out += c;
    } else {
      out += command;
    }
  }
  return out;
}

std::string FormatBibtex(const CitedWork& work) {
  std::string note = Concat(work.kind, ", ", work.record.ToText());
  if (work.retracted) note += Concat(". ", RetractionNote(work));
  std::string out = Concat("@misc{stele-", work.record.ToHex().substr(0, kKeyHex), ",\n");
  AppendField("author", AuthorField(work), out);
  AppendField("title", Concat("{", EscapeTex(work.title), "}"), out);
  AppendField("year", DateText(work.published).substr(0, 4), out);
  AppendField("date", DateText(work.published), out);
  AppendField("publisher", EscapeTex(work.origin), out);
  AppendField("note", EscapeTex(note), out);
  AppendField("url", EscapeUrl(work.permalink), out);
  AppendField("urldate", DateText(work.accessed), out);
  return out + "}\n";
}

}  // namespace stele
