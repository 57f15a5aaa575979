#include "tools/input/format.h"

#include <gtest/gtest.h>

namespace stele::tools {
namespace {

constexpr char kManifest[] = R"({"apiVersion":"v1","kind":"K","spec":{}})";
constexpr char kRow[] = R"({"table":"sources","row":{"id":"1"}})";

InputFormat Detect(std::string_view name, std::string_view head,
                   FormatChoice choice = FormatChoice::kAuto) {
  return DetectFormat(name, head, choice);
}

TEST(FormatTest, GoesByTheName) {
  EXPECT_EQ(Detect("a.json", "anything"), InputFormat::kJson);
  EXPECT_EQ(Detect("a.json.zst", "{}\n{}"), InputFormat::kJson);
  EXPECT_EQ(Detect("a.ndjson", ""), InputFormat::kLines);
  EXPECT_EQ(Detect("dir.yaml/a.jsonl.zst", ""), InputFormat::kLines);
  EXPECT_EQ(Detect("a.yaml", "{}"), InputFormat::kYaml);
  EXPECT_EQ(Detect("a.yml", "{}"), InputFormat::kYaml);
}

TEST(FormatTest, GoesByTheBytesWhereTheNameSaysNothing) {
  const std::string manifest = kManifest;
  EXPECT_EQ(Detect("-", manifest), InputFormat::kJson);
  EXPECT_EQ(Detect("-", manifest + "\n"), InputFormat::kJson);
  EXPECT_EQ(Detect("-", manifest + "\n\n" + manifest), InputFormat::kLines);
  EXPECT_EQ(Detect("-", "\n \n" + manifest + "\r\n" + manifest), InputFormat::kLines);
  EXPECT_EQ(Detect("-", "{\n  \"apiVersion\": \"v1\"\n}"), InputFormat::kJson);
  EXPECT_EQ(Detect("-", "\xef\xbb\xbf{}"), InputFormat::kJson);
  EXPECT_EQ(Detect("-", "[1]"), InputFormat::kJson);
  EXPECT_EQ(Detect("-", ""), InputFormat::kJson);
  EXPECT_EQ(Detect("-", "apiVersion: v1\nkind: K\n"), InputFormat::kYaml);
  EXPECT_EQ(Detect("-", "# comment\nkind: K\n"), InputFormat::kYaml);
  EXPECT_EQ(Detect("-", "---\nkind: K\n"), InputFormat::kYaml);
}

TEST(FormatTest, FindsACatalogueUnlessToldOtherwise) {
  const std::string rows = std::string(kRow) + "\n" + kRow + "\n";
  EXPECT_EQ(Detect("export.jsonl.zst", rows), InputFormat::kCatalog);
  EXPECT_EQ(Detect("-", rows), InputFormat::kCatalog);
  EXPECT_EQ(Detect("-", rows, FormatChoice::kManifest), InputFormat::kLines);
  EXPECT_EQ(Detect("a.yaml", "x: 1", FormatChoice::kKernelIndexCatalog), InputFormat::kCatalog);
  EXPECT_EQ(Detect("a.ndjson", kManifest), InputFormat::kLines);
}

TEST(FormatTest, KnowsItsNames) {
  EXPECT_EQ(ParseFormatChoice("auto"), FormatChoice::kAuto);
  EXPECT_EQ(ParseFormatChoice("manifest"), FormatChoice::kManifest);
  EXPECT_EQ(ParseFormatChoice("kernelindex-catalog"), FormatChoice::kKernelIndexCatalog);
  EXPECT_EQ(ParseFormatChoice("yaml"), std::nullopt);
}

}  // namespace
}  // namespace stele::tools
