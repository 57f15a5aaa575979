#include "tools/command/entry_line.h"

#include <gtest/gtest.h>

#include "core/json/canonical.h"
#include "core/statement/dsse.h"
#include "core/statement/entry.h"
#include "core/statement/statement.h"

namespace stele::tools {
namespace {

constexpr char kOrigin[] = "test.example/log";

std::string Leaf(const std::string& payload, const KeyId& key) {
  return *BuildInlineLeaf(EventIndex(1), FormatEnvelope(payload, key, std::string(64, 's')),
                          TimeMs(1'767'225'600'000));
}

TEST(EntryLineTest, SaysTypeSignerAndSubjects) {
  Statement statement;
  statement.type = StatementType::kPublication;
  statement.predicate_type = std::string(PredicateTypeOf(statement.type));
  statement.log = kOrigin;
  statement.predicate = Publication{};
  statement.subjects = {RecordSubject(Digest(), Digest())};
  const KeyId key;
  absl::StatusOr<EntrySummary> entry =
      Summarize(EntryIndex(7), Leaf(FormatStatement(statement), key), kOrigin);
  ASSERT_TRUE(entry.ok()) << entry.status();
  EXPECT_EQ(EntryText(*entry),
            "7  2026-01-01T00:00:00.000Z  publication  " + key.ToText() + "  1 subject");
  EXPECT_EQ(json::Canonical(EntryJson(*entry)),
            R"({"authority":1,"index":7,"logged":"2026-01-01T00:00:00.000Z","signer":")" +
                key.ToText() + R"(","subjects":1,"type":"publication"})");
}

TEST(EntryLineTest, DetachedAndMalformedEntries) {
  const std::string detached = *BuildDetachedLeaf(
      EventIndex(1), {Digest(), KeyId(), "https://example.org/type", 100}, TimeMs(0));
  EXPECT_EQ(Summarize(EntryIndex(0), detached, kOrigin)->type, "https://example.org/type");
  EXPECT_EQ(Summarize(EntryIndex(0), Leaf("nonsense", KeyId()), kOrigin)->type, "malformed");
  EXPECT_FALSE(Summarize(EntryIndex(0), "no leaf", kOrigin).ok());
}

}  // namespace
}  // namespace stele::tools
