// A folder for one test, removed with its owner, and what tests do to the files in it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace stele::store::testing {

class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

// Regular files directly in `dir` with this extension (".log"), by name.
std::vector<std::filesystem::path> FilesIn(const std::filesystem::path& dir,
                                           const std::string& extension);
void WriteFile(const std::filesystem::path& path, const std::string& bytes);
// `to` becomes a copy of `from`, which may be open: what a crash leaves.
void CopyFolder(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace stele::store::testing
