// The unanswered statements of one Publish stream. A statement counts from its arrival until its
// answer has been written to the transport, so a slow reader of answers bounds what the server
// holds for it: the window, and at most one request more.
//
// A plain value; its owner locks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/container/flat_hash_map.h"

namespace stele::server {

class StreamWindow {
 public:
  // False, and nothing changes, if `tag` is unanswered already.
  bool Add(uint64_t tag, size_t bytes) {
    if (!unanswered_.try_emplace(tag, bytes).second) return false;
    bytes_ += bytes;
    return true;
  }
  // The bytes it counted for; 0 if it is not there.
  size_t Remove(uint64_t tag) {
    auto found = unanswered_.find(tag);
    if (found == unanswered_.end()) return 0;
    const size_t bytes = found->second;
    bytes_ -= bytes;
    unanswered_.erase(found);
    return bytes;
  }
  bool Has(uint64_t tag) const { return unanswered_.contains(tag); }
  // True while a further request may be read.
  bool Open(size_t max_statements, size_t max_bytes) const {
    return unanswered_.size() < max_statements && bytes_ < max_bytes;
  }
  size_t statements() const { return unanswered_.size(); }
  size_t bytes() const { return bytes_; }

 private:
  absl::flat_hash_map<uint64_t, size_t> unanswered_;  // tag → bytes
  size_t bytes_ = 0;
};

}  // namespace stele::server
