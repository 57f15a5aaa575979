// Every golden bundle comes out as the reference says: the verdict, or reason and place.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "core/base/refusal.h"
#include "core/citation/verify.h"
#include "tests/support/vector_json.h"

namespace stele {
namespace {

using testing::At;
using testing::Flag;
using testing::List;
using testing::Number;
using testing::Text;

using Row = std::tuple<uint64_t, std::string, std::string>;

std::string ReadBundle(const std::string& file) {
  return testing::ReadFile(testing::VectorsDir() / "citations" / file);
}

TrustPolicy PolicyOf(const json::Value& vkeys) {
  std::vector<NoteVerifier> keys;
  for (const json::Value& vkey : List(vkeys)) keys.push_back(*NoteVerifier::FromVkey(Text(vkey)));
  return PolicyOfLogKeys(keys);
}

absl::StatusOr<CitationVerdict> Verify(const std::string& text, const TrustPolicy& policy) {
  absl::StatusOr<Citation> citation = ParseCitation(text);
  if (!citation.ok()) return citation.status();
  EXPECT_EQ(FormatCitation(*citation), text);
  return VerifyCitation(*citation, policy);
}

std::vector<Row> Rows(const CitationVerdict& verdict) {
  std::vector<Row> rows;
  for (const CitationVerdict::About& about : verdict.about) {
    rows.emplace_back(about.index.value(), StatementTypeName(about.type), about.signer.ToText());
  }
  return rows;
}

void ExpectVerdict(const CitationVerdict& verdict, const json::Value& expected) {
  std::vector<Row> about;
  for (const json::Value& row : List(At(expected, "about"))) {
    about.emplace_back(static_cast<uint64_t>(Number(List(row)[0])), Text(List(row)[1]),
                       Text(List(row)[2]));
  }
  EXPECT_EQ(Rows(verdict), about);
  std::map<std::string, double> disputed;
  for (const auto& [entry, by] : verdict.disputed) {
    disputed[std::to_string(entry.value())] = static_cast<double>(by.value());
  }
  std::map<std::string, double> expected_disputed;
  for (const auto& [entry, by] : At(expected, "disputed").object()->members) {
    expected_disputed[entry] = Number(by);
  }
  EXPECT_EQ(disputed, expected_disputed);
  EXPECT_EQ(verdict.checkpoint.checkpoint.origin, Text(At(expected, "origin")));
  EXPECT_EQ(static_cast<double>(verdict.checkpoint.checkpoint.size.value()),
            Number(At(expected, "size")));
  EXPECT_EQ(verdict.owner.ToText(), Text(At(expected, "owner")));
  EXPECT_EQ(verdict.record.ToText(), Text(At(expected, "record")));
  EXPECT_EQ(verdict.retracted, Flag(At(expected, "retracted")));
  EXPECT_EQ(verdict.withheld, Flag(At(expected, "withheld")));
  const std::string* successor = At(expected, "supersededBy").string();
  EXPECT_EQ(verdict.superseded_by ? verdict.superseded_by->ToText() : "",
            successor == nullptr ? "" : *successor);
  std::set<std::string> signers;
  for (const json::Value& vkey : List(At(expected, "signers"))) signers.insert(Text(vkey));
  EXPECT_EQ(
      std::set<std::string>(verdict.checkpoint.signers.begin(), verdict.checkpoint.signers.end()),
      signers);
  EXPECT_TRUE(verdict.time_faults.empty());
}

TEST(GoldenCitations, AllOfThem) {
  size_t accepted = 0, refused = 0;
  const json::Value vectors = testing::LoadVectors("citations/expected.json");
  for (const json::Value& c : List(vectors)) {
    SCOPED_TRACE(Text(At(c, "name")));
    const auto verdict = Verify(ReadBundle(Text(At(c, "file"))), PolicyOf(At(c, "vkeys")));
    if (Flag(At(c, "accept"))) {
      ++accepted;
      ASSERT_TRUE(verdict.ok()) << verdict.status();
      ExpectVerdict(*verdict, At(c, "verdict"));
    } else {
      ++refused;
      EXPECT_EQ(ReasonOf(verdict.status()), Text(At(c, "reason"))) << verdict.status();
      EXPECT_EQ(PointerOf(verdict.status()), Text(At(c, "pointer"))) << verdict.status();
    }
  }
  EXPECT_EQ(accepted, 8u);
  EXPECT_EQ(refused, 29u);
}

// Which log keys should have signed too: reported, not refused.
TEST(GoldenCitations, AMissingLogKeyIsReported) {
  const TrustPolicy both =
      *ParseTrustPolicy(testing::ReadFile(testing::VectorsDir() / "log" / "policy"));
  const TrustPolicy old_key = PolicyOfLogKeys({both.logs[0].key});
  const std::string text = ReadBundle("while-both-log-keys-sign.stele-citation.json");
  EXPECT_TRUE(Verify(text, both)->missing_log_keys.empty());
  EXPECT_EQ(Verify(text, old_key)->missing_log_keys,
            (std::vector<std::string>{both.logs[1].key.ToVkey()}));
}

}  // namespace
}  // namespace stele
