#include "tests/server/operations/steled_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "tests/support/shared.h"

namespace stele::server {

SteledProcess::SteledProcess(const std::vector<std::string>& args) {
  const std::string program = STELE_BIN_DIR "/steled";
  stderr_file_ = (std::filesystem::temp_directory_path() / "steled-stderr-XXXXXX").string();
  const int err = mkstemp(stderr_file_.data());
  int out[2];
  if (err < 0 || pipe(out) != 0) std::abort();
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& arg : args) argv.push_back(const_cast<char*>(arg.c_str()));
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ == 0) {
    dup2(out[1], STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    close(out[0]);
    close(out[1]);
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(out[1]);
  close(err);
  stdout_fd_ = out[0];
}

SteledProcess::~SteledProcess() {
  if (!exit_) {
    Signal(SIGKILL);
    Wait(30);
  }
  close(stdout_fd_);
  unlink(stderr_file_.c_str());
}

std::string SteledProcess::FirstLine() {
  for (size_t end; (end = stdout_.find('\n')) == std::string::npos;) {
    pollfd waiting{stdout_fd_, POLLIN, 0};
    char bytes[1024];
    if (poll(&waiting, 1, 60'000) <= 0) return "";
    const ssize_t got = read(stdout_fd_, bytes, sizeof(bytes));
    if (got <= 0) return "";
    stdout_.append(bytes, static_cast<size_t>(got));
  }
  const size_t end = stdout_.find('\n');
  std::string line = stdout_.substr(0, end);
  stdout_.erase(0, end + 1);
  return line;
}

std::string SteledProcess::stderr_text() const { return testing::ReadFile(stderr_file_); }

void SteledProcess::Signal(int signal) const { kill(pid_, signal); }

std::optional<int> SteledProcess::Wait(double seconds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!exit_) {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
      exit_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
      char bytes[1024];
      ssize_t got;
      while ((got = read(stdout_fd_, bytes, sizeof(bytes))) > 0) {
        stdout_.append(bytes, static_cast<size_t>(got));
      }
    } else if (std::chrono::steady_clock::now() > deadline) {
      break;
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  return exit_;
}

uint16_t PortOf(const std::string& line, const std::string& name) {
  const size_t at = line.find(name + "=127.0.0.1:");
  if (at == std::string::npos) return 0;
  return static_cast<uint16_t>(std::stoi(line.substr(at + name.size() + 11)));
}

}  // namespace stele::server
