// What every record costs before anything is stored: read, written in canonical form, hashed.
#include <benchmark/benchmark.h>

#include <string>

#include "core/crypto/sha256.h"
#include "core/json/canonical.h"
#include "core/json/parse.h"
#include "core/record/manifest.h"

namespace stele {
namespace {

// A benchmark run much like those of the seed pages, filled up to `bytes` with measurements.
std::string ManifestText(size_t bytes) {
  std::string text =
      R"({"apiVersion":"kernelindex.dev/v1alpha1","kind":"BenchmarkRun","metadata":{"name":"run",)"
      R"("title":"Recursive · backward · B200","labels":{"worker":"B200-ext"}},"spec":{"status":)"
      R"("passed","timing":{"latencyNs":{"mean":143901,"confidence95":[143000.5,144100.25]},)"
      R"("primaryStatistic":"mean"},"protocolDigest":)"
      R"("sha256:2964c5c4ed9cb0dcdc0f74674035bc71bf5e66620939e38441060f76434ed3e5",)"
      R"("workloadDigest":)"
      R"("sha256:d0c7d8b059eeafdd38c3c2adf34fd25f5a47a48ff884ab6c6f32f2b9857e61ec",)"
      R"("measurements":[{"value":1})";
  while (text.size() + 70 < bytes) {
    text += R"(,{"metric":"latency","statistic":"median","unit":"ns","value":0.734476})";
  }
  return text + "]}}";
}

void BM_Parse(benchmark::State& state) {
  const std::string text = ManifestText(static_cast<size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(json::Parse(text));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}
BENCHMARK(BM_Parse)->Arg(1024)->Arg(64 * 1024);

void BM_Canonical(benchmark::State& state) {
  const std::string text = ManifestText(static_cast<size_t>(state.range(0)));
  const json::Value value = *json::Parse(text);
  for (auto _ : state) benchmark::DoNotOptimize(json::Canonical(value));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}
BENCHMARK(BM_Canonical)->Arg(1024)->Arg(64 * 1024);

void BM_ParseAndCanonical(benchmark::State& state) {
  const std::string text = ManifestText(static_cast<size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(json::Canonical(*json::Parse(text)));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}
BENCHMARK(BM_ParseAndCanonical)->Arg(1024)->Arg(64 * 1024);

void BM_ParseManifest(benchmark::State& state) {
  const std::string text = ManifestText(static_cast<size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(ParseManifest(text));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}
BENCHMARK(BM_ParseManifest)->Arg(1024)->Arg(64 * 1024);

void BM_Sha256(benchmark::State& state) {
  const std::string text = ManifestText(static_cast<size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(Sha256(text));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}
BENCHMARK(BM_Sha256)->Arg(1024)->Arg(64 * 1024);

}  // namespace
}  // namespace stele
