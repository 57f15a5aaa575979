#include "tools/command/rejects_file.h"

#include <gtest/gtest.h>

#include "tests/support/shared.h"
#include "tests/support/store/temp_dir.h"
#include "tools/command/exit_code.h"

namespace stele::tools {
namespace {

Document Make(const std::string& file, const std::string& raw) {
  return Document{file, 1, raw, absl::InvalidArgumentError("refused")};
}

TEST(RejectsFileTest, KeepsBytesAndSeparatesItems) {
  const testing::TempDir dir;
  const std::filesystem::path path = dir.path() / "rejects";
  absl::StatusOr<std::unique_ptr<RejectsFile>> file = RejectsFile::Open(path);
  ASSERT_TRUE(file.ok());
  (*file)->Add(Make("a.yaml", "kind: A"));
  (*file)->Add(Make("a.ndjson", "{\"a\": \xff}\r"));
  (*file)->Add(Make("b.json", "{\n}\n"));
  (*file)->Add(Make("a.yaml", "kind: B\n"));
  (*file)->Add(Make("a.yaml", "--- # c\nkind: C\n"));
  ASSERT_TRUE((*file)->Close().ok());
  EXPECT_EQ(testing::ReadFile(path),
            "kind: A\n{\"a\": \xff}\r\n{\n}\n---\nkind: B\n--- # c\nkind: C\n");
}

TEST(RejectsFileTest, WhatCannotBeWrittenIsAUsageError) {
  EXPECT_EQ(ExitCodeOf(RejectsFile::Open("/nowhere/at/all").status()), 2);
}

}  // namespace
}  // namespace stele::tools
