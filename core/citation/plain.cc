#include "core/base/concat.h"
#include "core/citation/text_forms.h"

namespace stele {
namespace {

std::string NameOf(const Author& author) {
  if (author.family.empty()) return author.literal;
  return author.given.empty() ? author.family : Concat(author.given, " ", author.family);
}

}  // namespace

std::string RetractionNote(const CitedWork& work) {
  if (!work.retracted) return "";
  if (!work.superseded_by) return "Retracted";
  return Concat("Retracted, superseded by ", work.superseded_by->ToText());
}

std::string FormatPlain(const CitedWork& work) {
  std::string out;
  for (const Author& author : work.authors) out += Concat(out.empty() ? "" : ", ", NameOf(author));
  if (!out.empty()) out += ". ";
  out += Concat(work.title, " (", DateText(work.published).substr(0, 4), "). ", work.kind,
                " in the log ", work.origin, ". ");
  if (work.retracted) out += Concat(RetractionNote(work), ". ");
  return out + Concat(work.permalink, " (", work.record.ToText(), "). Accessed ",
                      DateText(work.accessed), ".\n");
}

}  // namespace stele
