#include "tools/push/refusal_kind.h"

#include <gtest/gtest.h>

#include "core/base/refusal.h"

namespace stele::tools {
namespace {

TEST(RefusalKindTest, NamesTheSubject) {
  EXPECT_EQ(RefusedSubject("/subject/0", 3), 0u);
  EXPECT_EQ(RefusedSubject("/subject/2/digest/sha256", 3), 2u);
  EXPECT_EQ(RefusedSubject("/manifests/1", 3), 1u);
  EXPECT_EQ(RefusedSubject("/subject/3", 3), std::nullopt);
  EXPECT_EQ(RefusedSubject("/subject/", 3), std::nullopt);
  EXPECT_EQ(RefusedSubject("/subject", 3), std::nullopt);
  EXPECT_EQ(RefusedSubject("/subject/1x", 3), std::nullopt);
  EXPECT_EQ(RefusedSubject("/predicate/log", 3), std::nullopt);
  EXPECT_EQ(RefusedSubject("", 3), std::nullopt);
}

TEST(RefusalKindTest, TheSignerOrTheStatement) {
  EXPECT_TRUE(IsAboutTheSigner(absl::PermissionDeniedError("")));
  for (std::string_view word :
       {reason::kUnknownKey, reason::kReadOnly, reason::kWrongLog, reason::kTypeNotAdmitted}) {
    EXPECT_TRUE(IsAboutTheSigner(RefuseInput(word, "", ""))) << word;
  }
  EXPECT_FALSE(IsAboutTheSigner(RefuseInput(reason::kContentMismatch, "/subject/0", "")));
  EXPECT_FALSE(IsAboutTheSigner(absl::ResourceExhaustedError("")));
}

TEST(RefusalKindTest, WhatIsUndecidedIsNotRefused) {
  for (const absl::Status& status : {absl::UnavailableError(""), absl::DeadlineExceededError(""),
                                     absl::DataLossError(""), absl::CancelledError("")}) {
    EXPECT_TRUE(IsUndecided(status));
  }
  EXPECT_FALSE(IsUndecided(absl::InvalidArgumentError("")));
  EXPECT_FALSE(IsUndecided(absl::AbortedError("")));
}

}  // namespace
}  // namespace stele::tools
