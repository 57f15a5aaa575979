// A running server, a publisher's key, and files of a test.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "core/crypto/key.h"
#include "tests/support/program/steled.h"
#include "tests/support/shared.h"
#include "tests/support/store/temp_dir.h"

namespace stele::tools {

class ServedTest : public ::testing::Test {
 protected:
  explicit ServedTest(std::vector<std::string> flags = {})
      : steled_(dir_.path(), "test.example/log", std::move(flags)) {
    steled_.Start();
    publisher_ = steled_.NewKey("publisher", "publisher");
  }
  ~ServedTest() override { EXPECT_EQ(steled_.Stop(), 0); }

  std::string Write(const std::string& name, const std::string& bytes) const {
    const std::string path = (dir_.path() / name).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  std::string Path(const std::string& name) const { return (dir_.path() / name).string(); }
  static std::string Example(int number) {
    return (testing::VectorsDir() / ".." / ".." / ".." / "examples" /
            ("kernelindex-run-" + std::to_string(number) + ".json"))
        .string();
  }
  // A small manifest, and one with metadata.
  static std::string Manifest(int n, const std::string& name = "") {
    return R"({"apiVersion":"v1","kind":"K",)" +
           (name.empty() ? "" : R"("metadata":{"name":")" + name + "\"},") +
           R"("spec":{"number":)" + std::to_string(n) + "}}";
  }
  testing::RunResult Push(std::vector<std::string> arguments, std::string_view input = {}) const {
    arguments.insert(arguments.begin(), "push");
    if (std::find(arguments.begin(), arguments.end(), "--signer") == arguments.end()) {
      arguments.insert(arguments.end(), {"--signer", publisher_});
    }
    return steled_.Stele(arguments, input);
  }
  // The key id of a private key's .pub.
  static std::string PublicKeyId(const std::string& private_key) {
    return PublicKey::FromPem(testing::ReadFile(private_key + ".pub"))->id().ToText();
  }
  uint64_t Entries() const {
    const std::string out = steled_.Stele({"log", "entries"}).out;
    return static_cast<uint64_t>(std::count(out.begin(), out.end(), '\n'));
  }

  testing::TempDir dir_;
  testing::Steled steled_;
  std::string publisher_;
};

}  // namespace stele::tools
