#include "tools/hammer/load.h"

#include <gtest/gtest.h>

#include <set>

#include "core/crypto/sha256.h"
#include "core/statement/dsse.h"
#include "core/statement/statement.h"

namespace stele::tools {
namespace {

PrivateKey Key() { return *PrivateKey::Generate(KeyAlgorithm::kEd25519); }

TEST(Load, StatementsAreWhatAServerTakes) {
  const PrivateKey key = Key();
  auto load = MakeLoad({.origin = "o.example", .statements = 5, .subjects = 3, .bytes = 300}, key);
  ASSERT_TRUE(load.ok()) << load.status();
  ASSERT_EQ(load->statements.size(), 5u);
  ASSERT_EQ(load->records.size(), 15u);
  EXPECT_EQ(std::set<Digest>(load->records.begin(), load->records.end()).size(), 15u);
  for (size_t i = 0; i < 5; ++i) {
    const client::OutgoingStatement& sent = load->statements[i];
    auto envelope = ParseEnvelope(sent.envelope);
    ASSERT_TRUE(envelope.ok()) << envelope.status();
    EXPECT_TRUE(key.public_key().Verify(Pae(envelope->payload), envelope->signature).ok());
    auto statement = ParseStatement(envelope->payload, "o.example");
    ASSERT_TRUE(statement.ok()) << statement.status();
    ASSERT_EQ(statement->subjects.size(), 3u);
    for (size_t s = 0; s < 3; ++s) {
      EXPECT_EQ(sent.manifests[s].size(), 300u);
      EXPECT_EQ(Sha256(sent.manifests[s]), statement->subjects[s].digest);
      EXPECT_EQ(statement->subjects[s].digest, load->records[i * 3 + s]);
    }
  }
}

TEST(Load, NumbersOutOfRangeAreRefused) {
  const PrivateKey key = Key();
  EXPECT_FALSE(MakeLoad({.origin = "o", .statements = 1, .subjects = 0}, key).ok());
  EXPECT_FALSE(MakeLoad({.origin = "o", .statements = 1, .subjects = 129}, key).ok());
  EXPECT_FALSE(MakeLoad({.origin = "o", .statements = 1, .subjects = 1, .bytes = 10}, key).ok());
  EXPECT_FALSE(
      MakeLoad({.origin = "o", .statements = 1, .subjects = 128, .bytes = 1 << 20}, key).ok());
}

}  // namespace
}  // namespace stele::tools
