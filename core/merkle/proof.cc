#include "core/merkle/proof.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/merkle/path_shape.h"

namespace stele {
namespace {

// Leaves [begin, end), aligned as RFC 6962 splits a tree.
struct Range {
  uint64_t begin = 0;
  uint64_t end = 0;
};

// Where a tree over this range (two leaves or more) is split: after the largest power of two of
// leaves that is smaller than their number.
uint64_t SplitPoint(const Range& range) {
  return range.begin + std::bit_floor(range.end - range.begin - 1);
}

// Splits `range` once: it becomes the half with the position, the other half goes to `siblings`.
void Descend(bool left, Range& range, std::vector<Range>& siblings) {
  const uint64_t middle = SplitPoint(range);
  siblings.push_back(left ? Range{middle, range.end} : Range{range.begin, middle});
  range = left ? Range{range.begin, middle} : Range{middle, range.end};
}

// The perfect subtrees of a range, from left to right.
void AppendNodes(Range range, std::vector<NodeId>& ids) {
  while (range.begin < range.end) {
    const int level = static_cast<int>(std::bit_width(range.end - range.begin)) - 1;
    ids.push_back({level, range.begin >> level});
    range.begin += uint64_t{1} << level;
  }
}

// The root over each range, all hashes read at once.
absl::StatusOr<std::vector<Hash>> RootsOf(const HashReader& reader,
                                          const std::vector<Range>& ranges) {
  std::vector<NodeId> ids;
  std::vector<size_t> ends;  // in ids, of each range
  for (const Range& range : ranges) {
    AppendNodes(range, ids);
    ends.push_back(ids.size());
  }
  STELE_ASSIGN_OR_RETURN(std::vector<Hash> hashes, reader.ReadHashes(ids));
  if (hashes.size() != ids.size()) {
    return absl::InternalError("a hash reader gave another number of hashes than asked for");
  }
  std::vector<Hash> roots;
  size_t begin = 0;
  for (size_t end : ends) {
    Hash root = hashes[end - 1];
    for (size_t i = end - 1; i-- > begin;) root = NodeHash(hashes[i], root);
    roots.push_back(root);
    begin = end;
  }
  return roots;
}

absl::Status OutOfRange(std::string_view message) {
  return RefuseInput(reason::kProofIndex, "", message);
}

absl::Status WrongShape() {
  return RefuseInput(reason::kProofShape, "", "the proof has too few or too many hashes");
}

absl::Status WrongRoot() {
  return RefuseInput(reason::kProofRoot, "", "the proof leads to another root");
}

absl::Status CheckConsistencySizes(TreeSize from, TreeSize to) {
  if (from.value() == 0) return OutOfRange("there is no consistency proof from size 0");
  if (from > to) return OutOfRange("a tree is not consistent with a smaller one");
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Proof> ProofFromBytes(absl::Span<const std::string> hashes) {
  Proof proof;
  for (const std::string& bytes : hashes) {
    const std::optional<Hash> hash = Hash::FromBytes(bytes);
    if (!hash) return RefuseInput(reason::kProofShape, "", "a hash of the proof has not 32 bytes");
    proof.push_back(*hash);
  }
  return proof;
}

absl::StatusOr<Proof> MakeInclusionProof(const HashReader& reader, EntryIndex index,
                                         TreeSize size) {
  if (index.value() >= size.value()) return OutOfRange("the index is not below the tree size");
  std::vector<Range> siblings;
  Range range{0, size.value()};
  while (range.end - range.begin > 1) {
    Descend(index.value() < SplitPoint(range), range, siblings);
  }
  std::reverse(siblings.begin(), siblings.end());
  return RootsOf(reader, siblings);
}

absl::StatusOr<Proof> MakeConsistencyProof(const HashReader& reader, TreeSize from, TreeSize to) {
  STELE_RETURN_IF_ERROR(CheckConsistencySizes(from, to));
  std::vector<Range> siblings;
  Range range{0, to.value()};
  while (range.end != from.value()) {
    Descend(from.value() <= SplitPoint(range), range, siblings);
  }
  // The old tree itself, if it is one subtree of the new one, is known to who checks.
  if (range.begin != 0) siblings.push_back(range);
  std::reverse(siblings.begin(), siblings.end());
  return RootsOf(reader, siblings);
}

absl::StatusOr<Hash> MakeRoot(const HashReader& reader, TreeSize size) {
  if (size.value() == 0) return EmptyRoot();
  STELE_ASSIGN_OR_RETURN(std::vector<Hash> roots, RootsOf(reader, {Range{0, size.value()}}));
  return roots.front();
}

absl::Status VerifyInclusion(EntryIndex index, TreeSize size, const Hash& leaf_hash,
                             absl::Span<const Hash> proof, const Hash& root) {
  if (index.value() >= size.value()) return OutOfRange("the index is not below the tree size");
  const PathShape shape = ShapeOf(index.value(), size.value());
  const size_t inner = static_cast<size_t>(shape.inner);
  if (proof.size() != inner + static_cast<size_t>(shape.border)) return WrongShape();
  Hash hash = leaf_hash;
  for (size_t i = 0; i < proof.size(); ++i) {
    hash = Climb(hash, proof[i], i >= inner || ((index.value() >> i) & 1) != 0);
  }
  return hash == root ? absl::OkStatus() : WrongRoot();
}

absl::Status VerifyConsistency(TreeSize from, TreeSize to, const Hash& from_root,
                               const Hash& to_root, absl::Span<const Hash> proof) {
  STELE_RETURN_IF_ERROR(CheckConsistencySizes(from, to));
  if (from == to) {
    if (!proof.empty()) return WrongShape();
    return from_root == to_root ? absl::OkStatus() : WrongRoot();
  }
  // The path of the old tree's last leaf in the new tree, without the `shift` levels at which its
  // subtree is full in the old tree already: both roots are climbed to from that subtree.
  const int shift = std::countr_zero(from.value());
  const PathShape shape = ShapeOf(from.value() - 1, to.value());
  const size_t inner = static_cast<size_t>(shape.inner - shift);
  const bool seed_is_old_root = std::has_single_bit(from.value());
  const size_t expected = (seed_is_old_root ? 0 : 1) + inner + static_cast<size_t>(shape.border);
  if (proof.size() != expected) return WrongShape();

  const Hash seed = seed_is_old_root ? from_root : proof.front();
  if (!seed_is_old_root) proof.remove_prefix(1);
  const uint64_t path = (from.value() - 1) >> shift;
  Hash old_root = seed, new_root = seed;
  for (size_t i = 0; i < proof.size(); ++i) {
    const bool right = i >= inner || ((path >> i) & 1) != 0;
    // A sibling on the right is of the new tree alone.
    if (right) old_root = NodeHash(proof[i], old_root);
    new_root = Climb(new_root, proof[i], right);
  }
  return old_root == from_root && new_root == to_root ? absl::OkStatus() : WrongRoot();
}

}  // namespace stele
