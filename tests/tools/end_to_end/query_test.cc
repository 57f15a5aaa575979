// list, history, cohort, and what a reader of a retracted record is told: asked of a real server.
#include <chrono>
#include <filesystem>
#include <thread>

#include "tests/tools/end_to_end/served_test.h"

namespace stele::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::RunResult;
using ::testing::StartsWith;

class QueryTest : public ServedTest {
 protected:
  std::string DigestOf(const std::string& file) const {
    return testing::RunProgram("stele", {"digest", file}).out.substr(0, 71);
  }
  std::string Publish(const std::string& json, const std::string& signer = {}) {
    const std::string file = Write("m" + std::to_string(++files_) + ".json", json);
    std::vector<std::string> arguments = {file};
    if (!signer.empty()) arguments.insert(arguments.end(), {"--signer", signer});
    const RunResult pushed = Push(arguments);
    EXPECT_EQ(pushed.exit_code, 0) << pushed.err;
    return DigestOf(file);
  }
  static std::string KernelIndex(const std::string& kind, const std::string& spec,
                                 const std::string& name = {}) {
    return R"({"apiVersion":"kernelindex.dev/v1alpha1","kind":")" + kind + "\"," +
           (name.empty() ? "" : R"("metadata":{"name":")" + name + "\"},") + R"("spec":)" + spec +
           "}";
  }
  std::string Run(const std::string& workload, const std::string& median,
                  const std::string& status = "passed", const std::string& name = {}) {
    const std::string other = "sha256:" + std::string(64, '1');
    return Publish(KernelIndex(
        "BenchmarkRun",
        R"({"status":")" + status + R"(","workloadDigest":")" + workload +
            R"(","protocolDigest":")" + other + R"(","environmentDigest":")" + other +
            R"(","timing":{"primaryStatistic":"median","latencyNs":{"median":)" + median + "}}}",
        name));
  }
  // The answer once the index has taken in all that was published.
  RunResult Ask(const std::vector<std::string>& arguments) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    for (;;) {
      RunResult run = steled_.Stele({"list", "--limit", "1"});
      if (run.err.find("behind") == std::string::npos) break;
      if (std::chrono::steady_clock::now() > end) ADD_FAILURE() << run.err;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return steled_.Stele(arguments);
  }
  RunResult Say(std::vector<std::string> arguments, const std::string& signer) const {
    arguments.insert(arguments.end(), {"--signer", signer});
    RunResult said = steled_.Stele(arguments);
    EXPECT_EQ(said.exit_code, 0) << said.err;
    return said;
  }
  static size_t Lines(const std::string& text) {
    return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  }

  int files_ = 0;
};

TEST_F(QueryTest, ListsTheNewestFirst) {
  const std::string old = Publish(Manifest(1, "flash attention"));
  const std::string young = Publish(Manifest(2, "Flash Decoding"));
  const std::string third = Publish(KernelIndex("WorkloadCase", R"({"n":1})"));
  RunResult all = Ask({"list"});
  EXPECT_EQ(all.exit_code, 0) << all.err;
  EXPECT_EQ(all.out, third + "  WorkloadCase\n" + young + "  K  Flash Decoding\n" + old +
                         "  K  flash attention\n");
  EXPECT_EQ(Lines(Ask({"list", "--kind", "K"}).out), 2u);
  EXPECT_THAT(Ask({"list", "--kind", "L"}).out, IsEmpty());
  EXPECT_EQ(Lines(Ask({"list", "--name", "flash"}).out), 2u);
  EXPECT_THAT(Ask({"list", "--name", "flash dec"}).out, StartsWith(young));
  EXPECT_THAT(Ask({"list", "--name", "attention flash"}).out, StartsWith(old));
  EXPECT_THAT(Ask({"list", "--name", "lash"}).out, IsEmpty());
  const RunResult one = Ask({"list", "--limit", "1"});
  EXPECT_THAT(one.out, StartsWith(third));
  EXPECT_EQ(Lines(one.out), 1u);
  EXPECT_THAT(one.err, HasSubstr("there are more"));
  const RunResult json = Ask({"list", "--json", "--name", "decoding"});
  EXPECT_THAT(json.out, HasSubstr(R"("name":"Flash Decoding")"));
  EXPECT_THAT(json.out, HasSubstr(R"("record":")" + young + "\""));
  EXPECT_THAT(json.out, HasSubstr(R"("retracted":false)"));
}

TEST_F(QueryTest, ListsByPublisherAndReference) {
  const std::string second = steled_.NewKey("second", "publisher");
  const std::string target = Publish(Manifest(1));
  const std::string mine = Publish(Manifest(2), second);
  const std::string from = Publish(R"({"apiVersion":"v1","kind":"L","spec":{"deep":[{"aDigest":")" +
                                   target + R"("}]}})");
  EXPECT_EQ(Ask({"list", "--publisher", PublicKeyId(second)}).out, mine + "  K\n");
  EXPECT_EQ(Lines(Ask({"list", "--publisher", PublicKeyId(publisher_).substr(0, 20)}).out), 2u);
  EXPECT_EQ(Ask({"list", "--references", target}).out, from + "  L  at /spec/deep/0/aDigest\n");
  EXPECT_EQ(Ask({"list", "--references", target, "--kind", "L"}).out, from + "  L\n");
  EXPECT_THAT(Ask({"list", "--references", target, "--kind", "K"}).out, IsEmpty());
  EXPECT_THAT(Ask({"list", "--references", target, "--json"}).out,
              HasSubstr(R"("pointer":"/spec/deep/0/aDigest")"));
  EXPECT_EQ(Ask({"list", "--publisher", "sha256:" + std::string(64, '0')}).exit_code, 1);
  EXPECT_EQ(Ask({"list", "--publisher", "nobody"}).exit_code, 2);
}

TEST_F(QueryTest, ARetractedRecordIsNoticed) {
  const std::string record = Publish(Manifest(1));
  const std::string better = Publish(Manifest(2));
  EXPECT_THAT(steled_.Stele({"get", record}).err, Not(HasSubstr("warning")));
  Say({"retract", record, "--reason", "wrong clock", "--superseded-by", better}, publisher_);
  const RunResult got = steled_.Stele({"get", record, "--quiet"});
  EXPECT_EQ(got.exit_code, 0);
  EXPECT_THAT(got.out, StartsWith("{\"apiVersion\"")) << "the content is still there";
  EXPECT_THAT(got.err, HasSubstr("RETRACTED in entry "));
  EXPECT_THAT(got.err, HasSubstr("by its owner " + PublicKeyId(publisher_) + ": \"wrong clock\""));
  EXPECT_THAT(got.err, HasSubstr("superseded by " + better));
  const RunResult history = Ask({"history", record});
  EXPECT_EQ(history.exit_code, 0) << history.err;
  EXPECT_THAT(history.out, HasSubstr("status    RETRACTED"));
  EXPECT_THAT(history.out, HasSubstr("  publication  publisher " + PublicKeyId(publisher_)));
  EXPECT_THAT(history.out, HasSubstr("  retraction  publisher "));
  EXPECT_THAT(Ask({"list"}).out, HasSubstr(record + "  K  [RETRACTED]  [for " + better + "]"));
  EXPECT_THAT(Ask({"history", record, "--json"}).out, HasSubstr(R"("reason":"wrong clock")"));
  const RunResult again = Push({Path("m1.json")});
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(again.err, HasSubstr("warning: " + record + ": RETRACTED"));
  EXPECT_EQ(Ask({"history", "sha256:" + std::string(64, '0')}).exit_code, 1);
}

TEST_F(QueryTest, AWithheldRecordSaysWhy) {
  const std::string record = Publish(Manifest(1));
  Say({"withhold", record, "--reason", "by court order"}, steled_.operator_key().string());
  const RunResult got = steled_.Stele({"get", record});
  EXPECT_EQ(got.exit_code, 1);
  EXPECT_THAT(got.err, HasSubstr("WITHHELD"));
  EXPECT_THAT(Ask({"list"}).out, HasSubstr(record));
  EXPECT_THAT(Ask({"history", record}).out, HasSubstr("by court order"));
}

TEST_F(QueryTest, RanksRunsAndClosesUp) {
  const std::string runner = steled_.NewKey("runner", "runner");
  const std::string workload = Publish(KernelIndex(
      "WorkloadCase", R"({"operationSpecDigest":"sha256:)" + std::string(64, '2') + R"("})"));
  const std::string slow = Run(workload, "300");
  const std::string fast = Run(workload, "200", "passed", "fast one");
  const std::string failed = Run(workload, "100", "runtime_error");
  RunResult cohort = Ask({"cohort", slow});
  ASSERT_EQ(cohort.exit_code, 0) << cohort.err;
  EXPECT_THAT(cohort.out, HasSubstr("3, 2 ranked by latency:median:ns, lower is better"));
  EXPECT_THAT(cohort.out, HasSubstr("\n  1  200 ns  ×1  " + fast +
                                    "  BenchmarkRun  fast one\n→ 2  300 ns  ×1.5  " + slow +
                                    "  BenchmarkRun\n  -  STATUS_RUNTIME_ERROR  " + failed));
  const std::string key = cohort.out.substr(cohort.out.find("sha256:"), 71);
  EXPECT_THAT(Ask({"cohort", key, "--json"}).out, HasSubstr(R"("asked":null)"));
  EXPECT_EQ(Ask({"cohort", workload}).exit_code, 1) << "it is no run";

  EXPECT_THAT(Ask({"history", slow}).out, HasSubstr("evidence  reported"));
  const std::string rerun =
      Publish(KernelIndex("BenchmarkRun", R"({"workloadDigest":")" + workload + R"("})"), runner);
  Say({"verify-run", slow, "--rerun", rerun, "--outcome", "passed"}, runner);
  EXPECT_THAT(Ask({"history", slow}).out, HasSubstr("verification in entry "));
  Say({"retract", fast, "--reason", "no"}, publisher_);
  cohort = Ask({"cohort", slow});
  EXPECT_THAT(cohort.out, HasSubstr("\n→ 1  300 ns  ×1  " + slow));
  EXPECT_THAT(cohort.out, HasSubstr("-  RETRACTED  " + fast));
}

TEST_F(QueryTest, TheIndexIsCheckedThrownAwayAndDerivedAgain) {
  const std::string target = Publish(Manifest(1, "one"));
  Publish(R"({"apiVersion":"v1","kind":"L","spec":{"aDigest":")" + target + R"("}})");
  const std::string listed = Ask({"list", "--json"}).out;
  const std::string history = Ask({"history", target, "--json"}).out;
  const std::string references = Ask({"list", "--references", target, "--json"}).out;
  ASSERT_EQ(steled_.Stop(), 0);
  const std::string store = steled_.data().string();
  RunResult run = testing::RunProgram("stele", {"fsck", store});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("index rows "));
  std::filesystem::remove_all(steled_.data() / "index");
  run = testing::RunProgram("stele", {"reindex", store});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  run = testing::RunProgram("stele", {"fsck", store});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  steled_.Start();
  EXPECT_EQ(Ask({"list", "--json"}).out, listed);
  EXPECT_EQ(Ask({"history", target, "--json"}).out, history);
  EXPECT_EQ(Ask({"list", "--references", target, "--json"}).out, references);
}

}  // namespace
}  // namespace stele::tools
