// What is known of bytes once they went by: how many they were, and their digest.
#pragma once

#include <cstdint>

#include "core/base/byte_sink.h"
#include "core/crypto/sha256.h"

namespace stele::client {

class HashSink final : public ByteSink {
 public:
  absl::Status Begin() override {
    hash_ = Sha256Stream();
    size_ = 0;
    return absl::OkStatus();
  }
  absl::Status Take(std::string_view piece) override {
    hash_.Update(piece);
    size_ += piece.size();
    return absl::OkStatus();
  }
  uint64_t size() const { return size_; }
  Digest Finish() { return hash_.Finish(); }  // once

 private:
  Sha256Stream hash_;
  uint64_t size_ = 0;
};

}  // namespace stele::client
