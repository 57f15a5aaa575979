#include "core/kernelindex/profile.h"

#include <initializer_list>

#include "core/crypto/sha256.h"
#include "core/json/canonical.h"
#include "core/json/parse.h"
#include "core/record/manifest.h"

namespace stele::kernelindex {
namespace {

using Path = std::initializer_list<std::string_view>;

// The value at the path below an object; null if any step is missing.
const json::Value* At(const json::Value& value, Path path) {
  const json::Value* at = &value;
  for (std::string_view name : path) {
    at = at->object() == nullptr ? nullptr : at->object()->Find(name);
    if (at == nullptr) return nullptr;
  }
  return at;
}

bool Has(const json::Value& value, Path path) {
  const json::Value* at = At(value, path);
  return at != nullptr && !at->is_null();
}

const std::string* TextAt(const json::Value& value, Path path) {
  const json::Value* at = At(value, path);
  return at == nullptr ? nullptr : at->string();
}

std::optional<double> NumberAt(const json::Value& value, Path path) {
  const json::Value* at = At(value, path);
  if (at == nullptr || at->number() == nullptr) return std::nullopt;
  return *at->number();
}

std::optional<Digest> DigestAt(const json::Value& value, Path path) {
  const std::string* text = TextAt(value, path);
  return text == nullptr ? std::nullopt : Digest::FromText(*text);
}

std::optional<Measurement> MeasuredByTiming(const json::Value& spec) {
  const std::string* statistic = TextAt(spec, {"timing", "primaryStatistic"});
  if (statistic == nullptr) return std::nullopt;
  const std::optional<double> mean = NumberAt(spec, {"timing", "latencyNs", "mean"});
  const std::optional<double> median = NumberAt(spec, {"timing", "latencyNs", "median"});
  const bool mean_first = *statistic == "mean";
  std::optional<double> value = mean_first ? mean : median;
  if (!value) value = mean_first ? median : mean;
  if (!value) return std::nullopt;
  return Measurement{"latency:" + *statistic + ":ns", value, "ns"};
}

std::optional<Measurement> FirstMeasurement(const json::Value& spec) {
  const json::Value* list = At(spec, {"measurements"});
  if (list == nullptr || list->array() == nullptr || list->array()->empty()) return std::nullopt;
  const json::Value& first = list->array()->front();
  const std::string* metric = TextAt(first, {"metric"});
  const std::string* statistic = TextAt(first, {"statistic"});
  const std::string* unit = TextAt(first, {"unit"});
  const std::optional<double> value = NumberAt(first, {"value"});
  if (metric == nullptr || statistic == nullptr || unit == nullptr || !value) return std::nullopt;
  return Measurement{*metric + ":" + *statistic + ":" + *unit, value, *unit};
}

std::optional<Interval> ReadInterval(const json::Value& spec) {
  const json::Value* pair = At(spec, {"timing", "latencyNs", "confidence95"});
  if (pair == nullptr || pair->array() == nullptr || pair->array()->size() != 2) {
    return std::nullopt;
  }
  const double* low = pair->array()->front().number();
  const double* high = pair->array()->back().number();
  if (low == nullptr || high == nullptr || *low > *high) return std::nullopt;
  return Interval{*low, *high};
}

BenchmarkRun ReadRun(const json::Value& spec) {
  BenchmarkRun run;
  if (const std::string* status = TextAt(spec, {"status"})) run.status = *status;
  std::optional<Measurement> primary = MeasuredByTiming(spec);
  if (!primary) primary = FirstMeasurement(spec);
  if (primary) run.primary = *std::move(primary);
  run.confidence95 = ReadInterval(spec);
  run.source_native = At(spec, {"sourceNative"}) != nullptr;
  run.workload = DigestAt(spec, {"workloadDigest"});
  run.protocol = DigestAt(spec, {"protocolDigest"});
  run.environment = DigestAt(spec, {"environmentDigest"});
  run.implementation = DigestAt(spec, {"implementationDigest"});
  run.raw = {.timing_samples = Has(spec, {"timing", "rawSamples"}),
             .samples = Has(spec, {"evidence", "rawSamples"}),
             .logs = Has(spec, {"evidence", "logs"})};
  return run;
}

std::optional<Workload> ReadWorkload(const json::Value& spec) {
  const std::optional<Digest> operation = DigestAt(spec, {"operationSpecDigest"});
  if (!operation) return std::nullopt;
  std::string correctness = "{";
  if (const json::Value* value = At(spec, {"correctness"})) {
    correctness += R"("correctness":)";
    json::AppendCanonical(*value, correctness);
  }
  correctness += "}";
  return Workload{*operation, Sha256(correctness)};
}

}  // namespace

std::optional<Profile> ReadProfile(const Manifest& manifest, const json::Value& value) {
  if (manifest.api_version != kApiVersion) return std::nullopt;
  const json::Value& spec = *At(value, {"spec"});
  Profile profile;
  profile.kind = manifest.kind;
  if (profile.kind == kRunKind) profile.run = ReadRun(spec);
  profile.workload = ReadWorkload(spec);
  profile.implementation = {.repository = Has(spec, {"projectRevision", "repository"}),
                            .source = Has(spec, {"source"})};
  return profile;
}

std::optional<Profile> ReadProfile(std::string_view identity) {
  const absl::StatusOr<json::Value> body = json::Parse(identity);
  if (!body.ok()) return std::nullopt;
  const std::string* api_version = TextAt(*body, {"apiVersion"});
  if (api_version == nullptr || *api_version != kApiVersion) return std::nullopt;
  const absl::StatusOr<Manifest> manifest = ManifestFromValue(*body, identity.size());
  if (!manifest.ok() || manifest->identity != identity) return std::nullopt;
  return ReadProfile(*manifest, *body);
}

std::optional<Digest> ComparisonKey(const BenchmarkRun& run, const Workload& workload) {
  if (!run.workload || !run.protocol || !run.environment) return std::nullopt;
  // RFC 8785 by hand: the members in order, every text but the metric in need of no escape.
  std::string text = R"({"correctness":")" + workload.correctness.ToText();
  text += R"(","environment":")" + run.environment->ToText();
  text += R"(","metric":)";
  json::AppendCanonicalString(run.primary.key, text);
  text += R"(,"operation":")" + workload.operation.ToText();
  text += R"(","protocol":")" + run.protocol->ToText();
  text += R"(","v":1,"workload":")" + run.workload->ToText() + R"("})";
  return Sha256(text);
}

}  // namespace stele::kernelindex
