#include "tools/input/text_document.h"

#include "core/base/limits.h"
#include "core/base/status_macros.h"

namespace stele::tools {

absl::StatusOr<std::optional<Document>> TextDocument::Next() {
  if (given_) return std::nullopt;
  given_ = true;
  STELE_ASSIGN_OR_RETURN(std::string text, stream_.ReadRest(limits::kManifestFileBytes));
  absl::StatusOr<std::vector<NamedManifest>> manifests = ParseJsonDocument(text);
  return Document{file_, 1, std::move(text), std::move(manifests)};
}

}  // namespace stele::tools
