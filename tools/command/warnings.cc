#include "tools/command/warnings.h"

#include "core/base/concat.h"
#include "tools/catalog/normalisation.h"

namespace stele::tools {

std::vector<std::string> Warnings::Of(const Document& document) {
  std::vector<std::string> lines;
  if (!document.manifests.ok()) return lines;
  for (const NamedManifest& named : *document.manifests) {
    for (const std::string& warning : NormalisationWarnings(named.manifest)) {
      if (found_++ >= kTold) continue;
      lines.push_back(Concat("warning: ", document.place(), ": ", named.manifest.kind, ": ",
                             warning, ", which would give it another digest"));
    }
  }
  return lines;
}

}  // namespace stele::tools
