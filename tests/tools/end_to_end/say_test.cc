// attest, verify-run, retract, policy, withhold, key introduce: said to a real server.
#include "core/base/base64.h"
#include "core/crypto/sha256.h"
#include "core/statement/dsse.h"
#include "tests/tools/end_to_end/served_test.h"

namespace stele::tools {
namespace {

using ::testing::HasSubstr;
using testing::RunResult;
using ::testing::StartsWith;

class SayTest : public ServedTest {
 protected:
  SayTest() {
    record_ = Publish(1);
    other_ = Publish(2);
  }
  // Its digest.
  std::string Publish(int n) const {
    const std::string file = Write("m" + std::to_string(n) + ".json", Manifest(n));
    EXPECT_EQ(Push({file}).exit_code, 0);
    return testing::RunProgram("stele", {"digest", file}).out.substr(0, 71);
  }
  RunResult Say(std::vector<std::string> arguments, const std::string& signer) const {
    arguments.insert(arguments.end(), {"--signer", signer});
    return steled_.Stele(arguments);
  }
  RunResult Operator(std::vector<std::string> arguments) const {
    return Say(std::move(arguments), steled_.operator_key().string());
  }
  std::string LastEntry() const {
    const std::string out = steled_.Stele({"log", "entries"}).out;
    return out.substr(out.rfind('\n', out.size() - 2) + 1);
  }
  std::string NewGuest(const std::string& name) const {
    const std::string key = Path(name);
    EXPECT_EQ(testing::RunProgram("stele", {"keygen", key}).exit_code, 0);
    return key;
  }
  // An envelope as other tools make it: URL-safe, key ids of their own, several signatures.
  std::string Envelope(const std::string& payload, const std::vector<std::string>& keys,
                       bool key_ids) const {
    std::string text = R"({"payload":")" + Base64Encode(payload) +
                       R"(","payloadType":"application/vnd.in-toto+json","signatures":[)";
    for (size_t i = 0; i < keys.size(); ++i) {
      const PrivateKey key = *PrivateKey::FromPem(testing::ReadFile(keys[i]));
      text += std::string(i == 0 ? "" : ",") + R"({"sig":")" +
              Base64Encode(*key.Sign(Pae(payload))) + "\"" +
              (key_ids ? R"(,"keyid":")" + key.public_key().id().ToHex() + "\"" : "") + "}";
    }
    return text + R"(],"extra":true})";
  }
  std::string Provenance(const std::string& about) const {
    return R"({"_type":"https://in-toto.io/Statement/v1","predicateType":"https://slsa.dev/provenance/v1",)"
           R"("subject":[{"name":"run","digest":{"sha256":")" +
           about.substr(7) + R"("}}],"predicate":{"runDetails":{"builder":{"id":"x"}}}})";
  }

  std::string record_, other_;
};

TEST_F(SayTest, AnAttesterAttests) {
  const std::string attester = steled_.NewKey("attester", "attester");
  const std::vector<std::string> reproduced = {
      "attest",  record_,   "--type",     "reproduced",
      "--value", "143.9us", "--evidence", "https://e.invalid/1"};
  const RunResult first = Say(reproduced, attester);
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, StartsWith("attested reproduced of " + record_ + " at entry "));
  EXPECT_THAT(LastEntry(), HasSubstr("  reproduction  "));
  const RunResult again = Say(reproduced, attester);
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("said before, at entry "));
  const RunResult note = Say({"attest", record_.substr(0, 20), "--type", "issue", "--body",
                              "clocks were not locked", "--json"},
                             attester);
  EXPECT_EQ(note.exit_code, 0) << note.err;
  EXPECT_THAT(note.out, HasSubstr(R"("type":"note")"));
  EXPECT_THAT(note.out, HasSubstr(R"("replayed":false)"));
}

TEST_F(SayTest, WhatAnAttestationNeeds) {
  const std::string key = publisher_;
  for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{
           {"attest", record_, "--type", "issue"},
           {"attest", record_, "--type", "note", "--body", "b", "--value", "1ns"},
           {"attest", record_, "--type", "reproduced", "--value", "fast"},
           {"attest", record_, "--type", "reproduced", "--value", "12"},
           {"attest", record_, "--type", "reproduced", "--environment", "sha256:12"},
           {"attest", record_, "--type", "reproduced", "--evidence", "https://x@sha256:12"},
           {"attest", record_},
           {"attest", "--type", "note", "--body", "b"},
           {"attest", record_, "--type", "praise", "--body", "b"},
           {"attest", record_, "--envelope", "x"}}) {
    EXPECT_EQ(Say(wrong, key).exit_code, 2) << wrong.back();
  }
  const RunResult unknown =
      Say({"attest", "sha256:" + std::string(64, '0'), "--type", "reproduced"}, key);
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_THAT(unknown.err, HasSubstr("UNKNOWN_SUBJECT"));
}

TEST_F(SayTest, AGuestSpeaksWhileThePolicyIsOpen) {
  const std::string guest = NewGuest("guest.pem");
  const std::vector<std::string> attest = {"attest", record_, "--type", "could_not_reproduce"};
  RunResult run = Say({"key", "introduce"}, guest);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.err, HasSubstr("POLICY_CLOSED"));
  run = Operator({"policy", "open"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("open"));
  run = Say(attest, guest);
  EXPECT_EQ(run.exit_code, 1) << "not introduced";
  run = Say({"key", "introduce"}, guest);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, StartsWith("introduced " + PublicKeyId(guest) + " at entry "));
  run = Say(attest, guest);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  run = Operator({"policy", "close", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr(R"("openAttestations":false)"));
  run = Say({"attest", other_, "--type", "reproduced"}, guest);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.err, HasSubstr("POLICY_CLOSED"));
  EXPECT_EQ(Say(attest, guest).exit_code, 0) << "said before";
  EXPECT_EQ(Operator({"policy", "open"}).exit_code, 0) << "after the latest event, not the first";
  EXPECT_EQ(Say({"policy", "close"}, publisher_).exit_code, 1);
}

TEST_F(SayTest, ARunnerVerifiesARun) {
  const std::string runner = steled_.NewKey("runner", "runner");
  const RunResult run =
      Say({"verify-run", record_, "--rerun", other_, "--outcome", "passed"}, runner);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, StartsWith("verification passed of " + record_ + " at entry "));
  EXPECT_EQ(
      Say({"verify-run", record_, "--rerun", record_, "--outcome", "passed"}, runner).exit_code, 2);
  const RunResult publisher =
      Say({"verify-run", record_, "--rerun", other_, "--outcome", "failed"}, publisher_);
  EXPECT_EQ(publisher.exit_code, 1);
  EXPECT_THAT(publisher.err, HasSubstr("ROLE"));
}

TEST_F(SayTest, TheOwnerRetracts) {
  const std::string stranger = steled_.NewKey("stranger", "publisher");
  const RunResult refused = Say({"retract", record_, "--reason", "not mine"}, stranger);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("NOT_OWNER"));
  const RunResult run =
      Say({"retract", record_, "--reason", "wrong clock", "--superseded-by", other_, "--json"},
          publisher_);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr(R"("subject":")" + record_));
  EXPECT_EQ(
      Say({"retract", record_, "--reason", "x", "--superseded-by", record_}, publisher_).exit_code,
      2);
  EXPECT_EQ(Say({"retract", record_, "--reason", std::string(501, 'x')}, publisher_).exit_code, 1);
}

TEST_F(SayTest, WithheldContentIsNotServedUntilItIsRestored) {
  EXPECT_EQ(steled_.Stele({"get", record_}).exit_code, 0);
  const RunResult withheld = Operator({"withhold", record_, "--reason", "court order"});
  ASSERT_EQ(withheld.exit_code, 0) << withheld.err;
  EXPECT_THAT(withheld.out, StartsWith("withheld " + record_ + " at entry "));
  const RunResult gone = steled_.Stele({"get", record_});
  EXPECT_EQ(gone.exit_code, 1);
  EXPECT_THAT(gone.err, HasSubstr("WITHHELD"));
  const std::string file = Path("m1.json");
  EXPECT_EQ(Push({file, "--signer", steled_.NewKey("second", "publisher")}).exit_code, 1)
      << "withheld content is not taken again";
  const RunResult restored = Operator({"restore-content", record_, "--reason", "order lifted"});
  ASSERT_EQ(restored.exit_code, 0) << restored.err;
  EXPECT_EQ(steled_.Stele({"get", record_}).exit_code, 0);
  EXPECT_EQ(Say({"withhold", record_, "--reason", "no"}, publisher_).exit_code, 1);
}

TEST_F(SayTest, LogKeysComeInAndRetire) {
  const std::string policy = testing::ReadFile(steled_.data() / "policy");
  const std::string old = policy.substr(4, policy.find('\n') - 4);
  EXPECT_EQ(Operator({"log-key", "add", "nonsense", "--from", "100"}).exit_code, 2);
  EXPECT_EQ(Operator({"log-key", "add", old, "--from", "100", "--retire", old}).exit_code, 2);
  const RunResult known = Operator({"log-key", "add", old, "--from", "100"});
  EXPECT_EQ(known.exit_code, 1);
  EXPECT_THAT(known.err, HasSubstr("LOG_KEY_KNOWN"));
}

TEST_F(SayTest, AnEnvelopeMadeElsewhere) {
  const std::string one = steled_.NewKey("one", "attester");
  const std::string two = steled_.NewKey("two", "attester");
  const std::string named = Write("named.json", Envelope(Provenance(record_), {one, two}, true));
  const RunResult both = steled_.Stele({"attest", "--envelope", named});
  EXPECT_EQ(both.exit_code, 0) << both.err;
  EXPECT_EQ(std::count(both.out.begin(), both.out.end(), '\n'), 2) << both.out;
  EXPECT_THAT(LastEntry(), HasSubstr("  https://slsa.dev/provenance/v1  "));
  const RunResult again =
      steled_.Stele({"attest", "--envelope", named, "--keyid", PublicKeyId(two), "--json"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr(R"("replayed":true)"));

  const std::string bare = Write("bare.json", Envelope(Provenance(other_), {one}, false));
  const RunResult unnamed = steled_.Stele({"attest", "--envelope", bare});
  EXPECT_EQ(unnamed.exit_code, 2);
  EXPECT_THAT(unnamed.err, HasSubstr("/signatures/0/keyid"));
  EXPECT_EQ(steled_.Stele({"attest", "--envelope", bare, "--keyid", PublicKeyId(one)}).exit_code,
            0);
  EXPECT_EQ(steled_
                .Stele({"attest", "--envelope", "-", "--keyid", PublicKeyId(two)},
                       testing::ReadFile(bare))
                .exit_code,
            1)
      << "signed by another key";
  EXPECT_EQ(
      steled_.Stele({"attest", "--envelope", named, "--keyid", PublicKeyId(publisher_)}).exit_code,
      2);
  EXPECT_EQ(steled_.Stele({"attest", "--envelope", Write("no.json", "{}")}).exit_code, 2);
}

}  // namespace
}  // namespace stele::tools
