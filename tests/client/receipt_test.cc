#include "client/receipt.h"

#include <gtest/gtest.h>

#include "core/base/time_text.h"
#include "core/crypto/sha256.h"
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
    return CheckReceipt({id_, envelope_, &public_key_}, {EntryIndex(2), leaf, std::nullopt}, proof,
                        checkpoint);
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

// Detached entries: the leaf names the envelope.
class DetachedReceiptTest : public ReceiptTest {
 protected:
  static constexpr char kNote[] = R"({"predicateType":"https://slsa.dev/provenance/v1"})";
  static std::string DetachedLeaf(const std::string& envelope, const KeyId& key,
                                  const std::string& type = "https://slsa.dev/provenance/v1",
                                  size_t more = 0) {
    const DetachedEnvelope detached{Sha256(envelope), key, type, envelope.size() + more};
    return *BuildDetachedLeaf(EventIndex(3), detached, *ParseTime("2026-01-02T03:04:05.678Z"));
  }
  absl::Status CheckSent(const std::string& sent, const std::string& leaf,
                         std::optional<std::string_view> fetched = std::nullopt) const {
    TreeEdge edge;
    edge.Append(LeafHash(leaf));
    const Checkpoint checkpoint{"log.example/x", edge.size(), edge.Root(), {}};
    return CheckReceipt({id_, sent, &public_key_}, {EntryIndex(0), leaf, fetched}, {}, checkpoint);
  }
};

TEST_P(DetachedReceiptTest, TakesOurs) {
  const std::string sent = Sign(kNote);
  const std::string leaf = DetachedLeaf(sent, id_);
  EXPECT_EQ(CheckSent(sent, leaf), absl::OkStatus());
  EXPECT_EQ(EnvelopeToFetch({id_, sent, &public_key_}, leaf), std::nullopt);
}

TEST_P(DetachedReceiptTest, AnEarlierSignatureIsFetchedAndVerified) {
  // Of ECDSA each signature is another one; of Ed25519 the text's form makes the difference here.
  const std::string sent = Sign(kNote);
  const std::string kept = FormatEnvelope(kNote, id_, *key_.Sign(Pae(kNote)));
  const std::string forged = FormatEnvelope(kNote, id_, std::string(64, 's'));
  const std::string other = Sign(R"({"predicateType":"https://slsa.dev/provenance/v2"})");
  for (const auto& [envelope, fine] :
       std::vector<std::pair<std::string, bool>>{{kept, true}, {forged, false}, {other, false}}) {
    const std::string leaf = DetachedLeaf(envelope, id_);
    const bool same = envelope == sent;
    EXPECT_EQ(EnvelopeToFetch({id_, sent, &public_key_}, leaf),
              same ? std::nullopt : std::optional(Sha256(envelope)));
    if (!same) {
      EXPECT_EQ(CheckSent(sent, leaf).code(), absl::StatusCode::kDataLoss) << "not fetched";
    }
    EXPECT_EQ(CheckSent(sent, leaf, envelope).ok(), fine) << envelope;
  }
}

TEST_P(DetachedReceiptTest, RefusesAnotherKeySizeOrType) {
  const std::string sent = Sign(kNote);
  const KeyId other = PrivateKey::Generate(GetParam())->public_key().id();
  for (const std::string& leaf :
       {DetachedLeaf(sent, other), DetachedLeaf(sent, id_, "https://slsa.dev/provenance/v2"),
        DetachedLeaf(sent, id_, "https://slsa.dev/provenance/v1", 1)}) {
    EXPECT_EQ(CheckSent(sent, leaf).code(), absl::StatusCode::kDataLoss) << leaf;
  }
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

INSTANTIATE_TEST_SUITE_P(Keys, DetachedReceiptTest,
                         ::testing::Values(KeyAlgorithm::kEd25519, KeyAlgorithm::kEcdsaP256));
INSTANTIATE_TEST_SUITE_P(Keys, ReceiptTest,
                         ::testing::Values(KeyAlgorithm::kEd25519, KeyAlgorithm::kEcdsaP256));

}  // namespace
}  // namespace stele::client
