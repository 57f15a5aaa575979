// Any bytes as a file of manifests. Each manifest's canonical form is a manifest with the same
// bytes and digests, its source text gives the same manifest, and the identity body is a manifest
// of the same record.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "core/json/parse.h"
#include "core/record/manifest.h"

namespace {

void Demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

void CheckManifest(const stele::ManifestItem& item) {
  const stele::Manifest& manifest = item.manifest;
  for (std::string_view text : {item.source, std::string_view(manifest.canonical)}) {
    const auto again = stele::ParseManifest(text);
    Demand(again.ok(), "source or canonical form is refused");
    Demand(again->canonical == manifest.canonical && again->identity == manifest.identity,
           "the canonical form is not a fixed point");
    Demand(again->record == manifest.record && again->manifest == manifest.manifest,
           "a digest differs");
  }
  const auto record = stele::ParseManifest(manifest.identity);
  Demand(record.ok(), "the identity body is refused");
  Demand(record->record == manifest.record && record->manifest == manifest.record,
         "the identity body names another record");
  const auto whole = stele::json::Parse(manifest.canonical);
  const auto identity = stele::json::Parse(manifest.identity);
  Demand(stele::FindReferences(*whole) == stele::FindReferences(*identity),
         "metadata changed the references");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto items = stele::ParseManifestFile(text);
  if (!items.ok()) return 0;
  for (const stele::ManifestItem& item : *items) CheckManifest(item);
  return 0;
}
