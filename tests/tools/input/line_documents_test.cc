#include "tools/input/line_documents.h"

#include <gtest/gtest.h>

#include "core/base/refusal.h"
#include "tests/tools/io/memory_source.h"

namespace stele::tools {
namespace {

constexpr char kManifest[] = R"({"apiVersion":"v1","kind":"K","spec":{}})";

std::vector<Document> ReadAll(std::string text, LineKind kind) {
  LineDocuments reader("test.ndjson", StreamOf(std::move(text)), kind);
  std::vector<Document> documents;
  for (;;) {
    absl::StatusOr<std::optional<Document>> document = reader.Next();
    EXPECT_TRUE(document.ok()) << document.status();
    if (!document.ok() || !document->has_value()) return documents;
    documents.push_back(**std::move(document));
  }
}

TEST(LineDocumentsTest, ABadLineDoesNotStopTheOthers) {
  const std::string text =
      std::string(kManifest) + "\n\n{\"a\":\n" + kManifest + " \r\nnull\n" + kManifest;
  const std::vector<Document> documents = ReadAll(text, LineKind::kManifest);
  ASSERT_EQ(documents.size(), 5u);
  EXPECT_TRUE(documents[0].manifests.ok());
  EXPECT_EQ(ReasonOf(documents[1].manifests.status()), "SYNTAX");
  EXPECT_EQ(documents[1].raw, "{\"a\":");
  EXPECT_EQ(documents[1].line, 3u);
  EXPECT_EQ(documents[1].place(), "test.ndjson:3");
  EXPECT_TRUE(documents[2].manifests.ok());
  EXPECT_EQ(documents[2].raw, std::string(kManifest) + " \r");
  EXPECT_EQ(ReasonOf(documents[3].manifests.status()), "WRONG_TYPE");
  EXPECT_TRUE(documents[4].manifests.ok());
}

TEST(LineDocumentsTest, CatalogueRowsWithoutAManifestArePassedOver) {
  const std::string row =
      std::string(R"({"table":"projects","row":{"manifest":)") + kManifest + "}}";
  const std::string text = R"({"table":"sources","row":{}})"
                           "\n" +
                           row + "\nnonsense\n" + row + "\n";
  const std::vector<Document> documents = ReadAll(text, LineKind::kCatalog);
  ASSERT_EQ(documents.size(), 3u);
  EXPECT_TRUE(documents[0].manifests.ok());
  EXPECT_EQ(documents[0].line, 2u);
  EXPECT_EQ(documents[0].raw, row);
  EXPECT_FALSE(documents[1].manifests.ok());
  EXPECT_TRUE(documents[2].manifests.ok());
}

}  // namespace
}  // namespace stele::tools
