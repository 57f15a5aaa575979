// What one Publish stream makes the server hold. A statement counts from its arrival until its
// answer has been written to the transport, so a slow reader of answers bounds what the server
// holds for it: the window, and at most one request more. Its tag is free again earlier, as soon as
// the answer is handed to the transport: the client may have it before the server knows that it was
// written.
//
// A plain value; its owner locks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/container/flat_hash_map.h"

namespace stele::server {

class StreamWindow {
 public:
  // `tag` is not unanswered (Has).
  void Add(uint64_t tag, size_t bytes) {
    unanswered_.emplace(tag, bytes);
    ++statements_;
    bytes_ += bytes;
  }
  bool Has(uint64_t tag) const { return unanswered_.contains(tag); }
  // The answer of `tag` is on its way: the bytes that Release has to give back.
  size_t Answer(uint64_t tag) {
    auto found = unanswered_.find(tag);
    if (found == unanswered_.end()) return 0;
    const size_t bytes = found->second;
    unanswered_.erase(found);
    return bytes;
  }
  void Release(size_t statements, size_t bytes) {
    statements_ -= statements;
    bytes_ -= bytes;
  }
  // True while a further request may be read.
  bool Open(size_t max_statements, size_t max_bytes) const {
    return statements_ < max_statements && bytes_ < max_bytes;
  }
  size_t statements() const { return statements_; }
  size_t bytes() const { return bytes_; }

 private:
  absl::flat_hash_map<uint64_t, size_t> unanswered_;  // tag → bytes
  size_t statements_ = 0;
  size_t bytes_ = 0;
};

}  // namespace stele::server
