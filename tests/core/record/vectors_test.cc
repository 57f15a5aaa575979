// The golden vectors of manifests, and the records on the two pages that the format was made from.
#include <gtest/gtest.h>

#include <filesystem>

#include "core/base/refusal.h"
#include "core/json/parse.h"
#include "core/record/manifest.h"
#include "tests/support/vector_json.h"

namespace stele {
namespace {

using testing::At;
using testing::Bytes;
using testing::Flag;
using testing::List;
using testing::Text;

void ExpectItem(const ManifestItem& item, const json::Value& expected) {
  EXPECT_EQ(item.in_bundle, !At(expected, "member").is_null());
  if (item.in_bundle) EXPECT_EQ(item.member, Text(At(expected, "member")));
  EXPECT_EQ(item.manifest.identity, Bytes(At(expected, "identity")));
  EXPECT_EQ(item.manifest.record.ToText(), Text(At(expected, "record")));
  EXPECT_EQ(item.manifest.manifest.ToText(), Text(At(expected, "manifest")));

  absl::StatusOr<json::Value> value = json::Parse(item.manifest.canonical);
  ASSERT_TRUE(value.ok()) << value.status();
  std::vector<Reference> references;
  for (const json::Value& reference : List(At(expected, "references"))) {
    const json::Array& parts = List(reference);
    references.push_back({Text(parts[0]), *Digest::FromText(Text(parts[1])), Flag(parts[2])});
  }
  EXPECT_EQ(FindReferences(*value), references);
}

TEST(ManifestVectors, Files) {
  const json::Value vectors = testing::LoadVectors("json.json");
  for (const json::Value& c : List(At(vectors, "manifests"))) {
    SCOPED_TRACE(Text(At(c, "name")));
    const std::string input = Bytes(At(c, "input"));
    absl::StatusOr<std::vector<ManifestItem>> items = ParseManifestFile(input);
    ASSERT_EQ(items.ok(), Flag(At(c, "accept"))) << items.status();
    if (!items.ok()) {
      EXPECT_EQ(ReasonOf(items.status()), Text(At(c, "reason")));
      EXPECT_EQ(PointerOf(items.status()), Text(At(c, "pointer")));
      continue;
    }
    const json::Array& expected = List(At(c, "manifests"));
    ASSERT_EQ(items->size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) ExpectItem(items->at(i), expected[i]);
  }
}

std::string Generate(const json::Value& parts) {
  std::string text;
  for (const json::Value& part : List(parts)) {
    const std::string piece = Bytes(List(part)[0]);
    for (double i = testing::Number(List(part)[1]); i > 0; --i) text += piece;
  }
  return text;
}

TEST(ManifestVectors, Generated) {
  const json::Value vectors = testing::LoadVectors("json.json");
  for (const json::Value& c : List(At(vectors, "generated"))) {
    SCOPED_TRACE(Text(At(c, "name")));
    const std::string input = Generate(At(c, "parts"));
    ASSERT_EQ(static_cast<double>(input.size()), testing::Number(At(c, "inputBytes")));
    absl::StatusOr<std::vector<ManifestItem>> items = ParseManifestFile(input);
    ASSERT_EQ(items.ok(), Flag(At(c, "accept"))) << items.status();
    if (!items.ok()) {
      EXPECT_EQ(ReasonOf(items.status()), Text(At(c, "reason")));
      EXPECT_EQ(PointerOf(items.status()), Text(At(c, "pointer")));
      continue;
    }
    const json::Array& records = List(At(c, "records"));
    ASSERT_EQ(items->size(), records.size());
    for (size_t i = 0; i < records.size(); ++i) {
      EXPECT_EQ(items->at(i).manifest.record.ToText(), Text(records[i]));
      EXPECT_EQ(static_cast<double>(items->at(i).manifest.canonical.size()),
                testing::Number(List(At(c, "canonicalBytes"))[i]));
    }
  }
}

std::string Example(const char* name) {
  return testing::ReadFile(std::filesystem::path(STELE_SOURCE_DIR) / "examples" / name);
}

TEST(Seeds, DigestsOfTheFirstPage) {
  const std::string text = Example("kernelindex-run-1.json");
  absl::StatusOr<std::vector<ManifestItem>> items = ParseManifestFile(text);
  ASSERT_TRUE(items.ok()) << items.status();
  ASSERT_EQ(items->size(), 3u);
  EXPECT_EQ(items->at(0).member, "environment");
  EXPECT_EQ(items->at(0).manifest.record.ToText(),
            "sha256:5296c820e166474e590abb1beaf7728cdfe0a4bde9bf55f8966a40f4f5401621");
  EXPECT_EQ(items->at(1).member, "protocol");
  EXPECT_EQ(items->at(1).manifest.record.ToText(),
            "sha256:2964c5c4ed9cb0dcdc0f74674035bc71bf5e66620939e38441060f76434ed3e5");
  const ManifestItem& run = items->at(2);
  EXPECT_EQ(run.member, "run");
  EXPECT_EQ(run.manifest.record.ToText(),
            "sha256:c61f8cd5ac43d94099a10751c5f8dd4151fdb82a459dc957d43121b7bc6a5336");
  EXPECT_EQ(run.manifest.kind, "BenchmarkRun");
  EXPECT_EQ(run.manifest.api_version, "kernelindex.dev/v1alpha1");
  EXPECT_EQ(run.manifest.name, "sol-submission-6683");
  EXPECT_EQ(run.manifest.title,
            "Recursive · 080_moe_complete_layer_with_shared_expert_backward · B200");
  EXPECT_TRUE(run.source.starts_with("{\n    \"kind\": \"BenchmarkRun\"")) << run.source;
  EXPECT_TRUE(run.source.ends_with("\n  }")) << run.source;
}

TEST(Seeds, DigestOfTheSecondPage) {
  const std::string text = Example("kernelindex-run-2.json");
  absl::StatusOr<std::vector<ManifestItem>> items = ParseManifestFile(text);
  ASSERT_TRUE(items.ok()) << items.status();
  ASSERT_EQ(items->size(), 3u);
  EXPECT_EQ(items->at(2).member, "run");
  EXPECT_EQ(items->at(2).manifest.record.ToText(),
            "sha256:28c78ea8f808d1b78085d073f400abf64930109cb0ad61efd3634542aaa78a58");
}

TEST(Seeds, TheRunNamesItsProtocolAndEnvironment) {
  const std::string text = Example("kernelindex-run-1.json");
  absl::StatusOr<std::vector<ManifestItem>> items = ParseManifestFile(text);
  ASSERT_TRUE(items.ok()) << items.status();
  const std::vector<Reference> references =
      FindReferences(*json::Parse(items->at(2).manifest.identity));
  ASSERT_EQ(references.size(), 4u);
  EXPECT_EQ(references[0].pointer, "/spec/environmentDigest");
  EXPECT_EQ(references[0].digest, items->at(0).manifest.record);
  EXPECT_EQ(references[2].pointer, "/spec/protocolDigest");
  EXPECT_EQ(references[2].digest, items->at(1).manifest.record);
}

TEST(Seeds, TheVectorWithoutSpecialCase) {
  absl::StatusOr<Manifest> manifest = ParseManifest(
      R"({"apiVersion":"kernelindex.dev/v1alpha1","kind":"SoftwareProject","spec":{"name":"Vector Project","repository":"https://example.invalid/vector/project"}})");
  ASSERT_TRUE(manifest.ok()) << manifest.status();
  EXPECT_EQ(manifest->record.ToText(),
            "sha256:bea60af06f12216679b113d6624c5293d59bef2104ccc27cd33c992d124e039d");
  EXPECT_EQ(manifest->manifest, manifest->record);
}

}  // namespace
}  // namespace stele
