#include "client/trust_policy.h"

#include <gtest/gtest.h>

#include "tests/support/shared.h"

namespace stele::client {
namespace {

std::string Vkey(const std::string& origin, char seed) {
  const PrivateKey key = *PrivateKey::FromEd25519Seed(std::string(32, seed));
  return NoteVerifier::Make(origin, key.public_key())->ToVkey();
}

TEST(TrustPolicyTest, ReadsTheGoldenOne) {
  absl::StatusOr<TrustPolicy> policy =
      ParseTrustPolicy(testing::ReadFile(testing::VectorsDir() / "log" / "policy"));
  ASSERT_TRUE(policy.ok()) << policy.status();
  EXPECT_EQ(policy->origin, "log.example/vectors");
  EXPECT_EQ(policy->log_keys.size(), 2u);
}

TEST(TrustPolicyTest, CommentsAndAddresses) {
  const std::string text =
      "# keys\n\nlog " + Vkey("a/x", 'a') + " https://a.example/\nquorum none\n";
  EXPECT_EQ(ParseTrustPolicy(text)->origin, "a/x");
}

TEST(TrustPolicyTest, RefusesWhatItWouldNotCheck) {
  const std::string log = "log " + Vkey("a/x", 'a') + "\n";
  for (const std::string& text :
       {std::string(), std::string("quorum none\n"), log, log + "quorum w\n",
        log + "witness w " + Vkey("w", 'w') + "\nquorum w\n", log + "witness w x\nquorum none\n",
        log + "log " + Vkey("b/y", 'b') + "\nquorum none\n", std::string("log x\nquorum none\n"),
        log + "quorum\n", log + "unknown\nquorum none\n"}) {
    EXPECT_EQ(ParseTrustPolicy(text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
}

}  // namespace
}  // namespace stele::client
