#include "tools/input/line_documents.h"

#include "core/base/concat.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"
#include "tools/catalog/row.h"

namespace stele::tools {
namespace {

using Manifests = absl::StatusOr<std::vector<NamedManifest>>;

std::optional<Manifests> ParseLine(LineKind kind, std::string_view text) {
  if (kind == LineKind::kManifest) return ParseJsonDocument(text);
  absl::StatusOr<std::optional<std::vector<ManifestItem>>> row = ParseCatalogRow(text);
  if (!row.ok()) return row.status();
  if (!row->has_value()) return std::nullopt;
  return Named(**std::move(row));
}

}  // namespace

absl::StatusOr<std::optional<Document>> LineDocuments::Next() {
  std::string text;
  for (;;) {
    absl::StatusOr<bool> more = stream_.ReadLine(limits::kManifestFileBytes, text);
    ++line_;
    if (!more.ok()) {
      return absl::Status(more.status().code(),
                          Concat("line ", line_, ": ", std::string(more.status().message())));
    }
    if (!*more) return std::nullopt;
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    std::optional<Manifests> manifests = ParseLine(kind_, text);
    if (manifests) return Document{file_, line_, std::move(text), *std::move(manifests)};
  }
}

}  // namespace stele::tools
