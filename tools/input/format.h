// Which kind of input a file is. Pure.
#pragma once

#include <optional>
#include <string_view>

namespace stele::tools {

// What the user asked for with --format.
enum class FormatChoice { kAuto, kManifest, kKernelIndexCatalog };
std::optional<FormatChoice> ParseFormatChoice(std::string_view name);

enum class InputFormat {
  kJson,     // one JSON text
  kLines,    // one JSON text a line; blank lines do not count
  kYaml,     // YAML documents
  kCatalog,  // lines of KernelIndex's catalogue export
};

// By the name, without `.zst`: .json is one text, .ndjson and .jsonl lines, .yaml and .yml YAML.
// Any other name is judged by `head`, the first bytes: what begins like JSON is lines if its first
// line is closed and another one opens, else one text; the rest is YAML. Lines whose first one has
// the shape of a catalogue line are a catalogue under kAuto.
InputFormat DetectFormat(std::string_view file_name, std::string_view head, FormatChoice choice);

// How much of the input DetectFormat wants to see.
inline constexpr size_t kFormatHeadBytes = 1024 * 1024;

}  // namespace stele::tools
