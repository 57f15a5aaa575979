#include "tests/store/backend/support/folder.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <system_error>
#include <thread>

namespace stele::store::testing {
namespace fs = std::filesystem;
namespace {

// Names and sizes of everything in a folder.
std::map<std::string, uintmax_t> Listing(const fs::path& dir) {
  std::map<std::string, uintmax_t> listing;
  std::error_code gone;  // between its listing and its size
  for (const auto& file : fs::recursive_directory_iterator(dir)) {
    if (file.is_regular_file(gone)) listing[file.path().string()] = file.file_size(gone);
  }
  return listing;
}

}  // namespace

TempFolder::TempFolder() {
  std::string name = fs::temp_directory_path() / "stele-test-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) {
    std::perror("mkdtemp");
    std::abort();
  }
  path_ = name;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::vector<fs::path> FilesIn(const fs::path& dir, const std::string& extension) {
  std::vector<fs::path> files;
  for (const auto& file : fs::directory_iterator(dir)) {
    if (file.is_regular_file() && file.path().extension() == extension) {
      files.push_back(file.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

void WriteFile(const fs::path& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) {
    std::perror(path.c_str());
    std::abort();
  }
}

void CopyFolder(const fs::path& from, const fs::path& to) {
  for (;;) {
    fs::remove_all(to);
    const auto before = Listing(from);
    std::error_code error;
    fs::copy(from, to, fs::copy_options::recursive, error);
    if (!error && Listing(from) == before) return;
    // The open store tidied up meanwhile: that was no single moment.
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace stele::store::testing
