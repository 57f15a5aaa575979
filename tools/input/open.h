// Opens an input of any format as a stream of documents.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "tools/input/document.h"
#include "tools/input/format.h"

namespace stele::tools {

struct OpenedInput {
  InputFormat format;
  std::unique_ptr<DocumentReader> reader;
};

// `path` may be "-" and may be compressed with zstd. Errors as OpenBytes. Lines and catalogues are
// streamed; a JSON text or a YAML file is read whole, up to limits::kManifestFileBytes.
absl::StatusOr<OpenedInput> OpenInput(const std::string& path, FormatChoice choice);

}  // namespace stele::tools
