// A real steled as a child process; ended with its owner, by its id.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stele::server {

class SteledProcess {
 public:
  explicit SteledProcess(const std::vector<std::string>& args);
  ~SteledProcess();  // SIGKILL if it still runs
  SteledProcess(const SteledProcess&) = delete;
  SteledProcess& operator=(const SteledProcess&) = delete;

  // The first line on stdout, without its end; empty if stdout ends first. At most a minute.
  std::string FirstLine();
  // Everything further on stdout, and all of stderr, once it has ended.
  std::string rest_of_stdout() const { return stdout_; }
  std::string stderr_text() const;
  void Signal(int signal) const;
  // The exit code, or minus the signal that ended it; nothing if it still runs after `seconds`.
  std::optional<int> Wait(double seconds);

 private:
  pid_t pid_ = -1;
  int stdout_fd_ = -1;
  std::string stdout_, stderr_file_;
  std::optional<int> exit_;
};

// The port in "grpc=127.0.0.1:7420 http=…" of the line after "listening".
uint16_t PortOf(const std::string& line, const std::string& name);

}  // namespace stele::server
