// Where KernelIndex would have computed another digest than Stele: told for the first items of a
// run, counted for the rest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/input/document.h"

namespace stele::tools {

class Warnings {
 public:
  // What to say about this document, a line each.
  std::vector<std::string> Of(const Document& document);
  // How many were found beyond those.
  uint64_t untold() const { return found_ > kTold ? found_ - kTold : 0; }

 private:
  static constexpr uint64_t kTold = 20;
  uint64_t found_ = 0;
};

}  // namespace stele::tools
