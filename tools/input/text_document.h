// A file that is one JSON text.
#pragma once

#include <string>
#include <utility>

#include "tools/input/document.h"
#include "tools/io/input_stream.h"

namespace stele::tools {

class TextDocument final : public DocumentReader {
 public:
  TextDocument(std::string file, InputStream stream)
      : file_(std::move(file)), stream_(std::move(stream)) {}
  absl::StatusOr<std::optional<Document>> Next() override;

 private:
  const std::string file_;
  InputStream stream_;
  bool given_ = false;
};

}  // namespace stele::tools
