// stele audit of a folder and of a running server: what it prints and how it exits.
#include "core/base/base64.h"
#include "core/crypto/sha256.h"
#include "tests/tools/end_to_end/served_test.h"

namespace stele::tools {
namespace {

using ::testing::HasSubstr;
using testing::RunProgram;
using testing::RunResult;

class AuditCommand : public ::testing::Test {
 protected:
  RunResult Audit(const std::string& log, std::vector<std::string> flags) const {
    const std::filesystem::path dir = testing::VectorsDir() / log;
    flags.insert(flags.begin(), {"audit", dir.string()});
    return RunProgram("stele", flags, {}, {{"XDG_STATE_HOME", dir_.path().string()}});
  }
  static std::string Policy(const std::string& log) {
    return (testing::VectorsDir() / log / "policy").string();
  }
  testing::TempDir dir_;
};

TEST_F(AuditCommand, AFolderThatIsFineExitsWith0) {
  const RunResult run = Audit("log", {"--policy", Policy("log")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("faults      0\n"));
  EXPECT_THAT(run.out, HasSubstr("valid 299 (disputed 10), void 0, withheld 1"));
}

TEST_F(AuditCommand, VoidEntriesAreListedAndExitWith1) {
  const RunResult run = Audit("log-with-void", {"--policy", Policy("log-with-void"), "--json"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, HasSubstr(R"({"index":7,"reason":"UNKNOWN_KEY"})"));
  EXPECT_THAT(run.out, HasSubstr(R"("reason":"CONTENT_MISMATCH"})"));
}

TEST_F(AuditCommand, AnotherLogsPolicyExitsWith4) {
  const RunResult run = Audit("log", {"--policy", Policy("log-roles")});
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.err, HasSubstr("CHECKPOINT_UNSIGNED"));
}

TEST_F(AuditCommand, WithoutAPolicyTheFirstAuditPinsTheSource) {
  RunResult run = Audit("log", {});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("pinned log log.example/vectors"));
  run = Audit("log", {});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
}

TEST_F(AuditCommand, WhatIsKeptOfTheLogIsHeldAgainstIt) {
  namespace fs = std::filesystem;
  const fs::path folder =
      dir_.path() / "stele" / "checkpoints" / Sha256("log.example/vectors").ToHex();
  EXPECT_EQ(Audit("log", {"--policy", Policy("log")}).exit_code, 0);
  EXPECT_EQ(testing::ReadFile(folder / "300"),
            testing::ReadFile(testing::VectorsDir() / "log" / "checkpoint"));
  EXPECT_EQ(Audit("log", {"--policy", Policy("log")}).exit_code, 0);
  // Another tree of 100 entries was seen, wherever that was.
  std::ofstream(folder / "100") << "log.example/vectors\n100\n"
                                << Base64Encode(std::string(32, 'r'))
                                << "\n\n\u2014 log.example/vectors "
                                << Base64Encode(std::string(68, 's')) << "\n";
  const RunResult run = Audit("log", {"--policy", Policy("log")});
  EXPECT_EQ(run.exit_code, 4) << run.out;
  EXPECT_THAT(run.err, HasSubstr("contradict each other"));
  EXPECT_THAT(run.err, HasSubstr("log.example/vectors\n100\n"));
  EXPECT_THAT(run.err, HasSubstr("log.example/vectors\n300\n"));
  std::ofstream(folder / "100") << "no note";
  const RunResult unreadable = Audit("log", {"--policy", Policy("log")});
  EXPECT_EQ(unreadable.exit_code, 0);
  EXPECT_THAT(unreadable.err, HasSubstr("no checkpoint, not looked at"));
}

TEST_F(AuditCommand, AStateFileSavesTheWork) {
  const std::string state = (dir_.path() / "state").string();
  EXPECT_EQ(Audit("log", {"--policy", Policy("log"), "--state", state}).exit_code, 0);
  const RunResult run = Audit("log", {"--policy", Policy("log"), "--state", state});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("resumed     entries below 300"));
}

TEST_F(AuditCommand, ASourceThatIsNotThereIsAMistakeOrUnreachable) {
  EXPECT_EQ(RunProgram("stele", {"audit", "./no/such/folder"}).exit_code, 2);
  EXPECT_EQ(RunProgram("stele", {"audit", "http://127.0.0.1:1", "--policy", Policy("log"),
                                 "--timeout", "100ms"})
                .exit_code,
            3);
}

class AuditServed : public ServedTest {
 protected:
  RunResult Audit() const {
    return RunProgram("stele", {"audit", steled_.address(), "--state", Path("audit.state")}, {},
                      {{"XDG_STATE_HOME", Path("xdg")}});
  }
};

TEST_F(AuditServed, ARunningServer) {
  ASSERT_EQ(Push({Example(1), Example(2)}).exit_code, 0);
  RunResult run = Audit();
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("faults      0\n"));
  ASSERT_EQ(Push({"-"}, Manifest(1)).exit_code, 0);
  run = Audit();
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("resumed     entries below"));
}

}  // namespace
}  // namespace stele::tools
