// A YAML file: each document is an item (formats §2 "YAML").
//
// Read through yaml-cpp's event interface; its exceptions end here. The bytes are checked first:
// they must be UTF-8 without byte-order mark and without control characters, because yaml-cpp
// guesses encodings. A second document begins with `---`; where the syntax is broken the rest of
// the file is one refused item.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "tools/input/document.h"
#include "tools/io/input_stream.h"

namespace stele::tools {

class YamlDocuments final : public DocumentReader {
 public:
  YamlDocuments(std::string file, InputStream stream);
  ~YamlDocuments() override;
  absl::StatusOr<std::optional<Document>> Next() override;

 private:
  struct Parser;
  struct Pending {
    size_t begin = 0;
    size_t line = 1;
    absl::StatusOr<std::string> json;
  };

  absl::Status Start();
  // Reads one document ahead, since only the next one's beginning tells where one ends.
  std::optional<Pending> ReadAhead();
  Document Finish(Pending pending, size_t end) const;

  const std::string file_;
  InputStream stream_;
  std::string text_;
  std::unique_ptr<Parser> parser_;  // null before the first Next and after the last document
  std::optional<Pending> pending_;
  bool started_ = false;
  bool first_ = true;
};

// Why YAML bytes cannot be read at all; OK if they can. Pure.
absl::Status CheckYamlBytes(std::string_view text);

}  // namespace stele::tools
