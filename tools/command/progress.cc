#include "tools/command/progress.h"

#include <unistd.h>

#include <cstdio>

#include "core/base/concat.h"

namespace stele::tools {
namespace {

constexpr std::chrono::milliseconds kInterval{200};
constexpr char kEraseLine[] = "\r\x1b[K";

}  // namespace

Progress::Progress(bool quiet) : shown_(!quiet && ::isatty(STDERR_FILENO) == 1) {}

bool Progress::due() const { return shown_ && std::chrono::steady_clock::now() >= next_; }

void Progress::Draw(const std::string& text) {
  if (!shown_) return;
  const std::string line = Concat(kEraseLine, text);
  std::fwrite(line.data(), 1, line.size(), stderr);
  drawn_ = true;
  next_ = std::chrono::steady_clock::now() + kInterval;
}

void Progress::Clear() {
  if (drawn_) std::fputs(kEraseLine, stderr);
  drawn_ = false;
}

}  // namespace stele::tools
