// Replays the golden logs and compares everything that follows with the reference.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/base/refusal.h"
#include "core/replay/replay.h"
#include "tests/support/replay/golden_said.h"
#include "tests/support/vector_file.h"

namespace stele {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;
using Roles = std::map<std::string, std::optional<std::string>>;

std::optional<std::string> TextOrNull(element value) {
  if (value.is_null()) return std::nullopt;
  return std::string(std::string_view(value));
}

Digest DigestOf(std::string_view text) { return *Digest::FromText(text); }

Roles RolesOf(const KeyRing& ring) {
  Roles roles;
  for (const KeyState& state : ring.Keys()) {
    auto& role = roles[state.key.ToText()];
    if (state.role) role = std::string(RoleName(*state.role));
  }
  return roles;
}

std::string TypeOf(const Said& said) {
  return said.statement.type == StatementType::kForeign
             ? said.statement.predicate_type
             : std::string(StatementTypeName(said.statement.type));
}

class ReplayGolden : public ::testing::TestWithParam<std::string_view> {
 protected:
  void SetUp() override {
    for (const Said& said : said_) {
      replay_.Add(said).IgnoreError();
      rings_.push_back(RolesOf(replay_.ring()));
    }
  }
  element Expected(std::string_view name) const { return expected_.root()[name]; }

  const testing::GoldenLog log_ = testing::LoadGoldenLog(GetParam());
  const testing::VectorFile expected_{log_.dir / "expected.json"};
  const std::vector<Said> said_ = testing::ReadGoldenLog(log_);
  Replay replay_;
  std::vector<Roles> rings_;  // from above each entry on
};

TEST_P(ReplayGolden, Verdicts) {
  for (size_t i = 0; i < said_.size(); ++i) {
    const testing::GoldenEntry& expected = log_.entries[i];
    const Judgement judged = replay_.JudgementOf(EntryIndex(i));
    EXPECT_EQ(VerdictName(judged.verdict), expected.verdict) << i;
    EXPECT_EQ(judged.reason, expected.reason) << i;
    EXPECT_EQ(said_[i].authority.value(), expected.authority) << i;
    EXPECT_EQ(said_[i].signer.ToText(), expected.signer) << i;
    EXPECT_EQ(replay_.SignerOf(EntryIndex(i)).ToText(), expected.signer) << i;
    if (!expected.type.empty()) EXPECT_EQ(TypeOf(said_[i]), expected.type) << i;
  }
}

TEST_P(ReplayGolden, Disputes) {
  std::map<uint64_t, uint64_t> disputed;
  for (size_t i = 0; i < said_.size(); ++i) {
    const auto by = replay_.DisputedBy(EntryIndex(i));
    if (by) disputed[i] = by->value();
    const bool valid = log_.entries[i].verdict == "valid";
    EXPECT_EQ(replay_.Counts(EntryIndex(i)), valid && !by) << i;
  }
  EXPECT_EQ(disputed, log_.disputed);
}

TEST_P(ReplayGolden, RingAtEveryPosition) {
  Roles before;
  for (size_t i = 0; i < rings_.size(); ++i) {
    Roles changes;
    for (const auto& [key, role] : rings_[i]) {
      if (before[key] != role) changes[key] = role;
    }
    const auto expected = log_.ring_by_position.find(i);
    EXPECT_EQ(changes, expected == log_.ring_by_position.end() ? Roles() : expected->second) << i;
    before = rings_[i];
  }
  std::map<std::string, std::string> ring;
  for (const auto& [key, role] : rings_.back()) {
    if (role) ring[key] = *role;
  }
  EXPECT_EQ(ring, log_.ring);
}

TEST_P(ReplayGolden, Owners) {
  std::map<std::string, std::optional<std::string>> owners, expected;
  for (size_t i = 0; i < replay_.records().size(); ++i) {
    const Digest& record = replay_.records().RecordAt(i);
    const auto owner = replay_.OwnerOf(record);
    auto& slot = owners[record.ToText()];
    if (owner) slot = owner->ToText();
  }
  for (auto [record, owner] : object(Expected("owners"))) {
    expected[std::string(record)] = TextOrNull(owner);
  }
  EXPECT_EQ(owners, expected);
}

TEST_P(ReplayGolden, RetractionsAndTheirChains) {
  std::set<std::string> expected;
  for (auto [record, state] : object(Expected("retracted"))) {
    expected.emplace(record);
    const auto retraction = replay_.RetractionOf(DigestOf(record));
    ASSERT_TRUE(retraction.has_value()) << record;
    EXPECT_EQ(retraction->index.value(), uint64_t(state["index"])) << record;
    EXPECT_EQ(ChainEndName(retraction->chain_end), std::string_view(state["chainEnds"])) << record;
    const auto successor = TextOrNull(state["supersededBy"]);
    ASSERT_EQ(retraction->superseded_by.has_value(), successor.has_value()) << record;
    if (successor) EXPECT_EQ(retraction->superseded_by->ToText(), *successor);
    std::vector<std::string> chain, expected_chain;
    for (const Digest& next : retraction->chain) chain.push_back(next.ToText());
    for (element next : array(state["chain"])) expected_chain.emplace_back(std::string_view(next));
    EXPECT_EQ(chain, expected_chain) << record;
  }
  for (size_t i = 0; i < replay_.records().size(); ++i) {
    const Digest& record = replay_.records().RecordAt(i);
    EXPECT_EQ(replay_.RetractionOf(record).has_value(), expected.contains(record.ToText()));
  }
}

TEST_P(ReplayGolden, Withdrawals) {
  std::set<std::pair<std::string, std::string>> withdrawn, expected;
  for (size_t i = 0; i < replay_.records().size(); ++i) {
    const Digest& record = replay_.records().RecordAt(i);
    for (const KeyId& signer : replay_.WithdrawnBy(record)) {
      withdrawn.emplace(record.ToText(), signer.ToText());
    }
  }
  for (element pair : array(Expected("withdrawn"))) {
    expected.emplace(std::string_view(pair.at(0)), std::string_view(pair.at(1)));
  }
  EXPECT_EQ(withdrawn, expected);
}

TEST_P(ReplayGolden, WithheldDigestsAndThePolicy) {
  std::set<std::string> withheld, expected;
  for (const Digest& digest : replay_.Withheld()) {
    withheld.insert(digest.ToText());
    EXPECT_TRUE(replay_.IsWithheld(digest));
  }
  for (element digest : array(Expected("withheld"))) expected.emplace(std::string_view(digest));
  EXPECT_EQ(withheld, expected);
  EXPECT_EQ(replay_.OpenAttestations(), bool(Expected("openAttestations")));
}

TEST_P(ReplayGolden, LogKeys) {
  using Span = std::pair<uint64_t, std::optional<uint64_t>>;
  std::map<std::string, Span> keys, expected;
  for (const LogKeySpan& span : replay_.LogKeys()) {
    Span& slot = keys[span.key.ToVkey()];
    slot.first = span.from.value();
    if (span.until) slot.second = span.until->value();
  }
  for (auto [vkey, span] : object(Expected("logKeys"))) {
    Span& slot = expected[std::string(vkey)];
    slot.first = uint64_t(span.at(0));
    if (!element(span.at(1)).is_null()) slot.second = uint64_t(span.at(1));
  }
  EXPECT_EQ(keys, expected);
}

// What is wrong with content is not the replay's.
TEST_P(ReplayGolden, Faults) {
  std::vector<std::pair<uint64_t, std::string>> faults, expected;
  for (const EntryFault& fault : replay_.Faults()) {
    faults.emplace_back(fault.index.value(), fault.reason);
  }
  for (element fault : array(Expected("faults"))) {
    const std::string_view reason(fault.at(1));
    if (reason == reason::kContentMismatch || reason == reason::kMissingContent) continue;
    expected.emplace_back(uint64_t(fault.at(0)), reason);
  }
  EXPECT_EQ(faults, expected);
}

INSTANTIATE_TEST_SUITE_P(All, ReplayGolden, ::testing::ValuesIn(testing::kGoldenLogs),
                         [](const auto& suite) {
                           std::string name(suite.param);
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace stele
