// A line of KernelIndex's catalogue export: {"table": …, "row": {…}}. Pure.
//
// Rows of ten tables carry a canonical manifest in `row.manifest` (a benchmark run carries a bundle
// `{run, protocol, environment}`), and most of them the digest that the registry computed for it:
//
//   projects                (none)                    serving_stack_revisions  stackDigest
//   operations              semanticDigest            serving_configurations   configurationDigest
//   workloads               workloadDigest            serving_workloads        workloadDigest
//   implementations         implementationDigest      serving_runs             runDigest
//   model_revisions         modelDigest
//   benchmark_runs          runDigest; the run's spec.protocolDigest and spec.environmentDigest
//
// Rows of every other table carry no manifest and are passed over.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/record/manifest.h"

namespace stele::tools {

// Is this the shape of a catalogue line: exactly a string `table` and an object `row`?
bool LooksLikeCatalogRow(std::string_view line);

// The manifests of a row; nothing if its table has none. Sources are views into `line`. Refusals
// have the pointer in the line: those of reading, WRONG_TYPE or MISSING_MEMBER for another shape,
// and WRONG_VALUE at the column whose digest differs from the one computed here.
absl::StatusOr<std::optional<std::vector<ManifestItem>>> ParseCatalogRow(std::string_view line);

}  // namespace stele::tools
