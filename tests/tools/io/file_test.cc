#include "tools/io/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/store/temp_dir.h"

namespace stele::tools {
namespace {

mode_t ModeOf(const std::filesystem::path& path) {
  struct stat info {};
  EXPECT_EQ(::stat(path.c_str(), &info), 0);
  return info.st_mode & 07777;
}

TEST(FileTest, NewFilesHaveTheirModeAndNeverReplaceOthers) {
  const testing::TempDir dir;
  const std::filesystem::path path = dir.path() / "key";
  ASSERT_TRUE(WriteNewFile(path, "secret", 0600).ok());
  EXPECT_EQ(ModeOf(path), 0600u);
  EXPECT_EQ(*ReadFileAtMost(path, 100), "secret");
  EXPECT_EQ(WriteNewFile(path, "other", 0600).code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(*ReadFileAtMost(path, 100), "secret");
}

TEST(FileTest, ReadsNoMoreThanAllowed) {
  const testing::TempDir dir;
  const std::filesystem::path path = dir.path() / "file";
  ASSERT_TRUE(WriteNewFile(path, std::string(50000, 'x'), 0644).ok());
  EXPECT_EQ(ReadFileAtMost(path, 50000)->size(), 50000u);
  EXPECT_EQ(ReadFileAtMost(path, 49999).status().code(), absl::StatusCode::kResourceExhausted);
  const absl::Status absent = ReadFileAtMost(dir.path() / "absent", 1).status();
  EXPECT_EQ(absent.code(), absl::StatusCode::kNotFound);
  EXPECT_NE(std::string(absent.message()).find("absent"), std::string::npos);
}

TEST(FileTest, MovesOnlyToNewNames) {
  const testing::TempDir dir;
  ASSERT_TRUE(WriteNewFile(dir.path() / "a", "a", 0600).ok());
  ASSERT_TRUE(WriteNewFile(dir.path() / "b", "b", 0600).ok());
  EXPECT_EQ(MoveToNewName(dir.path() / "a", dir.path() / "b").code(),
            absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(*ReadFileAtMost(dir.path() / "b", 10), "b");
  ASSERT_TRUE(MoveToNewName(dir.path() / "a", dir.path() / "c").ok());
  EXPECT_EQ(*ReadFileAtMost(dir.path() / "c", 10), "a");
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "a"));
}

}  // namespace
}  // namespace stele::tools
