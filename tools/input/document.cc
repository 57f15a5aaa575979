#include "tools/input/document.h"

#include <utility>

#include "core/base/concat.h"
#include "core/base/status_macros.h"

namespace stele::tools {

std::string Document::place() const {
  return Concat(file == "-" ? std::string_view("standard input") : file, ":", line);
}

std::vector<NamedManifest> Named(std::vector<ManifestItem> items) {
  std::vector<NamedManifest> named;
  named.reserve(items.size());
  for (ManifestItem& item : items) {
    named.push_back({std::move(item.member), std::move(item.manifest)});
  }
  return named;
}

absl::StatusOr<std::vector<NamedManifest>> ParseJsonDocument(std::string_view text) {
  STELE_ASSIGN_OR_RETURN(std::vector<ManifestItem> items, ParseManifestFile(text));
  return Named(std::move(items));
}

}  // namespace stele::tools
