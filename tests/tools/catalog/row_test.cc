#include "tools/catalog/row.h"

#include <gtest/gtest.h>

#include <string>

#include "core/base/concat.h"
#include "core/base/refusal.h"

namespace stele::tools {
namespace {

std::string ManifestText(std::string_view kind, std::string_view spec) {
  return Concat(R"({"apiVersion":"kernelindex.dev/v1alpha1","kind":")", kind, R"(","spec":)", spec,
                R"(,"metadata":{"name":"n"}})");
}

std::string DigestOf(const std::string& manifest) {
  return ParseManifest(manifest)->record.ToText();
}

std::string RowText(std::string_view table, std::string_view columns, std::string_view manifest) {
  return Concat(R"({"table":")", table, R"(","row":{)", columns, R"("manifest":)", manifest, "}}");
}

// "" if the row is taken, else reason and pointer.
std::string Refusal(const std::string& line) {
  const absl::Status status = ParseCatalogRow(line).status();
  return status.ok() ? "" : Concat(ReasonOf(status), " ", PointerOf(status));
}

struct Column {
  const char* table;
  const char* column;
};

TEST(CatalogRowTest, ComparesTheDigestColumnOfEachTable) {
  const std::string manifest = ManifestText("K", R"({"a":1})");
  for (const Column& c :
       {Column{"operations", "semanticDigest"}, Column{"workloads", "workloadDigest"},
        Column{"implementations", "implementationDigest"}, Column{"model_revisions", "modelDigest"},
        Column{"serving_stack_revisions", "stackDigest"},
        Column{"serving_configurations", "configurationDigest"},
        Column{"serving_workloads", "workloadDigest"}, Column{"serving_runs", "runDigest"}}) {
    const std::string place = Concat("/row/", c.column);
    const std::string good = Concat("\"", c.column, "\":\"", DigestOf(manifest), "\",");
    EXPECT_EQ(Refusal(RowText(c.table, good, manifest)), "") << c.table;
    const std::string other = Concat("\"", c.column, "\":\"sha256:", std::string(64, '0'), "\",");
    EXPECT_EQ(Refusal(RowText(c.table, other, manifest)), "WRONG_VALUE " + place) << c.table;
    EXPECT_EQ(Refusal(RowText(c.table, "", manifest)), "MISSING_MEMBER " + place) << c.table;
    EXPECT_EQ(Refusal(RowText(c.table, Concat("\"", c.column, "\":7,"), manifest)),
              "MISSING_MEMBER " + place);
  }
  EXPECT_EQ(Refusal(RowText("projects", "", manifest)), "");
}

TEST(CatalogRowTest, ARunIsABundleWithThreeDigests) {
  const std::string protocol = ManifestText("BenchmarkProtocol", R"({"p":1})");
  const std::string environment = ManifestText("ExecutionEnvironment", R"({"e":1})");
  const auto bundle = [&](const std::string& protocol_digest, const std::string& env_digest) {
    const std::string run =
        ManifestText("BenchmarkRun", Concat(R"({"protocolDigest":")", protocol_digest,
                                            R"(","environmentDigest":")", env_digest, R"("})"));
    return RowText("benchmark_runs", Concat(R"("runDigest":")", DigestOf(run), "\","),
                   Concat(R"({"run":)", run, R"(,"protocol":)", protocol, R"(,"environment":)",
                          environment, "}"));
  };
  const std::string good = bundle(DigestOf(protocol), DigestOf(environment));
  EXPECT_EQ(Refusal(good), "");
  absl::StatusOr<std::optional<std::vector<ManifestItem>>> items = ParseCatalogRow(good);
  ASSERT_TRUE(items.ok() && items->has_value());
  EXPECT_EQ((*items)->size(), 3u);
  EXPECT_EQ(Refusal(bundle(DigestOf(environment), DigestOf(environment))),
            "WRONG_VALUE /row/manifest/run/spec/protocolDigest");
  EXPECT_EQ(Refusal(bundle(DigestOf(protocol), "none")),
            "WRONG_VALUE /row/manifest/run/spec/environmentDigest");
  std::string wrong_run = good;
  wrong_run.replace(wrong_run.find("runDigest") + 20, 1, "g");
  EXPECT_EQ(Refusal(wrong_run), "WRONG_VALUE /row/runDigest");
  EXPECT_EQ(Refusal(RowText("benchmark_runs", "", protocol)), "MISSING_MEMBER /row/manifest");
  EXPECT_EQ(Refusal(RowText("benchmark_runs", "", Concat(R"({"run":)", protocol, "}"))),
            "MISSING_MEMBER /row/manifest");
}

TEST(CatalogRowTest, OtherTablesHaveNoManifest) {
  for (const char* line : {R"({"table":"sources","row":{"manifest":{"any":"thing"}}})",
                           R"({"table":"measurements","row":{}})"}) {
    absl::StatusOr<std::optional<std::vector<ManifestItem>>> items = ParseCatalogRow(line);
    ASSERT_TRUE(items.ok());
    EXPECT_FALSE(items->has_value());
  }
}

TEST(CatalogRowTest, RefusesWhatIsNoRow) {
  EXPECT_EQ(Refusal("[]"), "WRONG_TYPE ");
  EXPECT_EQ(Refusal(R"({"table":1,"row":{}})"), "WRONG_TYPE ");
  EXPECT_EQ(Refusal(R"({"table":"projects"})"), "WRONG_TYPE ");
  EXPECT_EQ(Refusal(R"({"table":"projects","row":{}})"), "MISSING_MEMBER /row/manifest");
  EXPECT_EQ(Refusal(R"({"table":"projects","row":{"manifest":"text"}})"),
            "MISSING_MEMBER /row/manifest");
  EXPECT_EQ(Refusal(R"({"table":"projects","row":{"manifest":{"kind":1}}})"),
            "MISSING_MEMBER /row/manifest/apiVersion");
  EXPECT_EQ(Refusal(R"({"table":"projects","row":{"manifest":{},"manifest":{}}})"),
            "DUPLICATE_NAME /row/manifest");
}

TEST(CatalogRowTest, TheWrappersOfALineDoNotCountAsDepth) {
  const auto manifest = [](size_t depth) {  // the manifest is 1, its spec 2
    return ManifestText(
        "K", Concat(R"({"a":)", std::string(depth - 2, '['), std::string(depth - 2, ']'), "}"));
  };
  EXPECT_EQ(Refusal(RowText("projects", "", manifest(64))), "");
  EXPECT_TRUE(Refusal(RowText("projects", "", manifest(65))).starts_with("TOO_DEEP /row/manifest"));
}

TEST(CatalogRowTest, KnowsTheShapeOfARow) {
  EXPECT_TRUE(LooksLikeCatalogRow(R"({"row":{},"table":"anything"})"));
  EXPECT_FALSE(LooksLikeCatalogRow(R"({"row":{},"table":{}})"));
  EXPECT_FALSE(LooksLikeCatalogRow(R"({"row":{},"table":"x","more":1})"));
  EXPECT_FALSE(LooksLikeCatalogRow("{"));
}

}  // namespace
}  // namespace stele::tools
