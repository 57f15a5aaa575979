#include "store/index/record_body.h"

#include <utility>

#include "absl/status/statusor.h"
#include "core/base/query_limits.h"
#include "core/json/parse.h"
#include "core/record/manifest.h"
#include "store/index/words.h"

namespace stele::store {

std::optional<RecordBody> ReadRecordBody(std::string_view identity) {
  const absl::StatusOr<json::Value> value = json::Parse(identity);
  if (!value.ok()) return std::nullopt;
  const absl::StatusOr<Manifest> manifest = ManifestFromValue(*value, identity.size());
  if (!manifest.ok() || manifest->identity != identity) return std::nullopt;
  RecordBody body;
  body.kind = CutText(manifest->kind, limits::kIndexedKindBytes);
  body.profile = kernelindex::ReadProfile(*manifest, *value);
  VisitReferences(*value, [&](std::string_view pointer, const Digest& target, bool artifact) {
    const bool fits = pointer.size() <= limits::kIndexedPointerBytes;
    body.references.push_back({target, {fits ? std::string(pointer) : std::string(), artifact}});
  });
  return body;
}

RunValue RunValueOf(const kernelindex::BenchmarkRun& run) {
  RunValue value;
  value.status = CutText(run.status, limits::kIndexedMeasureBytes);
  value.metric = CutText(run.primary.key, limits::kIndexedMeasureBytes);
  value.unit = CutText(run.primary.unit, limits::kIndexedMeasureBytes);
  value.value = run.primary.value;
  if (run.confidence95) value.interval.emplace(run.confidence95->low, run.confidence95->high);
  value.source_native = run.source_native;
  value.workload = run.workload;
  value.protocol = run.protocol;
  value.environment = run.environment;
  value.implementation = run.implementation;
  return value;
}

}  // namespace stele::store
