#include "tests/support/program/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace stele::testing {
namespace {

[[noreturn]] void Die(const char* what) {
  std::perror(what);
  std::abort();
}

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> MergedEnvironment(const Environment& added) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text(*entry);
    bool replaced = false;
    for (const auto& [name, value] : added) replaced = replaced || text.starts_with(name + "=");
    if (!replaced) merged.push_back(text);
  }
  for (const auto& [name, value] : added) merged.push_back(name + "=" + value);
  return merged;
}

}  // namespace

Child::Child(const std::string& program, const std::vector<std::string>& arguments,
             const std::string& stderr_path, const Environment& environment) {
  const std::string path = std::string(STELE_BIN_DIR) + "/" + program;
  std::vector<std::string> words{path};
  words.insert(words.end(), arguments.begin(), arguments.end());
  Environment added = environment;
  const bool named = std::any_of(added.begin(), added.end(),
                                 [](const auto& one) { return one.first == "XDG_STATE_HOME"; });
  if (!named) added.emplace_back("XDG_STATE_HOME", state_home_.path().string());
  std::vector<std::string> variables = MergedEnvironment(added);
  std::vector<char*> argv = Pointers(words);
  std::vector<char*> envp = Pointers(variables);
  const std::string err_path = stderr_path.empty() ? "/dev/null" : stderr_path;
  int in[2], out[2];
  const int err = ::open(err_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (err < 0 || ::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) Die("pipe");
  ::signal(SIGPIPE, SIG_IGN);
  pid_ = ::fork();
  if (pid_ < 0) Die("fork");
  if (pid_ == 0) {
    ::signal(SIGPIPE, SIG_DFL);
    ::dup2(in[0], STDIN_FILENO);
    ::dup2(out[1], STDOUT_FILENO);
    ::dup2(err, STDERR_FILENO);
    ::execve(path.c_str(), argv.data(), envp.data());
    ::_exit(127);
  }
  ::close(in[0]);
  ::close(out[1]);
  ::close(err);
  in_ = in[1];
  out_ = out[0];
}

Child::~Child() {
  if (in_ >= 0) ::close(in_);
  ::close(out_);
  if (!exit_) {
    Signal(SIGKILL);
    Wait(std::chrono::seconds(30));
  }
}

void Child::Feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(in_, bytes.data(), bytes.size());
    if (n <= 0) break;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  ::close(in_);
  in_ = -1;
}

std::optional<std::string> Child::ReadLine(std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  size_t end;
  while ((end = buffer_.find('\n')) == std::string::npos) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    pollfd waiting{out_, POLLIN, 0};
    if (left.count() <= 0 || ::poll(&waiting, 1, static_cast<int>(left.count())) <= 0) return {};
    char bytes[4096];
    const ssize_t n = ::read(out_, bytes, sizeof bytes);
    if (n <= 0) return {};
    buffer_.append(bytes, static_cast<size_t>(n));
  }
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  return line;
}

std::string Child::ReadAll() {
  char bytes[65536];
  ssize_t n;
  while ((n = ::read(out_, bytes, sizeof bytes)) > 0) buffer_.append(bytes, static_cast<size_t>(n));
  return std::exchange(buffer_, {});
}

void Child::Signal(int signal) const {
  if (!exit_) ::kill(pid_, signal);
}

std::optional<int> Child::Wait(std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!exit_) {
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) == pid_) {
      exit_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    } else if (std::chrono::steady_clock::now() > deadline) {
      break;
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  return exit_;
}

RunResult RunProgram(const std::string& program, const std::vector<std::string>& arguments,
                     std::string_view input, const Environment& environment) {
  std::string err_path = (std::filesystem::temp_directory_path() / "stele-stderr-XXXXXX").string();
  const int err = ::mkstemp(err_path.data());
  if (err < 0) Die("mkstemp");
  ::close(err);
  RunResult result;
  {
    Child child(program, arguments, err_path, environment);
    std::thread feeder([&] { child.Feed(input); });
    result.out = child.ReadAll();
    feeder.join();
    result.exit_code = child.Wait(std::chrono::minutes(2)).value_or(-1000);
  }
  std::ifstream file(err_path);
  std::ostringstream text;
  text << file.rdbuf();
  result.err = std::move(text).str();
  ::unlink(err_path.c_str());
  return result;
}

}  // namespace stele::testing
