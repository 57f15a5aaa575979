// A real server for end-to-end tests: a store made by `stele init` in a folder of the test, served
// by steled on free ports of 127.0.0.1.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/program/child.h"

namespace stele::testing {

class Steled {
 public:
  // Makes the store in `folder`/data (operator key `folder`/data/operator.pem) if it is not there.
  // Does not start it. `flags` are added to steled's command line.
  explicit Steled(std::filesystem::path folder, std::string origin = "test.example/log",
                  std::vector<std::string> flags = {});
  ~Steled();

  // Starts and waits for the `listening` line; the first time on free ports, then on the same ones.
  // Aborts the test program with what the server said if it does not come up within a minute.
  void Start();
  // SIGKILL, or SIGTERM and its exit code. Nothing if it does not run.
  void Kill();
  int Stop();

  const std::string& address() const { return grpc_; }
  const std::string& http_address() const { return http_; }
  std::filesystem::path data() const { return folder_ / "data"; }
  std::filesystem::path operator_key() const { return data() / "operator.pem"; }
  pid_t pid() const { return child_->pid(); }

  // Runs `stele` against this server, with the test's own pins.
  RunResult Stele(const std::vector<std::string>& arguments, std::string_view input = {}) const;
  // Makes a key pair `folder`/`name`.pem and grants it the role; gives the path of the private key.
  std::string NewKey(const std::string& name, const std::string& role) const;

 private:
  const std::filesystem::path folder_;
  const std::vector<std::string> flags_;
  std::string grpc_, http_, admin_;  // empty until the first start
  std::unique_ptr<Child> child_;
};

}  // namespace stele::testing
