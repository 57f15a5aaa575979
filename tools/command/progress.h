// A line on the terminal that says how far a long command is.
#pragma once

#include <chrono>
#include <string>

namespace stele::tools {

// Draws on standard error only if that is a terminal, and not more often than a few times a second.
// One thread at a time.
class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool due() const;
  void Draw(const std::string& text);
  // Takes the line away, so that something else can be printed.
  void Clear();

 private:
  const bool shown_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace stele::tools
