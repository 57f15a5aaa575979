// Where tests find files: the source tree, the programs, the shared data.
#ifndef STELE_TESTS_SUPPORT_PATHS_H_
#define STELE_TESTS_SUPPORT_PATHS_H_

#include <cstdlib>
#include <filesystem>

namespace stele::testing {

// The root of the source tree.
inline std::filesystem::path SourceDir() { return STELE_SOURCE_DIR; }

// The folder of the built programs (stele, steled, stele-hammer).
inline std::filesystem::path BinDir() { return STELE_BIN_DIR; }

// Data and public vectors that are not part of the project: $STELE_SHARED, else
// the folder `shared` beside the source tree. It may not exist; then a test
// that needs it calls GTEST_SKIP() and says so.
inline std::filesystem::path SharedDir() {
  if (const char* set = std::getenv("STELE_SHARED"); set != nullptr && *set != '\0') return set;
  return SourceDir().parent_path() / "shared";
}

}  // namespace stele::testing

#endif  // STELE_TESTS_SUPPORT_PATHS_H_
