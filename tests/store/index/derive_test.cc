// The rows of the golden logs: they do not hang on when they were derived, and each has one entry.
#include "store/index/derive.h"

#include <gtest/gtest.h>

#include "store/index/index_keys.h"
#include "store/indexer/log_source.h"
#include "store/indexer/valid_entry.h"
#include "tests/store/index/index_of_log.h"

namespace stele::store {
namespace {

using testing::AllRows;
using testing::IndexOfLog;

class DeriveGolden : public ::testing::TestWithParam<std::string_view> {
 protected:
  IndexOfLog of_{GetParam()};
};

TEST_P(DeriveGolden, EntryByEntryIsAllAtOnce) {
  while (of_.size() < of_.entries()) {
    of_.Append();
    of_.Apply();
  }
  const IndexRows stepwise = AllRows(*of_.rows());
  IndexOfLog at_once(GetParam());
  at_once.AppendAll();
  at_once.Apply();
  EXPECT_EQ(AllRows(*at_once.rows()), stepwise);
  EXPECT_EQ(at_once.rows()->position(), of_.rows()->position());
  EXPECT_FALSE(stepwise.empty());
}

TEST_P(DeriveGolden, EachRowFollowsFromOneEntry) {
  of_.AppendAll();
  of_.Apply();
  const Snapshot& log = of_.reader().snapshot();
  const LogSource source(log, of_.size());
  IndexRows once;
  for (uint64_t i = 0; i < of_.size(); ++i) {
    const auto entry = ReadValidEntry(log, *log.Entry(EntryIndex(i)));
    ASSERT_TRUE(entry.ok()) << entry.status();
    if (!entry->has_value()) continue;
    const ValidEntry& valid = **entry;
    ASSERT_EQ(DeriveRowsOnce({valid.index, valid.signer, valid.logged, valid.statement}, source,
                             [&](std::string key, std::string value) {
                               EXPECT_TRUE(once.emplace(key, value).second)
                                   << NameOfIndexRow(key) << " again at " << i;
                               return absl::OkStatus();
                             }),
              absl::OkStatus());
  }
  EXPECT_EQ(once, AllRows(*of_.rows()));
}

// Only what the reference calls valid has rows.
TEST_P(DeriveGolden, ValidEntriesAreTold) {
  of_.AppendAll();
  const Snapshot& log = of_.reader().snapshot();
  for (uint64_t i = 0; i < of_.size(); ++i) {
    const auto entry = ReadValidEntry(log, *log.Entry(EntryIndex(i)));
    ASSERT_TRUE(entry.ok()) << entry.status();
    const auto& expected = of_.log().entries[i];
    const auto* withholding = std::get_if<Withholding>(&of_.read()[i].said.statement.predicate);
    const bool has_rows = expected.type == "publication" || expected.type == "verification" ||
                          (withholding != nullptr && !withholding->withheld);
    EXPECT_EQ(entry->has_value(), expected.verdict == "valid" && has_rows) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Logs, DeriveGolden, ::testing::ValuesIn(stele::testing::kGoldenLogs),
                         [](const auto& info) {
                           std::string name(info.param);
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace stele::store
