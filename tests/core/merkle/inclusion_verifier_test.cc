// Whatever was verified before, the verdict is VerifyInclusion's.
#include "core/merkle/inclusion_verifier.h"

#include <gtest/gtest.h>

#include <random>

#include "core/base/refusal.h"
#include "tests/core/merkle/leaf_reader.h"

namespace stele {
namespace {

constexpr size_t kLargest = 70;

class InclusionVerifierTest : public ::testing::Test {
 protected:
  Proof ProofOf(size_t index, size_t size) const {
    return *MakeInclusionProof(reader_, EntryIndex(index), TreeSize(size));
  }
  Hash Root(size_t size) const { return *MakeRoot(reader_, TreeSize(size)); }

  const std::vector<Hash> leaves_ = testing::TestLeafHashes(kLargest);
  const testing::LeafReader reader_{leaves_};
};

// Every leaf after every other, then with each hash changed, then as it should be once more.
TEST_F(InclusionVerifierTest, EveryPairOfLeavesEveryHashChanged) {
  for (size_t size = 1; size <= kLargest; ++size) {
    const Hash root = Root(size);
    for (size_t before = 0; before < size; ++before) {
      for (size_t i = 0; i<size; i += size> 20 ? 3 : 1) {
        InclusionVerifier tree(TreeSize(size), root);
        ASSERT_TRUE(tree.Verify(EntryIndex(before), leaves_[before], ProofOf(before, size)).ok());
        Proof proof = ProofOf(i, size);
        for (Hash& hash : proof) {
          const Hash honest = hash;
          hash.data()[i % Hash::kBytes] ^= 1;
          ASSERT_EQ(ReasonOf(tree.Verify(EntryIndex(i), leaves_[i], proof)), reason::kProofRoot)
              << i << " after " << before << " of " << size;
          hash = honest;
        }
        Hash leaf = leaves_[i];
        leaf.data()[0] ^= 1;
        ASSERT_EQ(ReasonOf(tree.Verify(EntryIndex(i), leaf, proof)), reason::kProofRoot);
        ASSERT_TRUE(tree.Verify(EntryIndex(i), leaves_[i], proof).ok())
            << i << " after " << before << " of " << size;
      }
    }
  }
}

TEST_F(InclusionVerifierTest, ShapeAndIndexAreRefusedAsEver) {
  InclusionVerifier tree(TreeSize(21), Root(21));
  ASSERT_TRUE(tree.Verify(EntryIndex(5), leaves_[5], ProofOf(5, 21)).ok());
  Proof proof = ProofOf(6, 21);
  proof.pop_back();
  EXPECT_EQ(ReasonOf(tree.Verify(EntryIndex(6), leaves_[6], proof)), reason::kProofShape);
  proof = ProofOf(6, 21);
  proof.push_back(proof.back());
  EXPECT_EQ(ReasonOf(tree.Verify(EntryIndex(6), leaves_[6], proof)), reason::kProofShape);
  EXPECT_EQ(ReasonOf(tree.Verify(EntryIndex(21), leaves_[6], ProofOf(6, 21))), reason::kProofIndex);
  EXPECT_EQ(ReasonOf(tree.Verify(EntryIndex(7), leaves_[6], ProofOf(6, 21))), reason::kProofRoot);
  EXPECT_EQ(ReasonOf(tree.Verify(EntryIndex(6), leaves_[6], ProofOf(6, 22))), reason::kProofRoot);
  EXPECT_TRUE(tree.Verify(EntryIndex(6), leaves_[6], ProofOf(6, 21)).ok());
}

TEST_F(InclusionVerifierTest, ALongRandomSequence) {
  std::mt19937 random(7);
  InclusionVerifier tree(TreeSize(67), Root(67));
  for (int n = 0; n < 5000; ++n) {
    const size_t index = random() % 67;
    Proof proof = ProofOf(index, 67);
    const bool change = random() % 3 == 0;
    if (change) proof[random() % proof.size()].data()[random() % 32] ^= 0x40;
    ASSERT_EQ(tree.Verify(EntryIndex(index), leaves_[index], proof).ok(), !change) << n;
  }
}

}  // namespace
}  // namespace stele
