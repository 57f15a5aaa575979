// Replays the key events of the golden logs and compares the ring with the reference at every
// index.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/base/refusal.h"
#include "core/json/parse.h"
#include "core/statement/entry.h"
#include "core/statement/key_ring.h"
#include "tests/support/golden_log.h"

namespace stele {
namespace {

using testing::GoldenEntry;
using testing::GoldenLog;

struct Said {
  EntryIndex index;
  KeyId signer;
  EventIndex authority;
  Statement statement;
};

// What entry `i` says; nothing if it cannot be read, which is void or withheld.
std::optional<Said> Read(const GoldenLog& log, size_t i) {
  const auto entry = ParseLeaf(log.entries[i].leaf);
  EXPECT_TRUE(entry.ok()) << entry.status();
  if (!entry.ok()) return std::nullopt;
  std::optional<StoredEnvelope> envelope;
  if (const auto* inline_body = std::get_if<StoredEnvelope>(&entry->body)) {
    envelope = *inline_body;
  } else {
    const auto bytes = log.Content(std::get<DetachedEnvelope>(entry->body).digest.ToHex());
    if (!bytes) return std::nullopt;
    const auto value = json::Parse(*bytes);
    if (!value.ok()) return std::nullopt;
    const auto stored = StoredEnvelopeFromValue(*value);
    if (!stored.ok()) return std::nullopt;
    envelope = *stored;
  }
  auto statement = ParseStatement(envelope->payload, log.origin);
  if (!statement.ok()) return std::nullopt;
  return Said{EntryIndex(i), envelope->key, entry->authority, *std::move(statement)};
}

std::map<std::string, std::optional<std::string>> Roles(const KeyRing& ring) {
  std::map<std::string, std::optional<std::string>> roles;
  for (const KeyState& state : ring.Keys()) {
    auto& slot = roles[state.key.ToText()];
    if (state.role) slot = std::string(RoleName(*state.role));
  }
  return roles;
}

// The reference lists what changes; a key that had no role before and has none after does not.
std::map<std::string, std::optional<std::string>> Changes(
    const std::map<std::string, std::optional<std::string>>& before,
    const std::map<std::string, std::optional<std::string>>& after) {
  std::map<std::string, std::optional<std::string>> changes;
  for (const auto& [key, role] : after) {
    const auto old = before.find(key);
    if ((old == before.end() ? std::nullopt : old->second) != role) changes[key] = role;
  }
  return changes;
}

absl::Status Check(const KeyRing& ring, const Said& said) {
  if (const auto* grant = std::get_if<KeyGrant>(&said.statement.predicate)) {
    return ring.CheckGrant(said.index, said.signer, *grant);
  }
  const auto* revoke = std::get_if<KeyRevoke>(&said.statement.predicate);
  if (revoke == nullptr) return absl::OkStatus();
  return ring.CheckRevoke(said.index, said.signer, said.statement.subjects.front().digest, *revoke);
}

bool IsGrantOrRevoke(const Statement& statement) {
  return statement.type == StatementType::kKeyGrant || statement.type == StatementType::kKeyRevoke;
}

class Replay {
 public:
  explicit Replay(std::string_view name) : log_(testing::LoadGoldenLog(name)) {}

  void Run() {
    for (size_t i = 0; i < log_.entries.size(); ++i) {
      SCOPED_TRACE(log_.dir.filename().string() + " " + std::to_string(i));
      const auto said = Read(log_, i);
      if (log_.entries[i].verdict == "valid") {
        ASSERT_TRUE(said.has_value());
        Valid(*said, log_.entries[i]);
      } else {
        EXPECT_FALSE(log_.ring_by_position.contains(i));
        if (said) NotValid(*said, log_.entries[i]);
      }
    }
    CheckHead();
  }
  size_t checked_refusals() const { return checked_refusals_; }
  size_t disputed() const { return log_.disputed.size(); }

 private:
  void Valid(const Said& said, const GoldenEntry& entry) {
    EXPECT_EQ(said.signer.ToText(), entry.signer);
    const bool foreign = said.statement.type == StatementType::kForeign;
    EXPECT_EQ(foreign ? said.statement.predicate_type : StatementTypeName(said.statement.type),
              entry.type);
    const size_t i = said.index.value();
    if (i > 0) {
      EXPECT_EQ(ring_.Latest(said.signer), EventIndex(entry.authority));
      // An introduction brings its own key, which a disputed event may have brought before.
      EXPECT_TRUE(ring_.FindKey(said.signer) != nullptr || entry.type == "key-introduction");
      const absl::Status verdict = Check(ring_, said);
      EXPECT_TRUE(verdict.ok()) << verdict;
    }
    for (const KeyEvent& event :
         KeyEventsOf(said.statement, said.index, said.signer, said.authority)) {
      ring_.Add(event);
    }
    valid_.push_back(said);
    CheckPosition(i);
  }

  void CheckPosition(size_t i) {
    const auto roles = Roles(ring_);
    const auto expected = log_.ring_by_position.find(i);
    const auto changes = Changes(roles_, roles);
    if (expected == log_.ring_by_position.end()) {
      EXPECT_TRUE(changes.empty());
    } else {
      EXPECT_EQ(changes, expected->second);
    }
    roles_ = roles;
  }

  void NotValid(const Said& said, const GoldenEntry& entry) {
    static const std::set<std::string> kOurs = {"ROLE", "STALE_AFTER", "RECOVERY_KEY",
                                                "COMPROMISED_SINCE", "LAST_OPERATOR"};
    if (!IsGrantOrRevoke(said.statement) || !kOurs.contains(entry.reason)) return;
    EXPECT_EQ(ReasonOf(Check(ring_, said)), entry.reason);
    ++checked_refusals_;
  }

  void CheckHead() {
    std::map<std::string, std::string> ring;
    for (const auto& [key, role] : roles_) {
      if (role) ring[key] = *role;
    }
    EXPECT_EQ(ring, log_.ring);
    std::map<uint64_t, uint64_t> disputed;
    for (const Said& said : valid_) {
      const auto by = ring_.DisputedBy(said.index, said.signer, said.authority);
      if (by) disputed[said.index.value()] = by->value();
    }
    EXPECT_EQ(disputed, log_.disputed);
  }

  const GoldenLog log_;
  KeyRing ring_;
  std::vector<Said> valid_;
  std::map<std::string, std::optional<std::string>> roles_;
  size_t checked_refusals_ = 0;
};

size_t RunLog(std::string_view name, size_t disputed) {
  Replay replay(name);
  replay.Run();
  EXPECT_EQ(replay.disputed(), disputed);
  return replay.checked_refusals();
}

TEST(KeyRingGolden, Log) { EXPECT_EQ(RunLog("log", 10), 0u); }
TEST(KeyRingGolden, Recovery) { EXPECT_EQ(RunLog("log-recovery", 2), 5u); }
TEST(KeyRingGolden, Roles) { EXPECT_EQ(RunLog("log-roles", 0), 24u); }
TEST(KeyRingGolden, WithVoid) { EXPECT_EQ(RunLog("log-with-void", 0), 14u); }
TEST(KeyRingGolden, Random1) { EXPECT_EQ(RunLog("log-random-1", 56), 39u); }
TEST(KeyRingGolden, Random2) { EXPECT_EQ(RunLog("log-random-2", 60), 41u); }

}  // namespace
}  // namespace stele
