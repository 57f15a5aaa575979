// One item of input: a manifest or a bundle, from a file or a line of one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/record/manifest.h"

namespace stele::tools {

struct NamedManifest {
  std::string member;  // its name in the bundle; empty for a manifest on its own
  Manifest manifest;
};

struct Document {
  std::string file;  // as on the command line; "-" is standard input
  size_t line = 1;   // where it begins, from 1
  std::string raw;   // its bytes as they came
  // What it holds, or why it is refused: reason and JSON Pointer in the status.
  absl::StatusOr<std::vector<NamedManifest>> manifests;

  std::string place() const;  // "file:line"
};

// One JSON text, by the strict rules of core/record.
absl::StatusOr<std::vector<NamedManifest>> ParseJsonDocument(std::string_view text);
// The same without the views into the input.
std::vector<NamedManifest> Named(std::vector<ManifestItem> items);

// The documents of one input, one after the other. One thread at a time.
class DocumentReader {
 public:
  virtual ~DocumentReader() = default;
  // Nothing at the end. A document that is refused is an answer like any other, reading goes on
  // after it. An error means that the input itself cannot be read any further (system error,
  // damaged zstd data, an item of more than limits::kManifestFileBytes): the message names it.
  virtual absl::StatusOr<std::optional<Document>> Next() = 0;
};

}  // namespace stele::tools
