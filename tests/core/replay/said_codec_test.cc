// The compact form says all that the replay needs: a golden log replayed from it gives the same.
#include "core/replay/said_codec.h"

#include <gtest/gtest.h>

#include "core/replay/replay.h"
#include "tests/support/replay/golden_said.h"

namespace stele {
namespace {

class SaidCodecGolden : public ::testing::TestWithParam<std::string_view> {};

TEST_P(SaidCodecGolden, ReplayFromTheCompactForm) {
  const testing::GoldenLog log = testing::LoadGoldenLog(GetParam());
  const std::vector<ReadEntry> read = testing::ReadGoldenEntries(log);
  std::string bytes;
  for (const ReadEntry& entry : read) AppendSaid(entry, bytes);

  Replay whole, again;
  std::string_view rest = bytes;
  for (const ReadEntry& entry : read) {
    const absl::StatusOr<Said> said = TakeSaid(entry.said.index, log.origin, rest);
    ASSERT_TRUE(said.ok()) << entry.said.index.value() << ": " << said.status();
    EXPECT_EQ(again.Add(*said).code(), whole.Add(entry.said).code());
    EXPECT_EQ(again.ring().Latest(said->signer), whole.ring().Latest(said->signer));
  }
  EXPECT_TRUE(rest.empty());
  ASSERT_EQ(again.size(), whole.size());
  for (uint64_t i = 0; i < whole.size(); ++i) {
    const EntryIndex index(i);
    EXPECT_EQ(again.JudgementOf(index).verdict, whole.JudgementOf(index).verdict) << i;
    EXPECT_EQ(again.JudgementOf(index).reason, whole.JudgementOf(index).reason) << i;
    EXPECT_EQ(again.DisputedBy(index), whole.DisputedBy(index)) << i;
  }
  ASSERT_EQ(again.records().size(), whole.records().size());
  for (size_t i = 0; i < whole.records().size(); ++i) {
    const Digest& record = whole.records().RecordAt(i);
    EXPECT_EQ(again.records().RecordAt(i), record);
    EXPECT_EQ(again.OwnerOf(record), whole.OwnerOf(record));
    EXPECT_EQ(again.WithdrawnBy(record), whole.WithdrawnBy(record));
    const auto retraction = whole.RetractionOf(record);
    ASSERT_EQ(again.RetractionOf(record).has_value(), retraction.has_value());
    if (retraction) EXPECT_EQ(again.RetractionOf(record)->chain, retraction->chain);
  }
  EXPECT_EQ(again.Withheld(), whole.Withheld());
  EXPECT_EQ(again.LogKeys().size(), whole.LogKeys().size());
}

// What a withheld note said is in no audit's files.
TEST(SaidCodec, NoWordOfADetachedStatementIsKept) {
  const testing::GoldenLog log = testing::LoadGoldenLog("log");
  size_t detached = 0;
  for (const ReadEntry& entry : testing::ReadGoldenEntries(log)) {
    const auto* note = std::get_if<NoteStatement>(&entry.said.statement.predicate);
    if (!entry.detached || note == nullptr) continue;
    ++detached;
    std::string bytes;
    AppendSaid(entry, bytes);
    EXPECT_EQ(bytes.find(note->body), std::string::npos);
  }
  EXPECT_GT(detached, 0u);
}

TEST(SaidCodec, EveryCutIsRefused) {
  const testing::GoldenLog log = testing::LoadGoldenLog("log-with-void");
  for (const ReadEntry& entry : testing::ReadGoldenEntries(log)) {
    std::string bytes;
    AppendSaid(entry, bytes);
    for (size_t cut = 0; cut < bytes.size(); ++cut) {
      std::string_view rest = std::string_view(bytes).substr(0, cut);
      EXPECT_FALSE(TakeSaid(entry.said.index, log.origin, rest).ok())
          << entry.said.index.value() << " cut at " << cut;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SaidCodecGolden, ::testing::ValuesIn(testing::kGoldenLogs),
                         [](const auto& suite) {
                           std::string name(suite.param);
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace stele
