#include "core/json/pointer.h"

#include <gtest/gtest.h>

namespace stele::json {
namespace {

TEST(Pointer, EscapesOfRfc6901) {
  EXPECT_EQ(ChildPointer("", "a"), "/a");
  EXPECT_EQ(ChildPointer("/a", ""), "/a/");
  EXPECT_EQ(ChildPointer("/a", "b/c~d"), "/a/b~1c~0d");
  EXPECT_EQ(ChildPointer("", "~1"), "/~01");
  EXPECT_EQ(ChildPointer("/x", size_t{12}), "/x/12");
  std::string pointer = "/p";
  AppendPointer(pointer, "q");
  EXPECT_EQ(pointer, "/p/q");
}

}  // namespace
}  // namespace stele::json
