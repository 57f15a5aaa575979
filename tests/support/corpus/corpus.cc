#include "tests/support/corpus/corpus.h"

#include <zstd.h>

#include <filesystem>
#include <memory>
#include <stdexcept>

#include "core/json/parse.h"
#include "core/record/manifest.h"
#include "tests/support/shared.h"
#include "tests/support/vector_json.h"

namespace stele::testing {
namespace {

constexpr int kWrapperDepth = 4;  // {"row":{"manifest":{"run": around a manifest

std::string Decompress(const std::string& compressed) {
  const std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(),
                                                                        ZSTD_freeDStream);
  std::string text, buffer(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer in{compressed.data(), compressed.size(), 0};
  size_t left = 1;
  while (left != 0) {
    ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
    left = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(left) != 0) throw std::runtime_error(ZSTD_getErrorName(left));
    text.append(buffer, 0, out.pos);
    if (left != 0 && in.pos == in.size && out.pos < out.size) {
      throw std::runtime_error("the export ends in the middle");
    }
  }
  return text;
}

std::optional<std::filesystem::path> FindExport() {
  const auto shared = SharedDir();
  if (!shared || !std::filesystem::is_directory(*shared / "data")) return std::nullopt;
  for (const auto& file : std::filesystem::directory_iterator(*shared / "data")) {
    if (file.path().string().ends_with(".jsonl.zst")) return file.path();
  }
  return std::nullopt;
}

// The record of a manifest, held against the digest that the registry computed.
std::pair<Digest, kernelindex::Profile> ReadRecord(const json::Value& manifest,
                                                   const std::string& digest, Corpus& corpus) {
  const Manifest read = ManifestFromValue(manifest, 0).value();
  corpus.manifests.push_back(read.canonical);
  if (read.record.ToText() != digest) throw std::runtime_error("another digest than " + digest);
  return {read.record, kernelindex::ReadProfile(read.identity).value()};
}

CorpusRun ReadRun(const json::Value& row, Corpus& corpus) {
  CorpusRun run;
  std::tie(run.record, run.profile) =
      ReadRecord(At(At(row, "manifest"), "run"), Text(At(row, "runDigest")), corpus);
  run.comparison_key = Text(At(row, "comparisonKey"));
  if (!At(row, "primaryValue").is_null()) run.primary_value = Number(At(row, "primaryValue"));
  run.source_native = Flag(At(row, "sourceNative"));
  run.has_raw_evidence = Flag(At(row, "hasRawEvidence"));
  run.status = Text(At(row, "status"));
  return run;
}

void ReadRow(std::string_view line, Corpus& corpus) {
  const json::Value value =
      json::Parse(line, {.max_bytes = line.size(), .max_depth = limits::kJsonDepth + kWrapperDepth})
          .value();
  const std::string& table = Text(At(value, "table"));
  const json::Value& row = At(value, "row");
  if (table == "benchmark_runs") corpus.runs.push_back(ReadRun(row, corpus));
  if (table == "workloads") {
    corpus.records.insert(ReadRecord(At(row, "manifest"), Text(At(row, "workloadDigest")), corpus));
  }
  if (table == "implementations") {
    corpus.records.insert(
        ReadRecord(At(row, "manifest"), Text(At(row, "implementationDigest")), corpus));
  }
}

std::unique_ptr<Corpus> ReadCorpus() {
  const auto path = FindExport();
  if (!path) return nullptr;
  const std::string text = Decompress(ReadFile(*path));
  auto corpus = std::make_unique<Corpus>();
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) ReadRow(std::string_view(text).substr(begin, end - begin), *corpus);
    begin = end + 1;
  }
  return corpus;
}

}  // namespace

const Corpus* SharedCorpus() {
  static const std::unique_ptr<Corpus> corpus = ReadCorpus();
  return corpus.get();
}

}  // namespace stele::testing
