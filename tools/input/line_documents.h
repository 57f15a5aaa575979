// A file with one JSON text a line (NDJSON), or one catalogue row a line.
#pragma once

#include <string>
#include <utility>

#include "tools/input/document.h"
#include "tools/io/input_stream.h"

namespace stele::tools {

enum class LineKind { kManifest, kCatalog };

// Blank lines, and catalogue rows without a manifest, are passed over.
class LineDocuments final : public DocumentReader {
 public:
  LineDocuments(std::string file, InputStream stream, LineKind kind)
      : file_(std::move(file)), stream_(std::move(stream)), kind_(kind) {}
  absl::StatusOr<std::optional<Document>> Next() override;

 private:
  const std::string file_;
  InputStream stream_;
  const LineKind kind_;
  size_t line_ = 0;
};

}  // namespace stele::tools
