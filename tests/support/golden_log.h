// A golden log (tests/vectors/stele/<name>): leaves, content and what the reference says follows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stele::testing {

struct GoldenEntry {
  std::string leaf;
  std::string verdict;  // "valid", "void" or "withheld"
  std::string reason;   // empty if valid
  std::string type;     // "key-grant", …, a foreign URI; empty where the reference could not tell
  std::string signer;   // key id text; empty where the reference could not tell
  int64_t authority = -1;
};

struct GoldenLog {
  std::filesystem::path dir;  // expected.json there has more
  std::string origin;
  std::vector<GoldenEntry> entries;         // by index
  std::map<uint64_t, uint64_t> disputed;    // entry → the revocation, valid entries only
  std::map<std::string, std::string> ring;  // key id text → role, at the head
  // Entry → key id text → role from above this entry on, nothing for none; only what changes.
  std::map<uint64_t, std::map<std::string, std::optional<std::string>>> ring_by_position;

  // The bytes kept under this digest (64 hex digits); nothing if there are none.
  std::optional<std::string> Content(std::string_view hex) const;
};

// The names of all golden logs.
inline constexpr std::string_view kGoldenLogs[] = {"log",           "log-recovery", "log-roles",
                                                   "log-with-void", "log-random-1", "log-random-2"};

// Throws if a file is missing or is not as it should be: the test fails.
GoldenLog LoadGoldenLog(std::string_view name);

}  // namespace stele::testing
