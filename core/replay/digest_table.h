// Digests under small numbers: each is kept once, everything else refers to it by 4 bytes.
//
// Numbers count from 0 in the order of the first Intern and stay. At most 2^32 − 1 digests (over
// 160 GB of them). One thread at a time, or const.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "core/crypto/digest.h"

namespace stele {

class DigestTable {
 public:
  using Id = uint32_t;

  DigestTable()
      : digests_(std::make_unique<std::vector<Digest>>()), ids_(0, {*digests_}, {*digests_}) {}

  Id Intern(const Digest& digest) {
    if (const auto known = ids_.find(digest); known != ids_.end()) return *known;
    const Id id = static_cast<Id>(digests_->size());
    digests_->push_back(digest);
    ids_.insert(id);
    return id;
  }
  std::optional<Id> Find(const Digest& digest) const {
    const auto known = ids_.find(digest);
    if (known == ids_.end()) return std::nullopt;
    return *known;
  }
  const Digest& operator[](Id id) const { return (*digests_)[id]; }
  size_t size() const { return digests_->size(); }

 private:
  struct Hash {
    using is_transparent = void;
    const std::vector<Digest>& digests;
    size_t operator()(const Digest& digest) const { return absl::Hash<Digest>()(digest); }
    size_t operator()(Id id) const { return (*this)(digests[id]); }
  };
  struct Equal {
    using is_transparent = void;
    const std::vector<Digest>& digests;
    bool operator()(Id a, Id b) const { return a == b; }
    bool operator()(Id a, const Digest& b) const { return digests[a] == b; }
    bool operator()(const Digest& a, Id b) const { return a == digests[b]; }
  };

  // Behind a pointer: the set's functors refer to it, wherever the table moves.
  std::unique_ptr<std::vector<Digest>> digests_;
  absl::flat_hash_set<Id, Hash, Equal> ids_;
};

}  // namespace stele
