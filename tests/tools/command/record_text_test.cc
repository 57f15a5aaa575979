#include "tools/command/record_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/crypto/sha256.h"
#include "core/json/canonical.h"

namespace stele::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Standing Retracted() {
  Standing standing;
  standing.record = Sha256("record");
  standing.published = true;
  standing.owner = Sha256("owner");
  standing.retraction = RetractionRow{.index = EntryIndex(7),
                                      .signer = Sha256("owner"),
                                      .logged = TimeMs(0),
                                      .reason = "wrong clock\nand more",
                                      .superseded_by = {},
                                      .chain = {}};
  return standing;
}

TEST(WarningsOfTest, NothingToSay) { EXPECT_THAT(WarningsOf(Standing{}), IsEmpty()); }

TEST(WarningsOfTest, ByTheOwnerOrByAnother) {
  Standing standing = Retracted();
  EXPECT_THAT(WarningsOf(standing),
              ElementsAre("RETRACTED in entry 7 of 1970-01-01T00:00:00.000Z by its owner " +
                          Sha256("owner").ToText() + ": \"wrong clock …\""));
  standing.retraction->signer = Sha256("operator");
  EXPECT_THAT(WarningsOf(standing)[0], HasSubstr(" by " + Sha256("operator").ToText()));
}

TEST(WarningsOfTest, TheChainOfSuccessors) {
  Standing standing = Retracted();
  const Digest next = Sha256("next"), last = Sha256("last");
  standing.retraction->superseded_by = next;
  standing.retraction->chain = {next};
  EXPECT_EQ(WarningsOf(standing)[1], "superseded by " + next.ToText());
  standing.retraction->chain = {next, last};
  EXPECT_THAT(WarningsOf(standing)[1], HasSubstr("the last of the chain is " + last.ToText()));
  standing.retraction->chain_end = ChainEnd::kCycle;
  EXPECT_THAT(WarningsOf(standing)[1], HasSubstr("circle"));
}

TEST(WarningsOfTest, DisputedAndWithheld) {
  Standing standing;
  standing.disputed = true;
  standing.withheld_by = EntryIndex(9);
  const auto lines = WarningsOf(standing);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[0], HasSubstr("DISPUTED"));
  EXPECT_EQ(lines[1], "WITHHELD by entry 9");
}

TEST(RecordTextTest, OneLineWithItsMarks) {
  RecordRow row{.record = Sha256("r"), .kind = "K", .name = "n", .title = "t\nu"};
  EXPECT_EQ(RecordText(row), Sha256("r").ToText() + "  K  n: t …");
  row.name.clear();
  row.retracted = row.disputed = true;
  row.withheld_by = EntryIndex(1);
  EXPECT_EQ(RecordText(row),
            Sha256("r").ToText() + "  K  t …  [RETRACTED]  [DISPUTED]  [WITHHELD]");
  EXPECT_EQ(RecordText({.record = Sha256("r")}), Sha256("r").ToText() + "  -");
}

TEST(HistoryTextTest, WhatEachTypeHas) {
  HistoryRow row{.index = EntryIndex(3), .type = StatementType::kReproduction};
  row.signer = Sha256("s");
  row.signer_name = "Ada";
  row.said.outcome = "reproduced";
  row.said.observed = Observation{"latency", "median", "us", 143.9};
  row.said.evidence = {{"https://e.invalid/1", std::nullopt}};
  row.said.evidence_count = 3;
  row.disputed_by = EntryIndex(8);
  EXPECT_EQ(HistoryText(row), "3  1970-01-01T00:00:00.000Z  reproduction  Ada " +
                                  Sha256("s").ToText() +
                                  "  [DISPUTED by entry 8]  reproduced  latency median 143.9 us"
                                  "  https://e.invalid/1  and 2 more links");
  const std::string text = json::Canonical(HistoryJson(row));
  EXPECT_THAT(text, HasSubstr(R"("outcome":"reproduced")"));
  EXPECT_THAT(text, HasSubstr(R"("disputedBy":8)"));
}

TEST(LagTextTest, OnlyWhenThereIsLag) {
  IndexMoment moment{TreeSize(5), TreeSize(5), IndexState::kFollowing};
  EXPECT_EQ(LagText(moment), "");
  moment.applied = TreeSize(3);
  EXPECT_EQ(LagText(moment), "the server's index is 2 entries behind its log of 5 (following)");
  moment.state = IndexState::kRebuilding;
  EXPECT_THAT(LagText(moment), HasSubstr("rebuilding"));
}

}  // namespace
}  // namespace stele::tools
