// A file that is written under another name until it is whole, and what is left of it.
#include "tools/io/part_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/base/artifact_limits.h"
#include "tests/support/shared.h"
#include "tests/support/store/temp_dir.h"
#include "tools/io/random_file.h"
#include "tools/io/spool.h"

namespace stele::tools {
namespace {

namespace fs = std::filesystem;
using testing::ReadFile;

class PartFileTest : public ::testing::Test {
 protected:
  fs::path path() const { return dir_.path() / "file"; }
  fs::path part() const { return dir_.path() / "file.part"; }
  static void Write(const fs::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }

  testing::TempDir dir_;
};

TEST_F(PartFileTest, GrowsBesideAndThenTakesItsPlace) {
  auto file = PartFile::Open(path());
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->Append("one "), absl::OkStatus());
  EXPECT_EQ((*file)->Append("two"), absl::OkStatus());
  EXPECT_FALSE(fs::exists(path()));
  EXPECT_EQ(ReadFile(part()), "one two");
  EXPECT_EQ((*file)->Finish(), Sha256("one two"));
  EXPECT_EQ((*file)->Commit(), absl::OkStatus());
  file->reset();
  EXPECT_EQ(ReadFile(path()), "one two");
  EXPECT_FALSE(fs::exists(part()));
  EXPECT_TRUE(absl::IsAlreadyExists(PartFile::Open(path()).status()));
  EXPECT_FALSE(fs::exists(part()));
  EXPECT_EQ(*DigestOfFile(path()), Sha256("one two"));
}

TEST_F(PartFileTest, GoesOnWithWhatIsThere) {
  const std::string left(limits::kArtifactChunkBytes + 5, 'x');
  Write(part(), left);
  {
    auto file = PartFile::Open(path());
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_EQ((*file)->size(), left.size());
    EXPECT_EQ((*file)->Append("more"), absl::OkStatus());
  }
  EXPECT_EQ(ReadFile(part()), left + "more");
  auto file = PartFile::Open(path());
  ASSERT_TRUE(file.ok());
  EXPECT_EQ((*file)->Finish(), Sha256(left + "more"));
  EXPECT_EQ((*file)->Restart(), absl::OkStatus());
  EXPECT_EQ((*file)->size(), 0u);
  EXPECT_EQ((*file)->Append("anew"), absl::OkStatus());
  EXPECT_EQ((*file)->Finish(), Sha256("anew"));
  EXPECT_EQ((*file)->Commit(), absl::OkStatus());
  EXPECT_EQ(ReadFile(path()), "anew");
}

TEST_F(PartFileTest, OneAtATimeAndNothingEmptyIsLeft) {
  {
    auto file = PartFile::Open(path());
    ASSERT_TRUE(file.ok());
    EXPECT_EQ(PartFile::Open(path()).status().code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_TRUE(fs::exists(part()));
  }
  EXPECT_FALSE(fs::exists(part()));
  EXPECT_TRUE(absl::IsNotFound(PartFile::Open(dir_.path() / "nowhere" / "file").status()));
}

// Whoever made FILE meanwhile keeps it.
TEST_F(PartFileTest, NothingIsOverwritten) {
  auto file = PartFile::Open(path());
  ASSERT_TRUE(file.ok());
  EXPECT_EQ((*file)->Append("ours"), absl::OkStatus());
  Write(path(), "theirs");
  EXPECT_TRUE(absl::IsAlreadyExists((*file)->Commit()));
  EXPECT_EQ(ReadFile(path()), "theirs");
  file->reset();
  EXPECT_EQ(ReadFile(part()), "ours");
}

TEST_F(PartFileTest, RandomFilesAreReadAnywhere) {
  Write(path(), "0123456789");
  auto file = RandomFile::Open(path());
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->size(), 10u);
  EXPECT_EQ(*(*file)->Read(3, 4), "3456");
  EXPECT_EQ(*(*file)->Read(10, 0), "");
  EXPECT_FALSE((*file)->Read(8, 3).ok());
  EXPECT_TRUE(absl::IsNotFound(RandomFile::Open(part()).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(RandomFile::Open(dir_.path()).status()));
}

TEST_F(PartFileTest, SpooledBytesComeBackInOrder) {
  auto spool = Spool::Open();
  ASSERT_TRUE(spool.ok()) << spool.status();
  std::string all;
  for (int i = 0; i < 3; ++i) {
    const std::string piece(200'000, static_cast<char>('a' + i));
    EXPECT_EQ((*spool)->Append(piece), absl::OkStatus());
    all += piece;
  }
  for (int round = 0; round < 2; ++round) {
    std::string read;
    EXPECT_EQ((*spool)->Read([&](std::string_view piece) {
      read += piece;
      return absl::OkStatus();
    }),
              absl::OkStatus());
    EXPECT_TRUE(read == all);
  }
  EXPECT_EQ((*spool)->Read([](std::string_view) { return absl::AbortedError("enough"); }).code(),
            absl::StatusCode::kAborted);
}

}  // namespace
}  // namespace stele::tools
