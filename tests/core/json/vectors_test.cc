// The golden vectors, and the published vectors of RFC 8785.
#include <gtest/gtest.h>

#include <filesystem>

#include "core/base/hex.h"
#include "core/base/refusal.h"
#include "core/json/canonical.h"
#include "core/json/first_fault.h"
#include "core/json/parse.h"
#include "tests/support/vector_json.h"

namespace stele::json {
namespace {

namespace fs = std::filesystem;
using testing::At;
using testing::Bytes;
using testing::Flag;
using testing::List;
using testing::Text;

TEST(JsonVectors, CasesAcceptedWithTheirCanonicalForm) {
  const Value vectors = testing::LoadVectors("json.json");
  int accepted = 0;
  for (const Value& c : List(At(vectors, "cases"))) {
    if (!Flag(At(c, "accept"))) continue;
    SCOPED_TRACE(Text(At(c, "name")));
    ++accepted;
    const std::string input = Bytes(At(c, "input"));
    const std::string canonical = Bytes(At(c, "canonical"));
    absl::StatusOr<Value> value = Parse(input);
    ASSERT_TRUE(value.ok()) << value.status();
    EXPECT_EQ(Canonical(*value), canonical);
    EXPECT_TRUE(FirstFault(input, limits::kJsonDepth).ok());
    absl::StatusOr<Value> again = Parse(canonical);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(Canonical(*again), canonical);
  }
  EXPECT_GT(accepted, 100);
}

TEST(JsonVectors, CasesRefusedWithReasonAndPlace) {
  const Value vectors = testing::LoadVectors("json.json");
  int refused = 0;
  for (const Value& c : List(At(vectors, "cases"))) {
    if (Flag(At(c, "accept"))) continue;
    SCOPED_TRACE(Text(At(c, "name")));
    ++refused;
    absl::StatusOr<Value> value = Parse(Bytes(At(c, "input")));
    ASSERT_FALSE(value.ok());
    EXPECT_EQ(value.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(ReasonOf(value.status()), Text(At(c, "reason")));
    // Also for SYNTAX, where the place is informative.
    EXPECT_EQ(PointerOf(value.status()), Text(At(c, "pointer")));
  }
  EXPECT_GT(refused, 100);
}

TEST(JsonVectors, PublishedVectorsOfRfc8785) {
  const auto shared = testing::SharedDir();
  if (!shared) GTEST_SKIP() << testing::kNoShared;
  int files = 0;
  for (const auto& entry : fs::directory_iterator(*shared / "vectors" / "jcs" / "input")) {
    SCOPED_TRACE(entry.path().filename());
    ++files;
    absl::StatusOr<Value> value = Parse(testing::ReadFile(entry.path()));
    ASSERT_TRUE(value.ok()) << value.status();
    std::string hex = HexEncode(Canonical(*value));
    std::string expected;
    const fs::path name = entry.path().stem().concat(".txt");
    for (char c : testing::ReadFile(*shared / "vectors" / "jcs" / "outhex" / name)) {
      if (c != ' ' && c != '\n' && c != '\r') expected.push_back(c);
    }
    EXPECT_EQ(hex, expected);
  }
  EXPECT_GE(files, 6);
}

}  // namespace
}  // namespace stele::json
