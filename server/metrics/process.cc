#include "server/metrics/process.h"

#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace stele::server {
namespace {

uint64_t CountEntries(const char* folder) {
  std::error_code error;
  uint64_t count = 0;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    ++count;
  }
  return count;
}

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

ProcessStats ReadProcessStats() {
  ProcessStats stats;
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  uint64_t virtual_pages = 0, resident_pages = 0;
  if (std::ifstream("/proc/self/statm") >> virtual_pages >> resident_pages) {
    stats.virtual_bytes = virtual_pages * page;
    stats.resident_bytes = resident_pages * page;
  }
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) == 0) {
    stats.cpu_seconds = Seconds(usage.ru_utime) + Seconds(usage.ru_stime);
  }
  stats.open_fds = CountEntries("/proc/self/fd");
  stats.threads = CountEntries("/proc/self/task");
  return stats;
}

}  // namespace stele::server
