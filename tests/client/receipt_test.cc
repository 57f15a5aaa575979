#include "client/receipt.h"

#include <gtest/gtest.h>

#include "core/base/time_text.h"
#include "core/statement/dsse.h"
#include "core/statement/entry.h"
#include "core/tlog/tree_edge.h"

namespace stele::client {
namespace {

constexpr char kPayload[] = "the payload";

class ReceiptTest : public ::testing::TestWithParam<KeyAlgorithm> {
 protected:
  const PrivateKey key_ = *PrivateKey::Generate(GetParam());
  const KeyId id_ = key_.public_key().id();
  const std::string envelope_ = Sign(kPayload);
  const PublicKey public_key_ = key_.public_key();

  std::string Sign(const std::string& payload) const {
    return FormatEnvelope(payload, id_, *key_.Sign(Pae(payload)));
  }
  static std::string Leaf(const std::string& envelope) {
    return *BuildInlineLeaf(EventIndex(3), envelope, *ParseTime("2026-01-02T03:04:05.678Z"));
  }
  // The receipt for `leaf` as entry 2 of a tree of 5.
  absl::Status Check(const std::string& leaf, int corrupt = -1) const {
    TreeEdge edge;
    for (const char* before : {"a", "b"}) edge.Append(LeafHash(before));
    edge.Append(LeafHash(leaf));
    for (const char* after : {"c", "d"}) edge.Append(LeafHash(after));
    const Checkpoint checkpoint{"log.example/x", edge.size(), edge.Root(), {}};
    Proof proof = *MakeInclusionProof(edge, EntryIndex(2), edge.size());
    if (corrupt >= 0) proof[static_cast<size_t>(corrupt)] = LeafHash("x");
    return CheckReceipt({id_, envelope_, &public_key_}, {EntryIndex(2), leaf}, proof, checkpoint);
  }
};

TEST_P(ReceiptTest, TakesOurStatement) {
  EXPECT_TRUE(Check(Leaf(envelope_)).ok()) << Check(Leaf(envelope_));
}

TEST_P(ReceiptTest, TakesAnEarlierSignatureOfTheSameStatement) {
  EXPECT_TRUE(Check(Leaf(Sign(kPayload))).ok());
}

TEST_P(ReceiptTest, RefusesAnotherStatementOfOurs) {
  EXPECT_EQ(Check(Leaf(Sign("something else"))).code(), absl::StatusCode::kDataLoss);
}

TEST_P(ReceiptTest, RefusesOurStatementByAnotherKey) {
  const PrivateKey other = *PrivateKey::Generate(GetParam());
  const std::string envelope =
      FormatEnvelope(kPayload, other.public_key().id(), *other.Sign(Pae(kPayload)));
  EXPECT_EQ(Check(Leaf(envelope)).code(), absl::StatusCode::kDataLoss);
}

TEST_P(ReceiptTest, RefusesASignatureThatIsNone) {
  const std::string forged = FormatEnvelope(kPayload, id_, std::string(64, 's'));
  EXPECT_EQ(Check(Leaf(forged)).code(), absl::StatusCode::kDataLoss);
}

TEST_P(ReceiptTest, RefusesEveryCorruptedHash) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Check(Leaf(envelope_), i).code(), absl::StatusCode::kDataLoss) << i;
  }
}

TEST_P(ReceiptTest, RefusesALeafInAnyOtherForm) {
  const std::string leaf = Leaf(envelope_);
  std::string spaced = leaf;
  spaced.insert(1, " ");
  std::string bad_time = leaf;
  bad_time.replace(bad_time.find("03:04:05"), 8, "03:04:60");
  std::string plus = leaf;
  plus.replace(plus.find(":3,"), 3, ":+3,");
  std::string zero = leaf;
  zero.replace(zero.find(":3,"), 3, ":03,");
  std::string below = leaf;
  below.replace(below.find(":3,"), 3, ":-2,");
  for (const std::string& other : {spaced, bad_time, plus, zero, below, leaf + " ",
                                   leaf.substr(0, leaf.size() - 1), std::string()}) {
    EXPECT_EQ(Check(other).code(), absl::StatusCode::kDataLoss) << other;
  }
}

TEST_P(ReceiptTest, RefusesADetachedEntry) {
  const std::string leaf = *BuildDetachedLeaf(
      EventIndex(3), {LeafHash("e"), id_, "https://example.org/type", 100}, TimeMs(0));
  EXPECT_EQ(Check(leaf).code(), absl::StatusCode::kDataLoss);
}

INSTANTIATE_TEST_SUITE_P(Keys, ReceiptTest,
                         ::testing::Values(KeyAlgorithm::kEd25519, KeyAlgorithm::kEcdsaP256));

}  // namespace
}  // namespace stele::client
