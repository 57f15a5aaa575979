// The registry's whole export through `stele push`, and every record of it fetched back.
#include <map>

#include "client/contact.h"
#include "client/fetcher.h"
#include "core/record/manifest.h"
#include "tests/tools/end_to_end/served_test.h"
#include "tools/input/open.h"

namespace stele::tools {
namespace {

using ::testing::HasSubstr;
using testing::RunResult;

std::string Corpus() {
  std::optional<std::filesystem::path> shared = testing::SharedDir();
  if (!shared) return {};
  for (const auto& file : std::filesystem::directory_iterator(*shared / "data")) {
    if (file.path().string().ends_with(".jsonl.zst")) return file.path().string();
  }
  return {};
}

struct Expected {
  std::map<Digest, std::string> contents;  // identities and manifests
  std::map<std::string, int> kinds;        // of distinct records
  int rows = 0;
};

Expected ReadCorpus(const std::string& path) {
  Expected expected;
  std::unique_ptr<DocumentReader> reader =
      std::move(OpenInput(path, FormatChoice::kKernelIndexCatalog)->reader);
  for (;;) {
    absl::StatusOr<std::optional<Document>> document = reader->Next();
    if (!document.ok() || !document->has_value()) {
      EXPECT_TRUE(document.ok()) << document.status();
      return expected;
    }
    ++expected.rows;
    EXPECT_TRUE((*document)->manifests.ok()) << (*document)->manifests.status();
    for (NamedManifest& named : *(*document)->manifests) {
      Manifest& manifest = named.manifest;
      if (expected.contents.emplace(manifest.record, manifest.identity).second) {
        ++expected.kinds[manifest.kind];
      }
      expected.contents.emplace(manifest.manifest, manifest.canonical);
    }
  }
}

class CatalogTest : public ServedTest {
 protected:
  // Every content of the corpus over one stream, compared byte for byte.
  void FetchBack(const Expected& expected) const {
    client::ConnectOptions options;
    options.address = steled_.address();
    const client::Connection connection(options);
    client::TrustOptions trust;
    trust.state_dir = dir_.path() / "state";
    absl::StatusOr<client::Contact> contact = client::MakeContact(connection, trust);
    ASSERT_TRUE(contact.ok()) << contact.status();
    const client::Fetcher fetcher(connection, *contact->verifier);
    std::vector<Digest> digests;
    for (const auto& [digest, bytes] : expected.contents) digests.push_back(digest);
    size_t same = 0;
    const absl::Status fetched = fetcher.FetchContent(
        digests, [&](const Digest& digest, absl::StatusOr<std::string> content) {
          if (!content.ok()) return content.status();
          same += *content == expected.contents.at(digest);
          return absl::OkStatus();
        });
    EXPECT_TRUE(fetched.ok()) << fetched;
    EXPECT_EQ(same, expected.contents.size());
  }
};

TEST_F(CatalogTest, TheWholeExport) {
  const std::string corpus = Corpus();
  if (corpus.empty()) GTEST_SKIP() << testing::kNoShared;
  const Expected expected = ReadCorpus(corpus);
  EXPECT_EQ(expected.rows, 19744);
  const std::map<std::string, int> kinds{
      {"BenchmarkProtocol", 6},      {"BenchmarkRun", 7857},
      {"ExecutionEnvironment", 15},  {"ImplementationRevision", 4250},
      {"ModelRevision", 6},          {"OperationSpec", 449},
      {"ServingConfiguration", 130}, {"ServingRun", 722},
      {"ServingStackRevision", 71},  {"ServingWorkload", 17},
      {"SoftwareProject", 615},      {"WorkloadCase", 5371},
      {"WorkloadSuite", 256}};
  EXPECT_EQ(expected.kinds, kinds);

  const RunResult first = Push({corpus});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(first.out, "rows 19744, records 19765, pushed 19765, already there 0, refused 0\n");
  EXPECT_EQ(first.err, "") << "no digest differs, and nothing to warn of";
  FetchBack(expected);
  const uint64_t entries = Entries();
  const RunResult second = Push({corpus, "--format", "kernelindex-catalog"});
  EXPECT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(second.out, "rows 19744, records 19765, pushed 0, already there 19765, refused 0\n");
  EXPECT_EQ(Entries(), entries);
}

TEST_F(CatalogTest, ARowWithAnotherDigestIsRefused) {
  const std::string manifest = Manifest(1);
  const std::string digest = ParseManifest(manifest)->record.ToText();
  const auto row = [&](const std::string& published) {
    return R"({"table":"serving_runs","row":{"runDigest":")" + published + R"(","manifest":)" +
           manifest + "}}\n";
  };
  const std::string wrong = row("sha256:" + std::string(64, '0'));
  const RunResult result =
      Push({"-", "--rejects", Path("rejects")}, R"({"table":"sources","row":{}})"
                                                "\n" +
                                                    row(digest) + wrong);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "rows 2, records 1, pushed 1, already there 0, refused 1\n");
  EXPECT_THAT(result.err, HasSubstr("standard input:3: "));
  EXPECT_THAT(result.err, HasSubstr("/row/runDigest"));
  EXPECT_EQ(testing::ReadFile(Path("rejects")), wrong);
}

}  // namespace
}  // namespace stele::tools
