#include "tests/support/shared.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

namespace stele::testing {

std::filesystem::path VectorsDir() {
  return std::filesystem::path(STELE_SOURCE_DIR) / "tests" / "vectors" / "stele";
}

std::optional<std::filesystem::path> SharedDir() {
  const char* env = std::getenv("STELE_SHARED");
  std::filesystem::path dir = env != nullptr
                                  ? std::filesystem::path(env)
                                  : std::filesystem::path(STELE_SOURCE_DIR) / ".." / "shared";
  if (!std::filesystem::is_directory(dir)) return std::nullopt;
  return dir;
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  if (!in) {
    std::cerr << "cannot read " << path << "\n";
    std::abort();
  }
  return std::move(out).str();
}

}  // namespace stele::testing
