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

// A second store of the same log, damaged, and this server as its source.
class RepairTest : public FsckTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(RepairTest, BringsItBackToClean) {
  ASSERT_EQ(steled_.Stop(), 0);
  steled_.Start();
  ASSERT_EQ(steled_.Stop(), 0);
  const fs::path copy = Path("copy");
  const fs::path guard = Path("copy.guard");
  const fs::path guard_here = steled_.data().string() + ".guard";
  fs::copy(steled_.data(), copy, fs::copy_options::recursive);
  fs::copy_file(guard_here, guard);
  steled_.Start();
  const std::string source = GetParam() == std::string_view("grpc")
                                 ? steled_.address()
                                 : "http://" + steled_.http_address();
  const auto repair = [&] {
    return steled_.Stele({"fsck", copy.string(), "--repair-from", source});
  };
  const RunResult sound = repair();
  EXPECT_EQ(sound.exit_code, 0) << sound.out << sound.err;
  EXPECT_EQ(sound.out.find("repaired"), std::string::npos) << sound.out;
  std::vector<fs::path> files;
  for (const auto& file : fs::directory_iterator(copy / "db")) files.push_back(file.path());
  for (const char* extension : {".blob", ".sst"}) {
    for (const fs::path& file : files) {
      if (file.extension() == extension) fs::remove(file);
    }
    const RunResult repaired = repair();
    EXPECT_EQ(repaired.exit_code, 0) << repaired.out << repaired.err;
    EXPECT_NE(repaired.out.find("repaired: fetched "), std::string::npos) << repaired.out;
    EXPECT_EQ(RunProgram("stele", {"fsck", copy.string()}).exit_code, 0);
    files.clear();
    for (const auto& file : fs::directory_iterator(copy / "db")) files.push_back(file.path());
    fs::resize_file(copy / "db" / "CURRENT", 0);  // the second round: it does not open at all
  }
  EXPECT_EQ(RunProgram("stele", {"fsck", copy.string()}).exit_code, 1);
  // The store that the server holds is not to be repaired under it.
  const RunResult held = steled_.Stele({"fsck", steled_.data().string(), "--repair-from", source});
  EXPECT_EQ(held.exit_code, 1) << held.out;
  EXPECT_NE(held.err.find("another process holds"), std::string::npos) << held.err;
}

INSTANTIATE_TEST_SUITE_P(Sources, RepairTest, ::testing::Values("grpc", "http"),
                         [](const auto& info) { return std::string(info.param); });

TEST_F(FsckTest, AFolderOfAnotherLogRepairsNothing) {
  ASSERT_EQ(steled_.Stop(), 0);
  steled_.Start();
  ASSERT_EQ(steled_.Stop(), 0);
  DamageBlob();
  const RunResult other = RunProgram("stele", {"fsck", steled_.data().string(), "--repair-from",
                                               (testing::VectorsDir() / "log").string()});
  EXPECT_EQ(other.exit_code, 1) << other.out;
  EXPECT_NE(other.err.find("not of this log"), std::string::npos) << other.err;
  EXPECT_EQ(Fsck().exit_code, 1) << "left as it was";
  steled_.Start();
}

TEST_F(FsckTest, NoStoreIsUsage) {
  EXPECT_EQ(RunProgram("stele", {"fsck", Path("nothing")}).exit_code, 2);
  EXPECT_EQ(RunProgram("stele", {"fsck"}).exit_code, 2);
}

}  // namespace
}  // namespace stele::tools
