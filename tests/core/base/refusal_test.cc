#include "core/base/refusal.h"

#include <gtest/gtest.h>

namespace stele {
namespace {

TEST(Refusal, CarriesCodeReasonPlaceAndMessage) {
  const absl::Status status = RefuseInput(reason::kSyntax, "/a/0", "not JSON");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ReasonOf(status), "SYNTAX");
  EXPECT_EQ(PointerOf(status), "/a/0");
  EXPECT_EQ(std::string(status.message()), "not JSON");
}

TEST(Refusal, OtherStatusesHaveNoReason) {
  EXPECT_EQ(ReasonOf(absl::OkStatus()), "");
  EXPECT_EQ(ReasonOf(absl::InternalError("x")), "");
  EXPECT_EQ(PointerOf(absl::InternalError("x")), "");
}

TEST(Refusal, PrefixMovesThePlace) {
  const absl::Status inner = RefuseInput(reason::kSyntax, "/b", "m");
  const absl::Status outer = PrefixPointer(inner, "/a");
  EXPECT_EQ(PointerOf(outer), "/a/b");
  EXPECT_EQ(ReasonOf(outer), "SYNTAX");
  EXPECT_EQ(PointerOf(inner), "/b");
  EXPECT_EQ(PointerOf(PrefixPointer(RefuseInput(reason::kSyntax, "", "m"), "/a")), "/a");
  EXPECT_TRUE(PrefixPointer(absl::OkStatus(), "/a").ok());
}

}  // namespace
}  // namespace stele
