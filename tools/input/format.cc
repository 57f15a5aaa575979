#include "tools/input/format.h"

#include "tools/catalog/row.h"

namespace stele::tools {
namespace {

constexpr std::string_view kBlank = " \t\r";

std::string_view Trim(std::string_view line) {
  const size_t begin = line.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(kBlank) - begin + 1);
}

// Takes the next line that is not blank off `text`; empty at the end.
std::string_view TakeLine(std::string_view& text) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = Trim(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!line.empty()) return line;
  }
  return {};
}

bool BeginsLikeJson(std::string_view line) {
  return line.empty() || line.starts_with('{') || line.starts_with('[') || line.starts_with('"') ||
         line.starts_with("\xef\xbb\xbf");
}

InputFormat ByHead(std::string_view head) {
  const std::string_view first = TakeLine(head);
  if (!BeginsLikeJson(first)) return InputFormat::kYaml;
  const std::string_view second = TakeLine(head);
  return first.ends_with('}') && second.starts_with('{') ? InputFormat::kLines : InputFormat::kJson;
}

InputFormat ByName(std::string_view name, std::string_view head) {
  if (name.ends_with(".zst")) name.remove_suffix(4);
  if (name.ends_with(".json")) return InputFormat::kJson;
  if (name.ends_with(".ndjson") || name.ends_with(".jsonl")) return InputFormat::kLines;
  if (name.ends_with(".yaml") || name.ends_with(".yml")) return InputFormat::kYaml;
  return ByHead(head);
}

}  // namespace

std::optional<FormatChoice> ParseFormatChoice(std::string_view name) {
  if (name == "auto") return FormatChoice::kAuto;
  if (name == "manifest") return FormatChoice::kManifest;
  if (name == "kernelindex-catalog") return FormatChoice::kKernelIndexCatalog;
  return std::nullopt;
}

InputFormat DetectFormat(std::string_view file_name, std::string_view head, FormatChoice choice) {
  if (choice == FormatChoice::kKernelIndexCatalog) return InputFormat::kCatalog;
  const InputFormat format = ByName(file_name, head);
  if (format != InputFormat::kLines || choice != FormatChoice::kAuto) return format;
  return LooksLikeCatalogRow(TakeLine(head)) ? InputFormat::kCatalog : format;
}

}  // namespace stele::tools
