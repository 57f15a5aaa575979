#include "tools/input/yaml_documents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "tests/tools/io/memory_source.h"

namespace stele::tools {
namespace {

using ::testing::HasSubstr;

std::vector<Document> ReadAll(std::string text) {
  YamlDocuments reader("test.yaml", StreamOf(std::move(text)));
  std::vector<Document> documents;
  for (;;) {
    absl::StatusOr<std::optional<Document>> document = reader.Next();
    EXPECT_TRUE(document.ok()) << document.status();
    if (!document.ok() || !document->has_value()) return documents;
    documents.push_back(**std::move(document));
  }
}

// The canonical form of a manifest with this YAML below `spec`.
std::string Spec(const std::string& yaml) {
  const std::vector<Document> documents = ReadAll("apiVersion: v1\nkind: K\nspec:\n" + yaml + "\n");
  if (documents.size() != 1) return "documents: " + std::to_string(documents.size());
  const Document& document = documents.front();
  if (!document.manifests.ok()) {
    return ReasonOf(document.manifests.status()) + " " + PointerOf(document.manifests.status());
  }
  constexpr std::string_view kBefore = R"({"apiVersion":"v1","kind":"K","spec":)";
  std::string canonical = document.manifests->front().manifest.canonical;
  return canonical.substr(kBefore.size(), canonical.size() - kBefore.size() - 1);
}

TEST(YamlDocumentsTest, ReadsValuesByTheCoreSchema) {
  EXPECT_EQ(Spec("  a: 1\n  b: [x, 'y', \"z\"]\n  c: {d: ~, e: }"),
            R"({"a":1,"b":["x","y","z"],"c":{"d":null,"e":null}})");
  EXPECT_EQ(Spec("  a: yes\n  b: '1'\n  c: \"true\"\n  d: TRUE"),
            R"({"a":"yes","b":"1","c":"true","d":true})");
  EXPECT_EQ(Spec("  a: |\n    two\n    lines\n  b: >-\n    folded\n    text"),
            R"({"a":"two\nlines\n","b":"folded text"})");
  EXPECT_EQ(Spec("  a: 0.1e1\n  b: -0\n  c: 0x10\n  d: 1e400"), "NUMBER_OVERFLOW /spec/d");
  EXPECT_EQ(Spec("  é: \"\\u00e9\\x41\""), "{\"é\":\"éA\"}");
  EXPECT_EQ(Spec("  \"1\": x"), R"({"1":"x"})");
}

TEST(YamlDocumentsTest, AliasesStandForWhatTheyName) {
  EXPECT_EQ(Spec("  a: &x {k: [1, 2]}\n  b: *x\n  c: [*x, *x]"),
            R"({"a":{"k":[1,2]},"b":{"k":[1,2]},"c":[{"k":[1,2]},{"k":[1,2]}]})");
  EXPECT_EQ(Spec("  a: &x one\n  b: &x two\n  c: *x"), R"({"a":"one","b":"two","c":"two"})");
}

TEST(YamlDocumentsTest, RefusesWhatJsonCannotSay) {
  EXPECT_EQ(Spec("  a: !!str 1"), "SYNTAX /spec/a");
  EXPECT_EQ(Spec("  a: ! 12"), "SYNTAX /spec/a");
  EXPECT_EQ(Spec("  a: &x ! 12"), "SYNTAX /spec/a");
  EXPECT_EQ(Spec("  a: ! \"quoted\""), "SYNTAX /spec/a");
  EXPECT_EQ(Spec("  a: !mine [1]"), "SYNTAX /spec/a");
  EXPECT_EQ(Spec("  a: ! [1]"), "SYNTAX /spec/a");
  EXPECT_EQ(Spec("  a: !!null"), "SYNTAX /spec/a");
  EXPECT_EQ(Spec("  a: .inf"), "WRONG_VALUE /spec/a");
  EXPECT_EQ(Spec("  a: [1, .nan]"), "WRONG_VALUE /spec/a/1");
  EXPECT_EQ(Spec("  a: {x: 1}\n  a: 2"), "DUPLICATE_NAME /spec/a");
  EXPECT_EQ(Spec("  \"a\": 1\n  a: 2"), "DUPLICATE_NAME /spec/a");
  EXPECT_EQ(Spec("  <<: {x: 1}"), "SYNTAX /spec");
  EXPECT_EQ(Spec("  1: x"), "WRONG_TYPE /spec");
  EXPECT_EQ(Spec("  true: x"), "WRONG_TYPE /spec");
  EXPECT_EQ(Spec("  ~: x"), "WRONG_TYPE /spec");
  EXPECT_EQ(Spec("  ? [x]\n  : y"), "WRONG_TYPE /spec");
  EXPECT_EQ(Spec("  a: &x 1\n  *x : 2"), "WRONG_TYPE /spec");
  EXPECT_EQ(Spec("  &x a: 1"), "SYNTAX /spec");
  EXPECT_EQ(Spec("  a: &x [*x]"), "SYNTAX /spec/a/0");
  EXPECT_EQ(Spec("  a: 9007199254740993"), "INTEGER_PRECISION /spec/a");
  EXPECT_EQ(Spec("  a: \"\\uFFFE\""), "NONCHARACTER /spec/a");
}

TEST(YamlDocumentsTest, RefusesBrokenSyntax) {
  EXPECT_EQ(Spec("  a: *unknown"), "SYNTAX ");
  EXPECT_EQ(Spec("  a: [1, 2"), "SYNTAX ");
  EXPECT_EQ(Spec("  a: b: c"), "SYNTAX ");
  EXPECT_EQ(Spec("\ta: 1"), "SYNTAX ");
  EXPECT_EQ(Spec("  a: \"\\ud800\""), "SYNTAX ");
}

TEST(YamlDocumentsTest, CountsAliases) {
  const auto with_aliases = [](size_t count) {
    std::string yaml = "  a: &x 1\n  b:\n";
    for (size_t i = 0; i < count; ++i) yaml += "    - *x\n";
    return Spec(yaml);
  };
  EXPECT_TRUE(with_aliases(limits::kYamlAliases).starts_with("{\"a\":1"));
  EXPECT_EQ(with_aliases(limits::kYamlAliases + 1), "TOO_LARGE /spec/b/100");
}

TEST(YamlDocumentsTest, AliasesOfAliasesDoNotBlowUp) {
  std::string yaml = "  a0: &a0 [" + std::string(1000, 'x') + "]\n";
  for (int i = 1; i < 33; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    yaml += "  a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before + ", " + before +
            ", " + before + "]\n";
  }
  EXPECT_TRUE(Spec(yaml).starts_with("TOO_LARGE /spec/a")) << Spec(yaml);
}

TEST(YamlDocumentsTest, DeepNestingIsRefusedAndNotACrash) {
  EXPECT_TRUE(Spec("  a: " + std::string(70, '[') + std::string(70, ']')).starts_with("TOO_DEEP"));
  EXPECT_EQ(Spec("  a: " + std::string(20000, '[') + std::string(20000, ']')), "SYNTAX ");
}

TEST(YamlDocumentsTest, EachDocumentIsAnItemWithItsBytes) {
  const std::string one = "# first\napiVersion: v1\nkind: K\nspec: {a: 1}\n";
  const std::string two = "--- # second\napiVersion: v1\nkind: K\nspec: {a: !x 2}\n";
  const std::string three = "---\napiVersion: v1\nkind: K\nspec: {a: 3}\n...\n";
  const std::vector<Document> documents = ReadAll(one + two + three);
  ASSERT_EQ(documents.size(), 3u);
  EXPECT_EQ(documents[0].raw, one);
  EXPECT_EQ(documents[1].raw, two);
  EXPECT_EQ(documents[2].raw, three);
  EXPECT_TRUE(documents[0].manifests.ok());
  EXPECT_FALSE(documents[1].manifests.ok());
  EXPECT_TRUE(documents[2].manifests.ok());
  EXPECT_EQ(documents[1].line, 5u);
  EXPECT_EQ(documents[2].line, 9u);
  EXPECT_THAT(std::string(documents[1].manifests.status().message()), HasSubstr("line 8"));
}

TEST(YamlDocumentsTest, TextAfterADocumentIsNotASecondOne) {
  const std::string manifest = "{apiVersion: v1, kind: K, spec: {}}";
  const std::vector<Document> documents = ReadAll(manifest + " more\n");
  ASSERT_EQ(documents.size(), 2u);
  EXPECT_TRUE(documents[0].manifests.ok());
  EXPECT_EQ(ReasonOf(documents[1].manifests.status()), "SYNTAX");
}

TEST(YamlDocumentsTest, WhatFollowsBrokenSyntaxIsOneRefusedItem) {
  const std::vector<Document> documents =
      ReadAll("apiVersion: v1\nkind: K\nspec: {}\n---\na: [\n---\nkind: K\n");
  ASSERT_EQ(documents.size(), 2u);
  EXPECT_TRUE(documents[0].manifests.ok());
  EXPECT_EQ(ReasonOf(documents[1].manifests.status()), "SYNTAX");
  EXPECT_EQ(documents[1].raw, "---\na: [\n---\nkind: K\n");
}

TEST(YamlDocumentsTest, BundlesAreBundles) {
  const std::vector<Document> documents = ReadAll(
      "run: {apiVersion: v1, kind: A, spec: {}}\nprotocol: {apiVersion: v1, kind: B, spec: {}}\n");
  ASSERT_EQ(documents.size(), 1u);
  ASSERT_TRUE(documents[0].manifests.ok());
  ASSERT_EQ(documents[0].manifests->size(), 2u);
  EXPECT_EQ((*documents[0].manifests)[0].member, "protocol");
}

TEST(YamlDocumentsTest, NothingIsNoDocument) {
  EXPECT_TRUE(ReadAll("").empty());
  EXPECT_TRUE(ReadAll("# only a comment\n").empty());
}

TEST(YamlDocumentsTest, ManifestTextHasALimit) {
  const std::string manifest = "apiVersion: v1\nkind: K\nspec: {}\n";
  const std::string comment = "#" + std::string(limits::kManifestBytes - manifest.size() - 2, 'x');
  EXPECT_TRUE(ReadAll(comment + "\n" + manifest)[0].manifests.ok());
  EXPECT_EQ(ReasonOf(ReadAll(comment + "x\n" + manifest)[0].manifests.status()), "TOO_LARGE");
}

TEST(YamlBytesTest, ChecksBeforeReading) {
  EXPECT_TRUE(CheckYamlBytes("a: é\t\r\n\u2028😀\u0085").ok());
  EXPECT_EQ(ReasonOf(CheckYamlBytes("\xef\xbb\xbf"
                                    "a: 1")),
            "BYTE_ORDER_MARK");
  for (const char* bytes : {"a: \xff", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82",
                            "\xf0\x80\x80\x80", "\x80", "a: \x01\xff"}) {
    EXPECT_EQ(ReasonOf(CheckYamlBytes(bytes)), "INVALID_UTF8");
  }
  for (const std::string& bytes : {std::string("a\0b", 3), std::string("\x1b[0m"),
                                   std::string("\x7f"), std::string("\xc2\x80")}) {
    EXPECT_EQ(ReasonOf(CheckYamlBytes(bytes)), "SYNTAX");
  }
  const std::vector<Document> documents = ReadAll("a: \xff\n");
  ASSERT_EQ(documents.size(), 1u);
  EXPECT_EQ(documents[0].raw, "a: \xff\n");
}

}  // namespace
}  // namespace stele::tools
