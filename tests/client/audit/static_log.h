// A log in a folder of static files, out of the entries of a golden one: any prefix of it, or a
// fork, with a checkpoint signed by public test keys.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/tlog/note.h"
#include "tests/support/golden_log.h"
#include "tests/support/store/temp_dir.h"

namespace stele::client {

// The Ed25519 key whose seed is the SHA-256 of "stele public test key: <name>".
PrivateKey TestKey(const std::string& name);

class StaticLog {
 public:
  explicit StaticLog(std::string_view golden);

  const std::filesystem::path& dir() const { return dir_; }
  const std::string& origin() const { return golden_.origin; }
  const testing::GoldenLog& golden() const { return golden_; }
  std::vector<NoteVerifier> PolicyKeys() const;
  std::filesystem::path StateFile() const { return temp_.path() / "state"; }

  // The leaves of the golden log; a fork changes them.
  std::vector<std::string> leaves;

  // Bundles, tiles and a checkpoint of the first `size` leaves. Files of other sizes stay.
  void Show(uint64_t size, const std::vector<std::string>& signers = {"log key 1"}) const;
  void Write(const std::string& path, std::string_view bytes) const;
  std::string Read(const std::string& path) const;

 private:
  testing::TempDir temp_;
  const std::filesystem::path dir_ = temp_.path() / "log";
  const testing::GoldenLog golden_;
};

}  // namespace stele::client
