// A child process of a test: found by the name of a built program, ended by its id and by nothing
// else.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/store/temp_dir.h"

namespace stele::testing {

using Environment = std::vector<std::pair<std::string, std::string>>;  // added to our own

class Child {
 public:
  // `program` is a name in the folder of built programs. Standard error goes to `stderr_path`, or
  // is dropped if that is empty. Unless `environment` says another, XDG_STATE_HOME is a folder of
  // its own, empty at first: no test sees what another one keeps. Aborts the test program if it
  // cannot be started.
  Child(const std::string& program, const std::vector<std::string>& arguments,
        const std::string& stderr_path, const Environment& environment = {});
  // Kills it if it still runs.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  // Writes all of `bytes` to its standard input and closes that. Only for what fits while the child
  // reads; a child that ends early loses the rest.
  void Feed(std::string_view bytes);
  // Its next line on standard output without the newline; nothing at the end or after `patience`.
  std::optional<std::string> ReadLine(std::chrono::milliseconds patience);
  // Everything that is left on standard output, to its end.
  std::string ReadAll();
  void Signal(int signal) const;
  // Exit code, or minus the signal that ended it; nothing after `patience`.
  std::optional<int> Wait(std::chrono::milliseconds patience);

 private:
  pid_t pid_ = -1;
  int in_ = -1;
  int out_ = -1;
  std::string buffer_;
  std::optional<int> exit_;
  const TempDir state_home_;
};

struct RunResult {
  int exit_code = -1;
  std::string out;
  std::string err;
};
// Runs a program to its end; at most two minutes.
RunResult RunProgram(const std::string& program, const std::vector<std::string>& arguments,
                     std::string_view input = {}, const Environment& environment = {});

}  // namespace stele::testing
