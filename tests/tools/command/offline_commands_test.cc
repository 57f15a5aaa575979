// The commands that need no server, as programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/crypto/key.h"
#include "core/crypto/sha256.h"
#include "tests/support/program/child.h"
#include "tests/support/store/temp_dir.h"
#include "tests/support/vector_json.h"

namespace stele::tools {
namespace {

using ::testing::AllOf;
using testing::At;
using ::testing::HasSubstr;
using testing::RunProgram;
using testing::RunResult;

std::string Example(int number) {
  return (testing::VectorsDir() / ".." / ".." / ".." / "examples" /
          ("kernelindex-run-" + std::to_string(number) + ".json"))
      .string();
}

class OfflineTest : public ::testing::Test {
 protected:
  const testing::TempDir dir_;
  std::string Write(const std::string& name, const std::string& bytes) const {
    const std::string path = (dir_.path() / name).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
};

TEST_F(OfflineTest, DigestsOfTheExamplesAreTheFactsOfTheFormat) {
  const RunResult result = RunProgram("stele", {"digest", Example(1), Example(2)});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* line :
       {"sha256:c61f8cd5ac43d94099a10751c5f8dd4151fdb82a459dc957d43121b7bc6a5336  BenchmarkRun  ",
        "sha256:2964c5c4ed9cb0dcdc0f74674035bc71bf5e66620939e38441060f76434ed3e5  "
        "BenchmarkProtocol  ",
        "sha256:5296c820e166474e590abb1beaf7728cdfe0a4bde9bf55f8966a40f4f5401621  "
        "ExecutionEnvironment  ",
        "sha256:28c78ea8f808d1b78085d073f400abf64930109cb0ad61efd3634542aaa78a58  "
        "BenchmarkRun  "}) {
    EXPECT_THAT(result.out, HasSubstr(line));
  }
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 6);
}

TEST_F(OfflineTest, DigestReadsStandardInputAndYaml) {
  const std::string digest =
      "sha256:bea60af06f12216679b113d6624c5293d59bef2104ccc27cd33c992d124e039d";
  const RunResult json = RunProgram(
      "stele", {"digest", "-"},
      R"({"apiVersion":"kernelindex.dev/v1alpha1","kind":"SoftwareProject","spec":{"name":"Vector Project","repository":"https://example.invalid/vector/project"}})");
  EXPECT_EQ(json.out, digest + "  SoftwareProject  -\n");
  const RunResult yaml = RunProgram("stele", {"digest", "--json", "-"},
                                    "apiVersion: kernelindex.dev/v1alpha1\nkind: SoftwareProject\n"
                                    "spec:\n  repository: https://example.invalid/vector/project\n"
                                    "  name: Vector Project\nmetadata: {name: v}\n");
  EXPECT_THAT(yaml.out, AllOf(HasSubstr("\"record\":\"" + digest + "\""),
                              HasSubstr("\"name\":\"v\""), HasSubstr("\"line\":1")));
}

// Every refusal of the golden vectors, through the program: exit 1, reason and place.
TEST_F(OfflineTest, DigestIsAsStrictAsTheFormat) {
  const json::Value vectors = testing::LoadVectors("json.json");
  std::vector<std::string> arguments{"digest"};
  std::vector<std::string> expected;
  for (const char* list : {"cases", "manifests"}) {
    for (const json::Value& vector : testing::List(At(vectors, list))) {
      if (testing::Flag(At(vector, "accept"))) continue;
      // A bare text of nested objects is read as a bundle here, whose wrapper does not count.
      if (list == std::string("cases") && testing::Text(At(vector, "reason")) == "TOO_DEEP")
        continue;
      const std::string path =
          Write(std::to_string(expected.size()) + ".json", testing::Bytes(At(vector, "input")));
      const std::string& reason = testing::Text(At(vector, "reason"));
      const std::string& pointer = testing::Text(At(vector, "pointer"));
      const bool exact = reason != "SYNTAX" && !pointer.empty();
      arguments.push_back(path);
      expected.push_back(reason == "SYNTAX" ? "[" + reason
                                            : "[" + reason + (exact ? " at " + pointer : "") + "]");
    }
  }
  ASSERT_GT(expected.size(), 100u);
  const RunResult result = RunProgram("stele", arguments);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "");
  size_t at = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const size_t begin = result.err.find("stele: " + arguments[i + 1] + ":1: ", at);
    ASSERT_NE(begin, std::string::npos) << arguments[i + 1];
    at = i + 2 < arguments.size() ? result.err.find("stele: " + arguments[i + 2], begin)
                                  : result.err.size();
    EXPECT_THAT(result.err.substr(begin, at - begin), HasSubstr(expected[i]));
  }
}

TEST_F(OfflineTest, ARefusedItemLeavesTheOthers) {
  const std::string manifest = R"({"apiVersion":"v1","kind":"K","spec":{}})";
  const std::string lines = Write("a.ndjson", manifest + "\nnonsense\n" + manifest + "\n");
  const RunResult result =
      RunProgram("stele", {"digest", lines, (dir_.path() / "absent").string(), lines});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 4);
  EXPECT_THAT(result.err, AllOf(HasSubstr("a.ndjson:2: "), HasSubstr("absent: cannot open")));
}

TEST_F(OfflineTest, CanonicalizeGivesTheBytesOfTheDigest) {
  const RunResult member = RunProgram("stele", {"canonicalize", Example(1), "--member", "run"});
  EXPECT_EQ(member.exit_code, 0) << member.err;
  EXPECT_EQ(Sha256(member.out).ToHex(),
            "c61f8cd5ac43d94099a10751c5f8dd4151fdb82a459dc957d43121b7bc6a5336");
  const std::string manifest =
      Write("m.json", R"({"kind":"K", "spec":{"b":-0,"a":1e2}, "metadata":{}, "apiVersion":"v1"})");
  EXPECT_EQ(RunProgram("stele", {"canonicalize", manifest}).out,
            R"({"apiVersion":"v1","kind":"K","spec":{"a":100,"b":0}})");
  EXPECT_EQ(RunProgram("stele", {"canonicalize", manifest, "--manifest"}).out,
            R"({"apiVersion":"v1","kind":"K","metadata":{},"spec":{"a":100,"b":0}})");
}

TEST_F(OfflineTest, CanonicalizeNamesTheMembersToChooseFrom) {
  const RunResult bundle = RunProgram("stele", {"canonicalize", Example(1)});
  EXPECT_EQ(bundle.exit_code, 2);
  EXPECT_THAT(bundle.err, HasSubstr("environment, protocol, run"));
  EXPECT_EQ(bundle.out, "");
  EXPECT_EQ(RunProgram("stele", {"canonicalize", Example(1), "--member", "x"}).exit_code, 2);
  const std::string two = Write("two.ndjson", R"({"apiVersion":"v1","kind":"K","spec":{}})"
                                              "\n"
                                              R"({"apiVersion":"v1","kind":"K","spec":{}})");
  EXPECT_EQ(RunProgram("stele", {"canonicalize", two}).exit_code, 1);
  EXPECT_EQ(RunProgram("stele", {"canonicalize", "-"}, "# nothing\n").exit_code, 1);
}

TEST_F(OfflineTest, KeygenPrintsTheKeyIdAndOverwritesNothing) {
  const std::string path = (dir_.path() / "key.pem").string();
  const RunResult first = RunProgram("stele", {"keygen", path, "--algorithm", "ecdsa-p256"});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  const PublicKey key = *PublicKey::FromPem(testing::ReadFile(path + ".pub"));
  EXPECT_EQ(first.out, key.id().ToText() + "\n");
  EXPECT_EQ(key.algorithm(), KeyAlgorithm::kEcdsaP256);
  const std::string pem = testing::ReadFile(path);
  const RunResult second = RunProgram("stele", {"keygen", path});
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_THAT(second.err, HasSubstr("never overwritten"));
  EXPECT_EQ(testing::ReadFile(path), pem);
  const RunResult json =
      RunProgram("stele", {"keygen", (dir_.path() / "b.pem").string(), "--json"});
  EXPECT_THAT(json.out, HasSubstr("\"algorithm\":\"ed25519\",\"keyId\":\"sha256:"));
}

TEST_F(OfflineTest, MistakesInTheCommandLineAreUsageErrors) {
  const std::vector<std::vector<std::string>> wrong{
      {},
      {"unknown"},
      {"digest"},
      {"digest", "--format", "xml", "a"},
      {"push", "a.json"},
      {"push", "a.json", "--signer", "absent.pem"},
      {"push", "a.json", "--signer", "x", "--batch", "129"},
      {"get", "abc"},
      {"get", "01234567", "--publisher", "01234567"},
      {"get", "01234567", "--timeout", "soon"},
      {"get", "01234567", "--server", "two words"},
      {"get", "01234567", "--policy", "/nowhere"},
      {"get", "01234567", "--ca", "/nowhere"},
      {"get", "01234567", "--cert", "/nowhere"},
      {"key"},
      {"key", "grant", "absent.pub", "--name", "n", "--role", "publisher", "--signer", "x"},
      {"key", "grant", "absent.pub", "--name", "n", "--role", "king", "--signer", "x"},
      {"keygen", "x", "--algorithm", "rsa"},
      {"init", (dir_.path() / "data").string()},
      {"init", (dir_.path() / "data").string(), "--origin", "with space"}};
  for (const std::vector<std::string>& arguments : wrong) {
    const RunResult result = RunProgram("stele", arguments);
    EXPECT_EQ(result.exit_code, 2) << ::testing::PrintToString(arguments) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err, "");
  }
  EXPECT_FALSE(std::filesystem::exists(dir_.path() / "data"));
}

TEST_F(OfflineTest, HelpAndVersion) {
  const RunResult help = RunProgram("stele", {"--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* command : {"init", "keygen", "key", "digest", "canonicalize", "push", "get",
                              "log", "cite", "verify"}) {
    EXPECT_THAT(help.out, HasSubstr(command));
    const RunResult one = RunProgram("stele", {command, "--help"});
    EXPECT_EQ(one.exit_code, 0);
    EXPECT_THAT(one.out, HasSubstr("Usage:"));
  }
  EXPECT_THAT(RunProgram("stele", {"--version"}).out, ::testing::MatchesRegex("stele [0-9.]+\n"));
}

TEST_F(OfflineTest, NobodyListeningIsExitThreeAndSaysWho) {
  const std::string state = dir_.path().string();
  const RunResult get =
      RunProgram("stele", {"get", "01234567", "--server", "127.0.0.1:1", "--state", state});
  EXPECT_EQ(get.exit_code, 3);
  EXPECT_THAT(get.err, HasSubstr("127.0.0.1:1"));
  const std::string key = (dir_.path() / "key.pem").string();
  ASSERT_EQ(RunProgram("stele", {"keygen", key}).exit_code, 0);
  const RunResult push =
      RunProgram("stele", {"push", Example(1), "--signer", key, "--server", "127.0.0.1:1",
                           "--state", state, "--timeout", "300ms"});
  EXPECT_EQ(push.exit_code, 3);
  EXPECT_THAT(push.err, HasSubstr("trying again for 300ms"));
  EXPECT_EQ(
      RunProgram("stele", {"log", "head", "--state", state}, "", {{"STELE_SERVER", "127.0.0.1:2"}})
          .exit_code,
      3);
}

TEST_F(OfflineTest, InitMakesAStoreOnce) {
  const std::string data = (dir_.path() / "data").string();
  const std::vector<std::string> init{"init", data, "--origin", "test.example/log", "--json"};
  const RunResult made = RunProgram("stele", init);
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const PublicKey key = *PublicKey::FromPem(testing::ReadFile(data + "/operator.pem.pub"));
  EXPECT_THAT(made.out, HasSubstr("\"operatorKeyId\":\"" + key.id().ToText()));
  EXPECT_TRUE(PrivateKey::FromPem(testing::ReadFile(data + "/operator.pem")).ok());
  EXPECT_TRUE(std::filesystem::exists(data + ".guard"));
  EXPECT_THAT(testing::ReadFile(data + "/policy"), HasSubstr("log test.example/log+"));
  const std::string pem = testing::ReadFile(data + "/operator.pem");
  const RunResult again = RunProgram("stele", init);
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.err, HasSubstr("never made over anything"));
  EXPECT_EQ(testing::ReadFile(data + "/operator.pem"), pem);
}

TEST_F(OfflineTest, InitLeavesNothingBehindWhereItFails) {
  const std::string data = (dir_.path() / "data").string();
  const std::string guard = Write("guard", "in the way");
  const RunResult result =
      RunProgram("stele", {"init", data, "--origin", "test.example/log", "--guard", guard});
  EXPECT_EQ(result.exit_code, 1) << result.out;
  EXPECT_FALSE(std::filesystem::exists(data + ".operator.pem"));
  EXPECT_FALSE(std::filesystem::exists(data + ".operator.pem.pub"));
}

}  // namespace
}  // namespace stele::tools
