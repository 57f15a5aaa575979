#include "tools/push/ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/concat.h"
#include "core/base/refusal.h"

namespace stele::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string Text(int spec, std::string_view metadata = "") {
  return Concat(R"({"apiVersion":"v1","kind":"K","spec":{"n":)", spec, "}",
                metadata.empty() ? "" : R"(,"metadata":)", metadata, "}");
}

Document Doc(std::string raw) {
  absl::StatusOr<std::vector<NamedManifest>> manifests = ParseJsonDocument(raw);
  return Document{"f", 1, std::move(raw), std::move(manifests)};
}

class LedgerTest : public ::testing::Test {
 protected:
  std::vector<std::string> rejected_;
  Ledger ledger_{[this](const Document& document) { rejected_.push_back(document.raw); }};

  std::string tally() const { return TallyText(ledger_.tally()); }
};

TEST_F(LedgerTest, CollapsesWhatComesInTwice) {
  std::vector<PublicationPtr> one = ledger_.Enter(Doc(Text(1)));
  ASSERT_EQ(one.size(), 1u);
  EXPECT_THAT(ledger_.Enter(Doc(" " + Text(1))), IsEmpty());
  ledger_.Decide(one[0], Outcome::kPushed);
  EXPECT_THAT(ledger_.Enter(Doc(Text(1))), IsEmpty());
  EXPECT_EQ(tally(), "rows 3, records 1, pushed 1, already there 0, refused 0");
  EXPECT_THAT(rejected_, IsEmpty());
}

TEST_F(LedgerTest, OtherMetadataIsAnotherPublicationOfTheSameRecord) {
  std::vector<PublicationPtr> bare = ledger_.Enter(Doc(Text(1)));
  std::vector<PublicationPtr> named = ledger_.Enter(Doc(Text(1, R"({"name":"x"})")));
  ASSERT_EQ(bare.size(), 1u);
  ASSERT_EQ(named.size(), 1u);
  EXPECT_EQ(bare[0]->record, named[0]->record);
  EXPECT_NE(bare[0]->manifest, named[0]->manifest);
  EXPECT_EQ(named[0]->title, "K x");
  ledger_.Decide(bare[0], Outcome::kAlreadyThere);
  ledger_.Decide(named[0], Outcome::kPushed);
  EXPECT_EQ(tally(), "rows 2, records 1, pushed 1, already there 1, refused 0");
}

TEST_F(LedgerTest, ARowIsRefusedOnceWhateverOfItIs) {
  const std::string bundle =
      Concat(R"({"a":)", Text(1), R"(,"b":)", Text(2), R"(,"c":)", Text(3), "}");
  std::vector<PublicationPtr> parts = ledger_.Enter(Doc(bundle));
  ASSERT_EQ(parts.size(), 3u);
  ledger_.Decide(parts[0], Outcome::kRefused);
  EXPECT_THAT(rejected_, IsEmpty());
  ledger_.Decide(parts[1], Outcome::kPushed);
  ledger_.Decide(parts[2], Outcome::kRefused);
  EXPECT_THAT(rejected_, ElementsAre(bundle));
  EXPECT_EQ(tally(), "rows 1, records 3, pushed 1, already there 0, refused 1");
}

TEST_F(LedgerTest, RowsThatShareARefusedRecordAreAllRefused) {
  std::vector<PublicationPtr> fresh = ledger_.Enter(Doc(Text(1)));
  ledger_.Enter(Doc(Text(1) + " "));
  ledger_.Decide(fresh[0], Outcome::kRefused);
  EXPECT_THAT(rejected_, ElementsAre(Text(1), Text(1) + " "));
  ledger_.Enter(Doc("  " + Text(1)));
  EXPECT_EQ(rejected_.size(), 3u);
  EXPECT_EQ(tally(), "rows 3, records 1, pushed 0, already there 0, refused 3");
}

TEST_F(LedgerTest, WhatCannotBeReadIsARefusedRow) {
  EXPECT_THAT(ledger_.Enter(Doc("{\"kind\":1}")), IsEmpty());
  EXPECT_THAT(rejected_, ElementsAre("{\"kind\":1}"));
  EXPECT_EQ(tally(), "rows 1, records 0, pushed 0, already there 0, refused 1");
}

TEST_F(LedgerTest, JsonHasTheSameNames) {
  ledger_.Decide(ledger_.Enter(Doc(Text(1)))[0], Outcome::kPushed);
  ledger_.Decide(ledger_.Enter(Doc(Text(2)))[0], Outcome::kAlreadyThere);
  ledger_.Enter(Doc("x"));
  EXPECT_EQ(TallyJson(ledger_.tally()),
            R"({"rows":3,"records":2,"pushed":1,"already there":1,"refused":1})");
}

}  // namespace
}  // namespace stele::tools
