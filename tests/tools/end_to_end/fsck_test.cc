// stele fsck: exit codes, what it prints, and beside a running server.
#include <filesystem>
#include <sstream>

#include "tests/tools/end_to_end/served_test.h"

namespace stele::tools {
namespace {

namespace fs = std::filesystem;
using testing::RunProgram;
using testing::RunResult;

class FsckTest : public ServedTest {
 protected:
  void SetUp() override {
    for (int n = 0; n < 5; ++n) {
      const std::string text = R"({"apiVersion":"v1","kind":"K","spec":{"n":)" + std::to_string(n) +
                               R"(,"text":")" + std::string(900, 'x') + "\"}}";
      ASSERT_EQ(Push({Write("m" + std::to_string(n) + ".json", text)}).exit_code, 0);
    }
  }
  RunResult Fsck(std::vector<std::string> flags = {}) const {
    flags.insert(flags.begin(), {"fsck", steled_.data().string()});
    return RunProgram("stele", flags);
  }
  static std::string LastLine(const std::string& text) {
    std::istringstream in(text);
    std::string line, last;
    while (std::getline(in, line)) last = line;
    return last;
  }
  void DamageBlob() const {
    for (const auto& file : fs::directory_iterator(steled_.data() / "db")) {
      if (file.path().extension() != ".blob") continue;
      std::string bytes = testing::ReadFile(file.path());
      bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
      std::ofstream(file.path(), std::ios::binary) << bytes;
      return;
    }
    FAIL() << "there is no blob file";
  }
};

TEST_F(FsckTest, CleanBesideTheServerAndAfterIt) {
  const RunResult beside = Fsck();
  EXPECT_EQ(beside.exit_code, 0) << beside.out << beside.err;
  EXPECT_NE(LastLine(beside.out).find("size 7, "), std::string::npos) << beside.out;
  EXPECT_NE(LastLine(beside.out).find(", damaged 0"), std::string::npos) << beside.out;
  EXPECT_EQ(beside.err, "");
  ASSERT_EQ(steled_.Stop(), 0);
  EXPECT_EQ(Fsck().exit_code, 0);
  steled_.Start();
}

TEST_F(FsckTest, DamageIsNamedAndExits1) {
  ASSERT_EQ(steled_.Stop(), 0);
  steled_.Start();  // what stood in the log goes to tables
  ASSERT_EQ(steled_.Stop(), 0);
  DamageBlob();
  const RunResult text = Fsck();
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_NE(text.out.find("file db/"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("content sha256:"), std::string::npos) << text.out;
  const RunResult json = Fsck({"--json"});
  EXPECT_EQ(json.exit_code, 1);
  EXPECT_NE(json.out.find(R"("kind":"content")"), std::string::npos) << json.out;
  EXPECT_NE(LastLine(json.out).find(R"("clean":false)"), std::string::npos) << json.out;
  steled_.Start();
}

TEST_F(FsckTest, NoStoreIsUsage) {
  EXPECT_EQ(RunProgram("stele", {"fsck", Path("nothing")}).exit_code, 2);
  EXPECT_EQ(RunProgram("stele", {"fsck"}).exit_code, 2);
}

}  // namespace
}  // namespace stele::tools
