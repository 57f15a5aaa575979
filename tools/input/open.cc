#include "tools/input/open.h"

#include <utility>

#include "core/base/status_macros.h"
#include "tools/input/line_documents.h"
#include "tools/input/text_document.h"
#include "tools/input/yaml_documents.h"
#include "tools/io/byte_source.h"
#include "tools/io/input_stream.h"

namespace stele::tools {
namespace {

std::unique_ptr<DocumentReader> MakeReader(InputFormat format, const std::string& path,
                                           InputStream stream) {
  switch (format) {
    case InputFormat::kJson:
      return std::make_unique<TextDocument>(path, std::move(stream));
    case InputFormat::kYaml:
      return std::make_unique<YamlDocuments>(path, std::move(stream));
    case InputFormat::kLines:
      return std::make_unique<LineDocuments>(path, std::move(stream), LineKind::kManifest);
    case InputFormat::kCatalog:
      break;
  }
  return std::make_unique<LineDocuments>(path, std::move(stream), LineKind::kCatalog);
}

}  // namespace

absl::StatusOr<OpenedInput> OpenInput(const std::string& path, FormatChoice choice) {
  STELE_ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> source, OpenBytes(path));
  InputStream stream(std::move(source));
  STELE_ASSIGN_OR_RETURN(std::string_view head, stream.Peek(kFormatHeadBytes));
  const InputFormat format = DetectFormat(path, head, choice);
  return OpenedInput{format, MakeReader(format, path, std::move(stream))};
}

}  // namespace stele::tools
