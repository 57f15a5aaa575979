// Each damage of a file that holds truth is named: one flipped byte anywhere, a file that is gone,
// empty or cut.

#include <algorithm>

#include "core/base/concat.h"
#include "tests/store/fsck/fixture.h"
#include "tests/support/shared.h"

namespace stele::store::testing {
namespace {

namespace fs = std::filesystem;
using ::stele::testing::ReadFile;

class Flips : public FsckTest {
 protected:
  void SetUp() override {
    FsckTest::SetUp();
    Fill(20, 6);
    ExpectClean(size_);
  }

  // `flips` places, the last bytes of the file among them.
  static std::vector<size_t> Places(size_t bytes, size_t flips) {
    std::vector<size_t> places;
    if (bytes <= flips) {
      for (size_t at = 0; at < bytes; ++at) places.push_back(at);
      return places;
    }
    const size_t tail = flips / 4;
    for (size_t n = 0; n < flips - tail; ++n) places.push_back(bytes * n / flips);
    for (size_t at = bytes - tail; at < bytes; ++at) places.push_back(at);
    return places;
  }

  void ExpectNamed(const std::string& where) {
    const FsckReport report = Check();
    EXPECT_FALSE(found_.empty()) << where << " was not noticed";
    // A shorter history is never shown as all there is.
    if (report.opened && report.log.size.value() < size_) {
      EXPECT_TRUE(Found("head")) << where << "\n" << AllFound();
    }
  }

  size_t FlipsOf(const fs::path& file) {
    if (file.extension() == ".log" || file.filename().string().starts_with("MANIFEST")) return 110;
    if (file.extension() == ".sst") return 16;
    return 64;
  }
};

TEST_F(Flips, OneByteAnywhereIsNamed) {
  size_t flips = 0;
  for (const fs::path& file : TruthFiles()) {
    const std::string bytes = ReadFile(file);
    for (size_t at : Places(bytes.size(), FlipsOf(file))) {
      std::string bad = bytes;
      bad[at] = static_cast<char>(bad[at] ^ (1 << (flips++ % 8)));
      WriteFile(file, bad);
      ExpectNamed(Concat("byte ", at, " of ", bytes.size(), " of ", file.filename().string()));
      if (HasFailure()) return;
    }
    WriteFile(file, bytes);
  }
  EXPECT_GE(flips, 500u);
  ExpectClean(size_);  // each flip was taken back: what was named was the flip
}

TEST_F(Flips, AFileThatIsGoneEmptyOrCutIsNamed) {
  for (const fs::path& file : TruthFiles()) {
    const std::string bytes = ReadFile(file);
    const std::string name = file.filename().string();
    fs::remove(file);
    ExpectNamed(Concat(name, " removed"));
    WriteFile(file, "");
    ExpectNamed(Concat(name, " empty"));
    WriteFile(file, bytes.substr(0, bytes.size() / 2));
    ExpectNamed(Concat(name, " cut in two"));
    WriteFile(file, bytes.substr(0, bytes.size() - 1));
    if (name.starts_with("MANIFEST")) {
      // As a kill leaves it, if nothing that it said last is missed.
      const FsckReport report = Check();
      EXPECT_FALSE(report.torn.empty() && found_.empty()) << name;
    } else {
      ExpectNamed(Concat(name, " without its last byte"));
    }
    WriteFile(file, bytes);
    if (HasFailure()) return;
  }
  ExpectClean(size_);
}

}  // namespace
}  // namespace stele::store::testing
