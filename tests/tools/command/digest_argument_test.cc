#include "tools/command/digest_argument.h"

#include <gtest/gtest.h>

#include "tools/command/exit_code.h"

namespace stele::tools {
namespace {

TEST(DigestArgumentTest, WholeOrPrefix) {
  const std::string whole(64, 'a');
  EXPECT_EQ(*HexOfDigestArgument("sha256:" + whole), whole);
  EXPECT_EQ(*HexOfDigestArgument(whole), whole);
  EXPECT_EQ(*HexOfDigestArgument("sha256:01234567"), "01234567");
  EXPECT_EQ(*HexOfDigestArgument("01234567"), "01234567");
}

TEST(DigestArgumentTest, AnythingElseIsAUsageError) {
  for (const std::string& text :
       {std::string(""), std::string("0123456"), std::string("sha256:"), std::string("0123456X"),
        std::string("ABCDEF01"), std::string(65, 'a'), std::string("sha512:01234567")}) {
    EXPECT_EQ(ExitCodeOf(HexOfDigestArgument(text).status()), 2) << text;
  }
}

}  // namespace
}  // namespace stele::tools
