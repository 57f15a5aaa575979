// Where tests find data: the golden vectors carried in the tree, and the shared corpus and public
// vectors, which may be absent.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace stele::testing {

// <source>/tests/vectors/stele
std::filesystem::path VectorsDir();
// $STELE_SHARED, else <source>/../shared; nothing if that folder does not exist. A test that needs
// it:
//   auto shared = SharedDir();
//   if (!shared) GTEST_SKIP() << kNoShared;
std::optional<std::filesystem::path> SharedDir();
inline constexpr char kNoShared[] =
    "the shared data folder is absent ($STELE_SHARED or ../shared): skipped";
// The whole file; aborts the test program with a clear line if it cannot be read.
std::string ReadFile(const std::filesystem::path& path);

}  // namespace stele::testing
