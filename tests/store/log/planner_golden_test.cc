// The planner against the golden logs, statement by statement: what is valid becomes the same leaf,
// what is void is refused for the same reason.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/base/refusal.h"
#include "core/crypto/sha256.h"
#include "core/statement/entry.h"
#include "store/log/planner.h"
#include "tests/support/golden_log.h"

namespace stele::store {
namespace {

using testing::GoldenEntry;
using testing::GoldenLog;

struct Said {
  AdmittedStatement admitted;
  EventIndex authority;
  TimeMs logged;
};

bool InScope(StatementType type) {
  return type == StatementType::kGenesis || type == StatementType::kKeyGrant ||
         type == StatementType::kKeyRevoke || type == StatementType::kPublication;
}

// What entry `i` says inline; nothing if it is detached or cannot be read.
std::optional<Said> Read(const GoldenLog& log, size_t i) {
  const auto entry = ParseLeaf(log.entries[i].leaf);
  if (!entry.ok()) return std::nullopt;
  const auto* envelope = std::get_if<StoredEnvelope>(&entry->body);
  if (envelope == nullptr) return std::nullopt;
  auto statement = ParseStatement(envelope->payload, log.origin);
  if (!statement.ok()) return std::nullopt;
  return Said{.admitted = {.statement = *std::move(statement),
                           .signer = envelope->key,
                           .payload_digest = Sha256(envelope->payload),
                           .payload = envelope->payload,
                           .envelope = FormatEnvelope(envelope->payload, envelope->key,
                                                      envelope->signature),
                           .content = {},
                           .looked_up = {}},
              .authority = entry->authority,
              .logged = entry->logged};
}

// The log below an entry, as the planner gets it.
class Below {
 public:
  explicit Below(const std::string& origin) : state_(EmptyLog(origin)) {}

  const LogState& state() const { return state_; }
  std::optional<EntryIndex> Replay(const AdmittedStatement& admitted) const {
    const auto found = replays_.find({admitted.payload_digest, admitted.signer});
    return found == replays_.end() ? std::nullopt : std::optional(found->second);
  }

  void Add(const GoldenEntry& entry, const std::optional<Said>& said) {
    const EntryIndex index{state_.head.size.value()};
    auto edge = std::make_shared<TreeEdge>(*state_.edge);
    edge->ForgetFinished();
    edge->Append(LeafHash(entry.leaf));
    state_.frontier.Append(LeafHash(entry.leaf));
    state_.head.size = edge->size();
    state_.head.root = edge->Root();
    state_.edge = std::move(edge);
    if (!said.has_value()) return;
    state_.head.last_logged = said->logged;
    if (entry.verdict != "valid") return;
    replays_[{said->admitted.payload_digest, said->admitted.signer}] = index;
    auto ring = std::make_shared<KeyRing>(*state_.ring);
    for (const KeyEvent& event :
         KeyEventsOf(said->admitted.statement, index, said->admitted.signer, said->authority)) {
      ring->Add(event);
    }
    state_.ring = std::move(ring);
  }

 private:
  LogState state_;
  std::map<ReplayKey, EntryIndex> replays_;
};

// Faults of the leaf that was logged, not of the statement: the planner makes another leaf.
bool FaultOfTheLeaf(const std::string& reason) {
  return reason == reason::kAuthority || reason == reason::kWrongForm;
}

class PlannerGolden : public ::testing::TestWithParam<std::string_view> {};

void Compare(const GoldenEntry& entry, Said said, const Below& below) {
  const auto planned =
      PlanBatch(below.state(), {&said.admitted}, {below.Replay(said.admitted)}, said.logged);
  ASSERT_TRUE(planned.ok()) << planned.status();
  const Decision& decision = planned->decisions.front();
  if (entry.verdict == "valid") {
    ASSERT_TRUE(std::holds_alternative<Appended>(decision));
    ASSERT_EQ(planned->plan.entries.size(), 1u);
    EXPECT_EQ(planned->plan.entries[0].leaf, entry.leaf);
    EXPECT_EQ(planned->plan.head.root, planned->next.frontier.Root());
  } else if (FaultOfTheLeaf(entry.reason)) {
    for (const EntryRow& row : planned->plan.entries) EXPECT_NE(row.leaf, entry.leaf);
  } else if (entry.reason == reason::kReplayed) {
    EXPECT_TRUE(std::holds_alternative<Replayed>(decision));
  } else if (entry.reason != reason::kBadSignature) {
    ASSERT_TRUE(std::holds_alternative<absl::Status>(decision));
    EXPECT_EQ(ReasonOf(std::get<absl::Status>(decision)), entry.reason);
    EXPECT_TRUE(planned->plan.entries.empty());
  }
}

TEST_P(PlannerGolden, SameLeavesAndReasons) {
  const GoldenLog log = testing::LoadGoldenLog(GetParam());
  Below below(log.origin);
  size_t compared = 0;
  for (size_t i = 0; i < log.entries.size(); ++i) {
    SCOPED_TRACE(i);
    const GoldenEntry& entry = log.entries[i];
    std::optional<Said> said = Read(log, i);
    if (said.has_value() && InScope(said->admitted.statement.type)) {
      Compare(entry, *said, below);
      ++compared;
    }
    below.Add(entry, said);
  }
  EXPECT_GT(compared, 10u);
  std::map<std::string, std::string> roles;
  for (const KeyState& key : below.state().ring->Keys()) {
    if (key.role.has_value()) roles[key.key.ToText()] = std::string(RoleName(*key.role));
  }
  EXPECT_EQ(roles, log.ring);
}

INSTANTIATE_TEST_SUITE_P(Logs, PlannerGolden, ::testing::ValuesIn(testing::kGoldenLogs),
                         [](const auto& info) {
                           std::string name(info.param);
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace stele::store
