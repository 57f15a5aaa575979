#include "tools/catalog/row.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/concat.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/json/parse.h"
#include "core/json/pointer.h"

namespace stele::tools {
namespace {

struct Table {
  std::string_view name;
  std::string_view digest_column;  // empty if the registry publishes none
};
constexpr Table kTables[] = {
    {"projects", ""},
    {"operations", "semanticDigest"},
    {"workloads", "workloadDigest"},
    {"implementations", "implementationDigest"},
    {"benchmark_runs", "runDigest"},
    {"model_revisions", "modelDigest"},
    {"serving_stack_revisions", "stackDigest"},
    {"serving_configurations", "configurationDigest"},
    {"serving_workloads", "workloadDigest"},
    {"serving_runs", "runDigest"},
};
constexpr std::string_view kManifestPointer = "/row/manifest";

// The wrappers of a line do not count: the line, its row, and a bundle around the manifest.
constexpr json::ParseLimits kLineLimits{.max_bytes = limits::kManifestFileBytes,
                                        .max_depth = limits::kJsonDepth + 3};

const json::Object* AsObject(const json::Value* value) {
  return value == nullptr ? nullptr : value->object();
}

struct Line {
  std::string_view table;
  const json::Object* row = nullptr;
};

absl::StatusOr<Line> ReadLine(const json::Value& value) {
  const json::Object* object = value.object();
  const json::Value* table = object == nullptr ? nullptr : object->Find("table");
  const json::Object* row = object == nullptr ? nullptr : AsObject(object->Find("row"));
  if (table == nullptr || table->string() == nullptr || row == nullptr) {
    return RefuseInput(reason::kWrongType, "",
                       "a catalogue line is an object with a string `table` and an object `row`");
  }
  return Line{*table->string(), row};
}

// The digest text at `value` must be the record digest of `manifest`.
absl::Status CheckDigest(const json::Value* value, const Manifest& manifest,
                         const std::string& pointer) {
  const std::string* published = value == nullptr ? nullptr : value->string();
  if (published == nullptr) {
    return RefuseInput(reason::kMissingMember, pointer,
                       Concat("the published digest of the ", manifest.kind, " is missing"));
  }
  const std::string computed = manifest.record.ToText();
  if (*published == computed) return absl::OkStatus();
  return RefuseInput(reason::kWrongValue, pointer,
                     Concat("the published digest of the ", manifest.kind, " is ", *published,
                            ", the one computed from its manifest is ", computed));
}

const Manifest* FindMember(const std::vector<ManifestItem>& items, std::string_view member) {
  for (const ManifestItem& item : items) {
    if (item.in_bundle && item.member == member) return &item.manifest;
  }
  return nullptr;
}

// The bundle of a benchmark run: three digests, two of them in the run itself.
absl::Status CheckRunBundle(const json::Object& row, const std::vector<ManifestItem>& items) {
  const Manifest* run = FindMember(items, "run");
  const Manifest* protocol = FindMember(items, "protocol");
  const Manifest* environment = FindMember(items, "environment");
  if (run == nullptr || protocol == nullptr || environment == nullptr || items.size() != 3) {
    return RefuseInput(reason::kMissingMember, kManifestPointer,
                       "the manifest of a benchmark run is a bundle of run, protocol, environment");
  }
  STELE_RETURN_IF_ERROR(CheckDigest(row.Find("runDigest"), *run, "/row/runDigest"));
  const json::Object* bundle = AsObject(row.Find("manifest"));
  const json::Object* run_object = AsObject(bundle->Find("run"));
  const json::Object* spec = AsObject(run_object->Find("spec"));
  STELE_RETURN_IF_ERROR(CheckDigest(spec->Find("protocolDigest"), *protocol,
                                    "/row/manifest/run/spec/protocolDigest"));
  return CheckDigest(spec->Find("environmentDigest"), *environment,
                     "/row/manifest/run/spec/environmentDigest");
}

absl::Status CheckPublishedDigests(const Table& table, const json::Object& row,
                                   const std::vector<ManifestItem>& items) {
  if (table.name == "benchmark_runs") return CheckRunBundle(row, items);
  if (items.size() != 1 || items[0].in_bundle) {
    return RefuseInput(reason::kWrongType, kManifestPointer,
                       Concat("a row of ", table.name, " has one manifest, no bundle"));
  }
  if (table.digest_column.empty()) return absl::OkStatus();
  return CheckDigest(row.Find(table.digest_column), items[0].manifest,
                     json::ChildPointer("/row", table.digest_column));
}

}  // namespace

bool LooksLikeCatalogRow(std::string_view line) {
  if (line.empty()) return false;
  absl::StatusOr<json::Value> value = json::Parse(line, kLineLimits);
  return value.ok() && ReadLine(*value).ok() && value->object()->members.size() == 2;
}

absl::StatusOr<std::optional<std::vector<ManifestItem>>> ParseCatalogRow(std::string_view text) {
  STELE_ASSIGN_OR_RETURN(json::Value value, json::Parse(text, kLineLimits));
  STELE_ASSIGN_OR_RETURN(Line line, ReadLine(value));
  const Table* table = std::find_if(std::begin(kTables), std::end(kTables),
                                    [&](const Table& t) { return t.name == line.table; });
  if (table == std::end(kTables)) return std::nullopt;
  const json::Value* manifest = line.row->Find("manifest");
  if (manifest == nullptr || manifest->object() == nullptr) {
    return RefuseInput(reason::kMissingMember, kManifestPointer,
                       Concat("a row of ", table->name, " carries its manifest as an object"));
  }
  const std::string_view source =
      text.substr(manifest->source_begin, manifest->source_end - manifest->source_begin);
  absl::StatusOr<std::vector<ManifestItem>> items = ParseManifestFile(source);
  if (!items.ok()) return PrefixPointer(items.status(), kManifestPointer);
  STELE_RETURN_IF_ERROR(CheckPublishedDigests(*table, *line.row, *items));
  return std::optional(*std::move(items));
}

}  // namespace stele::tools
