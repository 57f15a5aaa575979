// Which entries belong in a bundle: those of the reference's own bundles; and for every record of
// every golden log a bundle of only these entries comes to the verdicts of the whole log.
#include "core/citation/closure.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/citation/verify.h"
#include "tests/core/citation/golden_sources.h"
#include "tests/support/shared.h"

namespace stele {
namespace {

using testing::GoldenSources;

Citation ReadGolden(const std::string& name) {
  const auto citation = ParseCitation(
      testing::ReadFile(testing::VectorsDir() / "citations" / (name + ".stele-citation.json")));
  EXPECT_TRUE(citation.ok()) << citation.status();
  return *citation;
}

std::vector<uint64_t> Values(const std::vector<EntryIndex>& indexes) {
  std::vector<uint64_t> values;
  for (EntryIndex index : indexes) values.push_back(index.value());
  return values;
}

struct Golden {
  const char* name;
  size_t size;
};

TEST(Closure, TheEntriesOfTheReferencesBundles) {
  for (const Golden& golden :
       {Golden{"plain", 40}, Golden{"two-publishers-and-a-withdrawal", 130},
        Golden{"attested-and-retracted", 300}, Golden{"while-both-log-keys-sign", 152},
        Golden{"across-the-log-key-rotation", 300}, Golden{"superseded", 300}}) {
    SCOPED_TRACE(golden.name);
    const Citation citation = ReadGolden(golden.name);
    const GoldenSources sources("log", golden.size);
    std::vector<EntryIndex> shown;
    for (const CitationEntry& entry : citation.entries) shown.push_back(entry.index);
    EXPECT_EQ(Values(sources.Cited(citation.record)), Values(shown));
  }
}

// The bundle's whole verdict against the replay of the whole log.
void ExpectSameVerdict(const GoldenSources& sources, const Digest& record) {
  const std::optional<Citation> citation = sources.Cite(record);
  if (!citation) return;
  const TrustPolicy policy = PolicyOfLogKeys([&] {
    std::vector<NoteVerifier> keys;
    for (const LogKeySpan& span : sources.replay().LogKeys()) keys.push_back(span.key);
    return keys;
  }());
  const auto verdict = VerifyCitation(*citation, policy);
  ASSERT_TRUE(verdict.ok()) << record.ToText() << " " << verdict.status();
  const Replay& replay = sources.replay();
  EXPECT_EQ(verdict->owner, *replay.OwnerOf(record));
  std::vector<EntryIndex> counts;
  for (EntryIndex index : sources.About(record)) {
    if (replay.Counts(index)) counts.push_back(index);
  }
  std::vector<EntryIndex> about;
  for (const CitationVerdict::About& row : verdict->about) about.push_back(row.index);
  EXPECT_EQ(Values(about), Values(counts)) << record.ToText();
  const auto retraction = replay.RetractionOf(record);
  EXPECT_EQ(verdict->retracted, retraction.has_value());
  if (retraction) {
    EXPECT_EQ(verdict->superseded_by, retraction->superseded_by);
  }
  for (const CitationEntry& entry : citation->entries) {
    const auto by = std::find_if(verdict->disputed.begin(), verdict->disputed.end(),
                                 [&](const auto& pair) { return pair.first == entry.index; });
    const auto expected = replay.DisputedBy(entry.index);
    ASSERT_EQ(by != verdict->disputed.end(), expected.has_value()) << entry.index.value();
    if (expected) {
      EXPECT_EQ(by->second, *expected);
    }
  }
}

TEST(Closure, IsEnoughForTheVerdictsOfTheWholeLog) {
  size_t records = 0;
  for (std::string_view name : testing::kGoldenLogs) {
    for (size_t size : {size_t{60}, size_t{150}, size_t{230}, size_t{300}}) {
      const GoldenSources sources(name, size);
      const RecordTable& table = sources.replay().records();
      for (size_t i = 0; i < table.size(); ++i) {
        SCOPED_TRACE(std::string(name) + " of " + std::to_string(size));
        ExpectSameVerdict(sources, table.RecordAt(i));
        ++records;
      }
    }
  }
  EXPECT_GT(records, 400u);
}

}  // namespace
}  // namespace stele
