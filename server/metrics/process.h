// What the kernel says about this process.
#pragma once

#include <cstdint>

namespace stele::server {

struct ProcessStats {
  uint64_t resident_bytes = 0, virtual_bytes = 0;
  double cpu_seconds = 0;
  uint64_t open_fds = 0, threads = 0;
};

// Read from /proc/self now; what cannot be read stays 0.
ProcessStats ReadProcessStats();

}  // namespace stele::server
