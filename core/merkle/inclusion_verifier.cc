#include "core/merkle/inclusion_verifier.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/merkle/path_shape.h"

namespace stele {

// As many levels as the bits in which the indexes differ, where both paths are still inside the
// tree; above that they have the same nodes.
size_t InclusionVerifier::MeetingLevel(uint64_t index, size_t inner, size_t levels) const {
  if (!index_) return levels;
  const auto other = static_cast<size_t>(ShapeOf(*index_, size_.value()).inner);
  const auto apart = static_cast<size_t>(std::bit_width(index ^ *index_));
  return apart <= std::min(inner, other) ? apart : levels;
}

absl::Status InclusionVerifier::Verify(EntryIndex index, const Hash& leaf_hash,
                                       absl::Span<const Hash> proof) {
  const auto whole = [&] { return VerifyInclusion(index, size_, leaf_hash, proof, root_); };
  if (index.value() >= size_.value()) return whole();
  const PathShape shape = ShapeOf(index.value(), size_.value());
  const auto inner = static_cast<size_t>(shape.inner);
  if (proof.size() != inner + static_cast<size_t>(shape.border)) return whole();

  const size_t meet = MeetingLevel(index.value(), inner, proof.size());
  climbed_.clear();
  Hash hash = leaf_hash;
  for (size_t i = 0; i < meet; ++i) {
    climbed_.push_back(hash);
    hash = Climb(hash, proof[i], i >= inner || ((index.value() >> i) & 1) != 0);
  }
  const bool holds =
      meet == proof.size()
          ? hash == root_
          : hash == path_[meet] && proof.subspan(meet) == absl::MakeConstSpan(proof_).subspan(meet);
  if (!holds) return whole();
  index_ = index.value();
  proof_.assign(proof.begin(), proof.end());
  path_.resize(proof.size());
  std::copy(climbed_.begin(), climbed_.end(), path_.begin());
  return absl::OkStatus();
}

}  // namespace stele
