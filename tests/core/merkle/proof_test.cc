// Exhaustive for small trees: every proof is made and checked, and is refused with any hash
// changed.
#include "core/merkle/proof.h"

#include <gtest/gtest.h>

#include "core/base/refusal.h"
#include "tests/core/merkle/leaf_reader.h"

namespace stele {
namespace {

constexpr size_t kLargest = 300;

Hash OneBitOff(Hash hash, size_t salt) {
  hash.data()[salt % Hash::kBytes] ^= static_cast<uint8_t>(1 << (salt / Hash::kBytes % 8));
  return hash;
}

std::vector<Hash> RootsOfEverySize(const std::vector<Hash>& leaves) {
  const testing::LeafReader reader(leaves);
  std::vector<Hash> roots;
  for (size_t size = 0; size <= leaves.size(); ++size) {
    roots.push_back(*MakeRoot(reader, TreeSize(size)));
  }
  return roots;
}

class Exhaustive : public ::testing::Test {
 protected:
  const std::vector<Hash> leaves_ = testing::TestLeafHashes(kLargest);
  const testing::LeafReader reader_{leaves_};
  const std::vector<Hash> roots_ = RootsOfEverySize(leaves_);
};

TEST_F(Exhaustive, RootsFollowTheDefinition) {
  for (size_t size = 0; size <= kLargest; ++size) {
    ASSERT_EQ(roots_[size], testing::TreeHash(leaves_, 0, size)) << size;
  }
  EXPECT_EQ(roots_[0], EmptyRoot());
  EXPECT_EQ(roots_[1], leaves_[0]);
}

TEST_F(Exhaustive, Inclusion) {
  for (size_t size = 1; size <= kLargest; ++size) {
    for (size_t i = 0; i < size; ++i) {
      const absl::StatusOr<Proof> made = MakeInclusionProof(reader_, EntryIndex(i), TreeSize(size));
      ASSERT_TRUE(made.ok()) << made.status();
      const auto verify = [&](const Hash& leaf, const Proof& proof, const Hash& root) {
        return VerifyInclusion(EntryIndex(i), TreeSize(size), leaf, proof, root);
      };
      ASSERT_TRUE(verify(leaves_[i], *made, roots_[size]).ok()) << i << " of " << size;
      Proof proof = *made;
      for (size_t at = 0; at < proof.size(); ++at) {
        proof[at] = OneBitOff(proof[at], size * 7 + i + at);
        ASSERT_EQ(ReasonOf(verify(leaves_[i], proof, roots_[size])), reason::kProofRoot)
            << i << " of " << size << " hash " << at;
        proof[at] = (*made)[at];
      }
      ASSERT_EQ(ReasonOf(verify(OneBitOff(leaves_[i], size + i), proof, roots_[size])),
                reason::kProofRoot);
      ASSERT_EQ(ReasonOf(verify(leaves_[i], proof, roots_[size - 1])), reason::kProofRoot);
      proof.push_back(leaves_[0]);
      ASSERT_EQ(ReasonOf(verify(leaves_[i], proof, roots_[size])), reason::kProofShape);
      if (made->empty()) continue;
      proof.resize(made->size() - 1);
      ASSERT_EQ(ReasonOf(verify(leaves_[i], proof, roots_[size])), reason::kProofShape);
    }
  }
}

TEST_F(Exhaustive, Consistency) {
  for (size_t to = 1; to <= kLargest; ++to) {
    for (size_t from = 1; from <= to; ++from) {
      const absl::StatusOr<Proof> made =
          MakeConsistencyProof(reader_, TreeSize(from), TreeSize(to));
      ASSERT_TRUE(made.ok()) << made.status();
      const auto verify = [&](const Hash& old_root, const Hash& new_root, const Proof& proof) {
        return VerifyConsistency(TreeSize(from), TreeSize(to), old_root, new_root, proof);
      };
      ASSERT_TRUE(verify(roots_[from], roots_[to], *made).ok()) << from << " to " << to;
      Proof proof = *made;
      for (size_t at = 0; at < proof.size(); ++at) {
        proof[at] = OneBitOff(proof[at], to * 7 + from + at);
        ASSERT_EQ(ReasonOf(verify(roots_[from], roots_[to], proof)), reason::kProofRoot)
            << from << " to " << to << " hash " << at;
        proof[at] = (*made)[at];
      }
      ASSERT_EQ(ReasonOf(verify(OneBitOff(roots_[from], to), roots_[to], proof)),
                reason::kProofRoot);
      ASSERT_EQ(ReasonOf(verify(roots_[from], OneBitOff(roots_[to], from), proof)),
                reason::kProofRoot);
      proof.push_back(leaves_[0]);
      ASSERT_EQ(ReasonOf(verify(roots_[from], roots_[to], proof)), reason::kProofShape);
      if (made->empty()) continue;
      proof.resize(made->size() - 1);
      ASSERT_EQ(ReasonOf(verify(roots_[from], roots_[to], proof)), reason::kProofShape);
    }
  }
}

TEST(Proof, SizesZeroAndOne) {
  const testing::LeafReader one(testing::TestLeafHashes(1));
  const Hash root = *MakeRoot(one, TreeSize(1));
  EXPECT_EQ(*MakeRoot(one, TreeSize(0)), EmptyRoot());
  EXPECT_TRUE(MakeInclusionProof(one, EntryIndex(0), TreeSize(1))->empty());
  EXPECT_TRUE(MakeConsistencyProof(one, TreeSize(1), TreeSize(1))->empty());
  for (uint64_t size : {0, 1}) {
    EXPECT_EQ(ReasonOf(MakeInclusionProof(one, EntryIndex(size), TreeSize(size)).status()),
              reason::kProofIndex);
    EXPECT_EQ(ReasonOf(VerifyInclusion(EntryIndex(size), TreeSize(size), root, {}, root)),
              reason::kProofIndex);
    EXPECT_EQ(ReasonOf(MakeConsistencyProof(one, TreeSize(0), TreeSize(size)).status()),
              reason::kProofIndex);
    EXPECT_EQ(ReasonOf(VerifyConsistency(TreeSize(0), TreeSize(size), EmptyRoot(),
                                         size == 0 ? EmptyRoot() : root, {})),
              reason::kProofIndex);
  }
  EXPECT_EQ(ReasonOf(MakeConsistencyProof(one, TreeSize(1), TreeSize(0)).status()),
            reason::kProofIndex);
  EXPECT_EQ(ReasonOf(VerifyConsistency(TreeSize(1), TreeSize(0), root, EmptyRoot(), {})),
            reason::kProofIndex);
  EXPECT_TRUE(VerifyConsistency(TreeSize(1), TreeSize(1), root, root, {}).ok());
  EXPECT_EQ(ReasonOf(VerifyConsistency(TreeSize(1), TreeSize(1), root, EmptyRoot(), {})),
            reason::kProofRoot);
}

TEST(Proof, LargestSizesHaveAVerdict) {
  const Hash hash = LeafHash("x");
  const uint64_t max = ~uint64_t{0};
  for (size_t count : {0u, 1u, 63u, 64u, 65u, 128u}) {
    const Proof proof(count, hash);
    for (uint64_t at : {uint64_t{0}, uint64_t{1}, uint64_t{1} << 63, max - 1}) {
      EXPECT_FALSE(VerifyInclusion(EntryIndex(at), TreeSize(max), hash, proof, hash).ok());
      EXPECT_FALSE(VerifyConsistency(TreeSize(at), TreeSize(max), hash, hash, proof).ok());
    }
    EXPECT_EQ(ReasonOf(VerifyInclusion(EntryIndex(max), TreeSize(max), hash, proof, hash)),
              reason::kProofIndex);
  }
}

TEST(Proof, AReadersErrorIsPassedOn) {
  const testing::LeafReader reader(testing::TestLeafHashes(3));
  EXPECT_EQ(MakeInclusionProof(reader, EntryIndex(0), TreeSize(4)).status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(MakeConsistencyProof(reader, TreeSize(2), TreeSize(4)).status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(MakeRoot(reader, TreeSize(4)).status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace stele
