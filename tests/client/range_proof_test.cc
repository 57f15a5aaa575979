#include "client/range_proof.h"

#include <gtest/gtest.h>

#include "core/tlog/tree_edge.h"

namespace stele::client {
namespace {

constexpr uint64_t kSize = 20;

// A tree of small leaves.
struct Tree {
  explicit Tree(uint64_t size) {
    for (uint64_t i = 0; i < size; ++i) {
      leaves.push_back(LeafHash("leaf " + std::to_string(i)));
      edge.Append(leaves.back());
    }
    checkpoint.size = TreeSize(size);
    checkpoint.root = edge.Root();
  }
  Proof ProofOf(uint64_t index) const {
    return *MakeInclusionProof(edge, EntryIndex(index), checkpoint.size);
  }
  std::vector<Hash> Range(uint64_t begin, uint64_t end) const {
    return {leaves.begin() + static_cast<ptrdiff_t>(begin),
            leaves.begin() + static_cast<ptrdiff_t>(end)};
  }
  std::vector<Hash> leaves;
  TreeEdge edge;
  Checkpoint checkpoint;
};

TEST(RangeProofTest, TheEdgeBeforeAnEntryIsTheFrontierOfThatSize) {
  for (uint64_t size = 1; size <= kSize; ++size) {
    const Tree tree(size);
    Frontier expected;
    for (uint64_t index = 0; index < size; ++index) {
      absl::StatusOr<Frontier> edge =
          EdgeBefore(EntryIndex(index), TreeSize(size), tree.ProofOf(index));
      ASSERT_TRUE(edge.ok()) << index << " of " << size;
      EXPECT_EQ(edge->roots(), expected.roots()) << index << " of " << size;
      expected.Append(tree.leaves[index]);
    }
  }
}

TEST(RangeProofTest, EveryRangeOfSmallTrees) {
  for (uint64_t size = 1; size <= kSize; ++size) {
    const Tree tree(size);
    for (uint64_t begin = 0; begin < size; ++begin) {
      for (uint64_t end = begin + 1; end <= size; ++end) {
        Frontier edge = *EdgeBefore(EntryIndex(begin), TreeSize(size), tree.ProofOf(begin));
        const absl::Status status =
            CheckRange(edge, tree.Range(begin, end), tree.ProofOf(end - 1), tree.checkpoint);
        EXPECT_TRUE(status.ok()) << begin << "-" << end << " of " << size << ": " << status;
        EXPECT_EQ(edge.size(), TreeSize(end));
      }
    }
  }
}

TEST(RangeProofTest, TheTwoProofsMayBeOfDifferentTrees) {
  const Tree before(11);
  const Tree after(kSize);
  Frontier edge = *EdgeBefore(EntryIndex(5), TreeSize(11), before.ProofOf(5));
  EXPECT_TRUE(CheckRange(edge, after.Range(5, 17), after.ProofOf(16), after.checkpoint).ok());
}

TEST(RangeProofTest, EveryChangedLeafOrderOrHashIsFound) {
  const Tree tree(kSize);
  const Hash wrong = LeafHash("something else");
  for (uint64_t begin = 0; begin < kSize; ++begin) {
    for (uint64_t end = begin + 1; end <= kSize; ++end) {
      const Frontier edge = *EdgeBefore(EntryIndex(begin), TreeSize(kSize), tree.ProofOf(begin));
      const auto refused = [&](std::vector<Hash> hashes, const Proof& proof) {
        Frontier copy = edge;
        const absl::Status status = CheckRange(copy, hashes, proof, tree.checkpoint);
        EXPECT_EQ(copy.size(), edge.size());
        return status.code() == absl::StatusCode::kDataLoss;
      };
      const std::vector<Hash> range = tree.Range(begin, end);
      const Proof proof = tree.ProofOf(end - 1);
      for (size_t i = 0; i < range.size(); ++i) {
        std::vector<Hash> changed = range;
        changed[i] = wrong;
        EXPECT_TRUE(refused(changed, proof)) << begin << "-" << end << " at " << i;
        std::vector<Hash> shorter = range;
        shorter.erase(shorter.begin() + static_cast<ptrdiff_t>(i));
        EXPECT_TRUE(shorter.empty() || refused(shorter, proof));
        if (i + 1 < range.size()) {
          std::vector<Hash> swapped = range;
          std::swap(swapped[i], swapped[i + 1]);
          EXPECT_TRUE(refused(swapped, proof));
        }
      }
      for (size_t i = 0; i < proof.size(); ++i) {
        Proof changed = proof;
        changed[i] = wrong;
        EXPECT_TRUE(refused(range, changed));
      }
    }
  }
}

TEST(RangeProofTest, AWrongEdgeIsFound) {
  const Tree tree(kSize);
  Proof forged = tree.ProofOf(7);
  for (Hash& hash : forged) hash = LeafHash("forged");
  absl::StatusOr<Frontier> edge = EdgeBefore(EntryIndex(7), TreeSize(kSize), forged);
  ASSERT_TRUE(edge.ok());
  EXPECT_FALSE(CheckRange(*edge, tree.Range(7, 12), tree.ProofOf(11), tree.checkpoint).ok());
  EXPECT_FALSE(EdgeBefore(EntryIndex(7), TreeSize(kSize), Proof{}).ok());
}

}  // namespace
}  // namespace stele::client
