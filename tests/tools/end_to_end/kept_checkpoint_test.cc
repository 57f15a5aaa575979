// What `stele` keeps of a log between runs, against servers that show another one: copies of one
// store, as a restored backup or a dishonest operator would serve them.
#include <filesystem>

#include "core/crypto/sha256.h"
#include "core/record/manifest.h"
#include "tests/tools/end_to_end/served_test.h"

namespace stele::tools {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::RunProgram;
using testing::RunResult;

class KeptCheckpointTest : public ServedTest {
 protected:
  KeptCheckpointTest() { EXPECT_EQ(Push({Write("one.json", Manifest(1))}).exit_code, 0); }

  // The store as it is now, with its guard, in a folder of its own: to be served beside this one.
  std::string Copy(const std::string& name) {
    EXPECT_EQ(steled_.Stop(), 0);
    std::filesystem::create_directory(Path(name));
    std::filesystem::copy(steled_.data(), Path(name + "/data"),
                          std::filesystem::copy_options::recursive);
    std::filesystem::copy(Path("data.guard"), Path(name + "/data.guard"));
    steled_.Start();
    return Path(name);
  }
  // Trusting the log's policy and the state folder of this test, whoever serves it.
  RunResult Ask(const testing::Steled& server, std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(),
                     {"--server", server.address(), "--policy",
                      (steled_.data() / "policy").string(), "--state", Path("state")});
    return RunProgram("stele", arguments);
  }
  // What somebody sees who knows nothing of the log but its policy.
  std::string HeadForAStranger(const testing::Steled& server) const {
    const RunResult head =
        RunProgram("stele", {"log", "head", "--raw", "--server", server.address(), "--policy",
                             (steled_.data() / "policy").string()});
    EXPECT_EQ(head.exit_code, 0) << head.err;
    return head.out;
  }
  void Grow(const testing::Steled& server, const std::string& name, int n) const {
    const RunResult pushed =
        RunProgram("stele", {"push", Write(name, Manifest(n)), "--signer", publisher_, "--server",
                             server.address(), "--policy", (steled_.data() / "policy").string()});
    EXPECT_EQ(pushed.exit_code, 0) << pushed.err;
  }
  std::string KeptFolder() const {
    return Path("state/checkpoints/" + Sha256("test.example/log").ToHex());
  }
  std::string Record() const { return ParseManifest(Manifest(1))->record.ToText(); }
};

TEST_F(KeptCheckpointTest, EveryCommandKeepsTheHeadThatItMet) {
  const std::string head = steled_.Stele({"log", "head", "--raw"}).out;
  EXPECT_EQ(testing::ReadFile(KeptFolder() + "/3"), head) << "by push, or by this";
  Grow(steled_, "two.json", 2);
  ASSERT_EQ(steled_.Stele({"get", Record(), "--manifest"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(KeptFolder() + "/4"));
  Grow(steled_, "three.json", 3);
  ASSERT_EQ(steled_.Stele({"cite", Record()}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(KeptFolder() + "/5"));
  ASSERT_EQ(Push({Write("four.json", Manifest(4))}).exit_code, 0);
  EXPECT_EQ(testing::ReadFile(KeptFolder() + "/6"), HeadForAStranger(steled_));
}

TEST_F(KeptCheckpointTest, AForkIsExitFourWithBothCheckpoints) {
  testing::Steled fork(Copy("fork"));
  fork.Start();
  Grow(steled_, "ours.json", 2);
  const std::string ours = Ask(steled_, {"log", "head", "--raw"}).out;
  Grow(fork, "theirs.json", 3);
  const std::string same_size = HeadForAStranger(fork);
  const auto expect_refused = [&](std::vector<std::string> arguments, const std::string& shown) {
    const RunResult refused = Ask(fork, std::move(arguments));
    EXPECT_EQ(refused.exit_code, 4);
    EXPECT_EQ(refused.out, "");
    EXPECT_THAT(refused.err, AllOf(HasSubstr("contradicts what it showed before"), HasSubstr(ours),
                                   HasSubstr(shown), HasSubstr(KeptFolder())));
  };
  expect_refused({"log", "head"}, same_size);
  Grow(fork, "more.json", 4);
  const std::string larger = HeadForAStranger(fork);
  for (const std::vector<std::string>& command : {std::vector<std::string>{"log", "head"},
                                                  {"log", "entries"},
                                                  {"log", "proof", "1"},
                                                  {"log", "consistency", "1"},
                                                  {"log", "watch", "--count", "1"},
                                                  {"get", Record(), "--manifest"},
                                                  {"cite", Record()}}) {
    SCOPED_TRACE(command[0] + " " + command[1]);
    expect_refused(command, larger);
  }
  // A push is told by its receipt; and the fork is not pinned at another address.
  const RunResult pushed =
      Ask(fork, {"push", Write("five.json", Manifest(5)), "--signer", publisher_});
  EXPECT_EQ(pushed.exit_code, 4);
  EXPECT_THAT(pushed.err, AllOf(HasSubstr(ours), HasSubstr(HeadForAStranger(fork))));
  const RunResult first =
      RunProgram("stele", {"log", "head", "--server", fork.address(), "--state", Path("state")});
  EXPECT_EQ(first.exit_code, 4);
  EXPECT_EQ(testing::ReadFile(Path("state/pins")).find(fork.address()), std::string::npos);
  // The log itself is as good as before, and both notes stay for people to judge.
  EXPECT_EQ(Ask(steled_, {"log", "head"}).exit_code, 0);
  std::string aside;
  for (const auto& file : std::filesystem::directory_iterator(Path("state/contradictions"))) {
    aside += testing::ReadFile(file.path());
  }
  EXPECT_THAT(aside, AllOf(HasSubstr(ours), HasSubstr(same_size), HasSubstr(larger)));
  EXPECT_EQ(fork.Stop(), 0);
}

TEST_F(KeptCheckpointTest, ARestoredCopyIsStaleUntilItSignsASecondHistory) {
  EXPECT_EQ(Ask(steled_, {"log", "head"}).exit_code, 0);
  testing::Steled old(Copy("old"));
  old.Start();
  Grow(steled_, "two.json", 2);
  Grow(steled_, "three.json", 3);
  EXPECT_EQ(Ask(steled_, {"log", "head"}).exit_code, 0);
  const RunResult stale = Ask(old, {"get", Record(), "--manifest"});
  EXPECT_EQ(stale.exit_code, 0) << stale.err;
  EXPECT_EQ(stale.out, Manifest(1));
  EXPECT_THAT(stale.err, AllOf(HasSubstr("stale"), HasSubstr("3 entries"), HasSubstr("5 were")));
  Grow(old, "theirs.json", 4);
  const RunResult second = Ask(old, {"get", Record(), "--manifest"});
  EXPECT_EQ(second.exit_code, 4);
  EXPECT_EQ(second.out, "");
  EXPECT_THAT(second.err,
              AllOf(HasSubstr(HeadForAStranger(steled_)), HasSubstr(HeadForAStranger(old))));
  EXPECT_EQ(old.Stop(), 0);
}

TEST_F(KeptCheckpointTest, WithoutAFolderThePolicyAloneCounts) {
  const RunResult head = RunProgram("stele",
                                    {"log", "head", "--server", steled_.address(), "--policy",
                                     (steled_.data() / "policy").string()},
                                    {}, {{"XDG_STATE_HOME", ""}, {"HOME", ""}});
  EXPECT_EQ(head.exit_code, 0);
  EXPECT_THAT(head.err, HasSubstr("no checkpoint is kept"));
}

TEST_F(KeptCheckpointTest, AnotherLogOfThatNameIsRefusedUntilAPersonForgetsTheOldOne) {
  std::filesystem::create_directory(Path("new"));
  testing::Steled other(Path("new"));
  other.Start();
  const auto head = [&] {
    return RunProgram("stele", {"log", "head", "--server", other.address(), "--policy",
                                (other.data() / "policy").string(), "--state", Path("state")});
  };
  const RunResult refused = head();
  EXPECT_EQ(refused.exit_code, 4);
  EXPECT_THAT(refused.err, HasSubstr("remove the folder " + KeptFolder()));
  std::filesystem::remove_all(KeptFolder());
  EXPECT_EQ(head().exit_code, 0);
  EXPECT_EQ(other.Stop(), 0);
}

}  // namespace
}  // namespace stele::tools
