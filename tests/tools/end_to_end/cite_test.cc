// `stele cite` against a real server, and `stele verify` of what it wrote after the server is gone.
#include <gmock/gmock.h>

#include "core/json/parse.h"
#include "core/record/manifest.h"
#include "tests/tools/end_to_end/served_test.h"

namespace stele::tools {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::RunProgram;
using testing::RunResult;
using ::testing::StartsWith;

class CiteTest : public ServedTest {
 protected:
  static constexpr char kRun[] = "c61f8cd5ac43d94099a10751c5f8dd4151fdb82a459dc957d43121b7bc6a5336";
  RunResult Verify(const std::string& file) const {
    return RunProgram("stele", {"verify", file, "--policy", (steled_.data() / "policy").string()});
  }
};

TEST_F(CiteTest, ABundleVerifiesOffline) {
  ASSERT_EQ(Push({Example(1)}).exit_code, 0);
  ASSERT_EQ(Push({Write("later.json", Manifest(1))}).exit_code, 0);
  const std::string file = Path("run.stele-citation.json");
  const RunResult cite = steled_.Stele({"cite", "c61f8cd5", "--format", "bundle", "-o", file});
  ASSERT_EQ(cite.exit_code, 0) << cite.err;
  const std::string permalink = std::string("https://test.example/log/records/") + kRun + "/";
  EXPECT_EQ(cite.out, permalink + "\n");
  const RunResult verified = Verify(file);
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
  EXPECT_THAT(verified.out,
              AllOf(HasSubstr("record      sha256:" + std::string(kRun)), HasSubstr(permalink),
                    HasSubstr("entries     3: "),
                    HasSubstr("entry 2     publication by " + PublicKeyId(publisher_))));
  EXPECT_EQ(steled_.Stele({"cite", "c61f8cd5", "--format", "bundle"}).out, testing::ReadFile(file));
  EXPECT_EQ(steled_.Stele({"cite", "c61f8cd5", "-o", file}).exit_code, 1) << "never overwritten";
  std::string changed = testing::ReadFile(file);
  char& letter = changed[changed.find("\"identity\":\"") + 20];
  letter = letter == 'A' ? 'B' : 'A';
  EXPECT_EQ(Verify(Write("changed", changed)).exit_code, 4);
}

TEST_F(CiteTest, TextForms) {
  ASSERT_EQ(Push({Example(1)}).exit_code, 0);
  const std::string permalink = std::string("https://test.example/log/records/") + kRun + "/";
  const RunResult text = steled_.Stele({"cite", kRun});
  EXPECT_THAT(text.out, AllOf(HasSubstr("080_moe_complete_layer_with_shared_expert_backward"),
                              HasSubstr(permalink + " (sha256:" + kRun + "). Accessed 2")));
  EXPECT_THAT(steled_.Stele({"cite", kRun, "--format", "bibtex"}).out,
              AllOf(StartsWith("@misc{stele-c61f8cd5ac43,\n"), HasSubstr("080\\_moe\\_complete"),
                    HasSubstr(permalink)));
  const auto csl = json::Parse(steled_.Stele({"cite", kRun, "--format", "csl"}).out);
  ASSERT_TRUE(csl.ok()) << csl.status();
  EXPECT_EQ(*(*csl->array())[0].object()->Find("URL")->string(), permalink);
  const auto as_json = json::Parse(steled_.Stele({"cite", kRun, "--json"}).out);
  ASSERT_TRUE(as_json.ok()) << as_json.status();
  EXPECT_EQ(*as_json->object()->Find("citation")->string(), text.out);
}

TEST_F(CiteTest, WhatIsNotThereOrNoRecord) {
  ASSERT_EQ(Push({Write("named.json", Manifest(1, "named"))}).exit_code, 0);
  EXPECT_EQ(steled_.Stele({"cite", std::string(64, 'a')}).exit_code, 1);
  const std::string manifest = ParseManifest(Manifest(1, "named"))->manifest.ToHex();
  EXPECT_EQ(steled_.Stele({"cite", manifest}).exit_code, 1) << "a manifest is no record";
  EXPECT_EQ(steled_.Stele({"cite", "abc"}).exit_code, 2);
  EXPECT_EQ(steled_.Stele({"cite", kRun, "--format", "apa"}).exit_code, 2);
}

}  // namespace
}  // namespace stele::tools
