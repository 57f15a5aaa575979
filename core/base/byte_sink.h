// Takes the bytes of one thing, which may be too large to hold, piece by piece.
#pragma once

#include <string_view>

#include "absl/status/status.h"

namespace stele {

// An error of either ends the giving and is the giver's answer.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  // The first byte comes next: in the beginning, and whenever the giver has to start over.
  virtual absl::Status Begin() = 0;
  virtual absl::Status Take(std::string_view piece) = 0;
};

}  // namespace stele
