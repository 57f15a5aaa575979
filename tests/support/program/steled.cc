#include "tests/support/program/steled.h"

#include <signal.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <utility>

namespace stele::testing {
namespace {

constexpr std::chrono::minutes kPatience{1};

[[noreturn]] void Die(const std::string& what) {
  std::cerr << what << "\n";
  std::abort();
}

// The value of "name=" in the `listening` line.
std::string ValueOf(const std::string& line, const std::string& name) {
  std::istringstream words(line);
  std::string word;
  while (words >> word) {
    if (word.starts_with(name + "=")) return word.substr(name.size() + 1);
  }
  return {};
}

void MustRun(const std::vector<std::string>& arguments) {
  const RunResult result = RunProgram("stele", arguments);
  if (result.exit_code != 0) Die("stele " + arguments.front() + ": " + result.err);
}

}  // namespace

Steled::Steled(std::filesystem::path folder, std::string origin, std::vector<std::string> flags)
    : folder_(std::move(folder)), flags_(std::move(flags)) {
  if (std::filesystem::exists(data())) return;
  MustRun({"init", data().string(), "--origin", origin});
}

Steled::~Steled() = default;

void Steled::Start() {
  const std::string free_port = "127.0.0.1:0";
  std::vector<std::string> arguments{"--data",   data().string(),
                                     "--listen", grpc_.empty() ? free_port : grpc_,
                                     "--http",   http_.empty() ? free_port : http_,
                                     "--admin",  admin_.empty() ? free_port : admin_};
  arguments.insert(arguments.end(), flags_.begin(), flags_.end());
  const std::string log = (folder_ / "steled.log").string();
  child_ = std::make_unique<Child>("steled", arguments, log);
  const std::string line = child_->ReadLine(kPatience).value_or("");
  // The same from the second start on: a test may start it on one thread and use it on another.
  if (grpc_.empty()) {
    grpc_ = ValueOf(line, "grpc");
    http_ = ValueOf(line, "http");
    admin_ = ValueOf(line, "admin");
  }
  if (!line.starts_with("listening ") || grpc_.empty()) {
    std::ostringstream said;
    said << std::ifstream(log).rdbuf();
    Die("steled did not come up: \"" + line + "\"\n" + said.str());
  }
}

void Steled::Kill() {
  if (child_ == nullptr) return;
  child_->Signal(SIGKILL);
  child_->Wait(kPatience);
  child_.reset();
}

int Steled::Stop() {
  if (child_ == nullptr) return 0;
  child_->Signal(SIGTERM);
  const int exit_code = child_->Wait(kPatience).value_or(-1000);
  child_.reset();
  return exit_code;
}

RunResult Steled::Stele(const std::vector<std::string>& arguments, std::string_view input) const {
  std::vector<std::string> all = arguments;
  all.insert(all.end(), {"--server", grpc_, "--state", (folder_ / "state").string()});
  return RunProgram("stele", all, input);
}

std::string Steled::NewKey(const std::string& name, const std::string& role) const {
  const std::string path = (folder_ / (name + ".pem")).string();
  MustRun({"keygen", path});
  const RunResult granted = Stele({"key", "grant", path + ".pub", "--name", name, "--role", role,
                                   "--signer", operator_key().string()});
  if (granted.exit_code != 0) Die("stele key grant: " + granted.err);
  return path;
}

}  // namespace stele::testing
