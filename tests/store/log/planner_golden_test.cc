// Admission and planner against the golden logs, statement by statement, each with the log below it
// as the reference has it: what is valid becomes the same leaf, what is void is refused for the
// same reason.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/base/refusal.h"
#include "core/crypto/sha256.h"
#include "core/replay/judge.h"
#include "store/admit/admission.h"
#include "store/backend/memory_backend.h"
#include "store/log/find_facts.h"
#include "tests/support/replay/golden_said.h"
#include "tests/support/store/golden_store.h"
#include "tests/support/store/stage_over.h"

namespace stele::store::testing {
namespace {

using stele::testing::GoldenEntry;
using stele::testing::GoldenLog;

// What no statement can be made to match, by log, and how many entries: leaves with a fault that
// the planner does not make, envelopes that are not there, and digests that are withheld by then.
using Counts = std::map<std::string, int>;
Counts Passed(std::string_view log) {
  if (log == "log") return {{"WITHHELD", 1}};
  if (log == "log-with-void") {
    return {{"AUTHORITY", 4}, {"WRONG_FORM", 4}, {"DETACHED_MISMATCH", 1}, {"WITHHELD", 2}};
  }
  return {};
}

int WithoutContentIn(std::string_view log) {
  if (log == "log") return 1;             // a manifest that is withheld by the end
  return log == "log-with-void" ? 4 : 0;  // the last four: missing or another
}
int NameWithheldIn(std::string_view log) {
  if (log == "log-random-1") return 7;
  return log == "log-random-2" ? 6 : 0;
}

class PlannerGolden : public ::testing::TestWithParam<std::string_view> {
 protected:
  void Take(size_t i);
  void Compare(const ReadEntry& read, const Decision& decision, const CommitPlan& plan);
  void CheckFacts(const Statement& statement, const StatementFacts& facts);
  Decision Decide(const ReadEntry& read, CommitPlan& plan);
  PublishItem ItemOf(const ReadEntry& read) const;
  std::optional<EntryIndex> FirstCopy(const Said& said) const;

  const GoldenLog log_ = stele::testing::LoadGoldenLog(GetParam());
  const std::vector<ReadEntry> read_ = stele::testing::ReadGoldenEntries(log_);
  GoldenStore store_{log_};
  GuestQuota guests_{GuestLimits()};
  const Clock clock_ = [] { return TimeMs{0}; };
  // With nothing staged: what the logs name is stored.
  const std::unique_ptr<ArtifactStage> stage_ = stele::testing::StageOver(
      [staged = std::make_shared<MemoryBackend>()]() -> std::shared_ptr<Backend> {
        return staged;
      });
  Counts passed_;
  // Of valid entries, what a server would refuse all the same: publications of which some content
  // is gone, and whatever names a digest that is withheld by then.
  int without_content_ = 0, name_withheld_ = 0;
  int compared_ = 0;
};

PublishItem PlannerGolden::ItemOf(const ReadEntry& read) const {
  const Said& said = read.said;
  PublishItem item{.tag = said.index.value(), .key_id = std::string(said.signer.bytes())};
  item.envelope = FormatEnvelope(read.payload, said.signer, read.signature);
  for (const Subject& subject : said.statement.subjects) {
    if (!subject.manifest) continue;
    auto manifest = log_.Content(subject.manifest->ToHex());
    if (manifest) item.manifests.push_back(*std::move(manifest));
  }
  return item;
}

// As admission would hand it over, were the content there.
AdmittedStatement WithoutContent(const ReadEntry& read) {
  AdmittedStatement admitted;
  admitted.statement = read.said.statement;
  admitted.signer = read.said.signer;
  admitted.payload_digest = read.said.payload;
  admitted.payload = read.payload;
  admitted.envelope = FormatEnvelope(read.payload, read.said.signer, read.signature);
  if (AlwaysDetached(admitted.statement.type)) admitted.detached = Sha256(admitted.envelope);
  return admitted;
}

bool IsAboutContent(const absl::Status& status) {
  const std::string word = ReasonOf(status);
  return word == reason::kMissingContent || word == reason::kContentMismatch ||
         word == reason::kWithheld;
}

std::optional<EntryIndex> PlannerGolden::FirstCopy(const Said& said) const {
  for (size_t i = 0; i < said.index.value(); ++i) {
    const Said& earlier = read_[i].said;
    if (log_.entries[i].verdict != "valid") continue;
    if (earlier.payload == said.payload && earlier.signer == said.signer) return earlier.index;
  }
  return std::nullopt;
}

// What was looked up in the rows is what the replay of the same entries says.
void PlannerGolden::CheckFacts(const Statement& statement, const StatementFacts& facts) {
  const RecordTable& records = store_.replay().records();
  const SubjectQuestion question = QuestionOf(statement.type);
  bool any = false, expected = false;
  for (const Subject& subject : statement.subjects) {
    const auto found = facts.subjects.find(subject.digest);
    const bool known = found != facts.subjects.end();
    if (question == SubjectQuestion::kPublished) {
      EXPECT_EQ(known && found->second.published, records.IsPublished(subject.digest));
    }
    any = any || (known && found->second.stored);
    expected = expected || records.IsStored(subject.digest);
  }
  if (question == SubjectQuestion::kStored) EXPECT_EQ(any, expected);
  if (question == SubjectQuestion::kNone) EXPECT_TRUE(facts.subjects.empty());
}

Decision PlannerGolden::Decide(const ReadEntry& read, CommitPlan& plan) {
  AdmittedStatement statement;
  StatementFacts facts;
  if (read.said.index == EntryIndex{0}) {
    statement = WithoutContent(read);  // there is no store to be admitted to yet
  } else {
    PublishItem item = ItemOf(read);
    Admitted admitted = Admit(item, store_.reader(), guests_, clock_, *stage_);
    if (const auto* receipt = std::get_if<Receipt>(&admitted)) return Replayed{receipt->index};
    if (const auto* refused = std::get_if<absl::Status>(&admitted)) {
      if (!IsAboutContent(*refused)) return *refused;
      const bool valid = log_.entries[read.said.index.value()].verdict == "valid";
      if (valid && ReasonOf(*refused) != reason::kWithheld) ++without_content_;
      statement = WithoutContent(read);
    } else {
      statement = std::move(*std::get<std::unique_ptr<AdmittedStatement>>(admitted));
    }
    const ReplayKey key{statement.payload_digest, statement.signer};
    facts.replay = *store_.snapshot().FindReplay(key);
    if (statement.detached) facts.copies = *FindCopies(store_.snapshot(), key);
    facts.subjects = *FindSubjectFacts(store_.snapshot(), statement.statement, statement.signer);
    CheckFacts(statement.statement, facts);
  }
  auto planned = PlanBatch(store_.state(), {&statement}, {facts}, read.said.logged);
  if (!planned.ok()) return planned.status();
  const auto* refused = std::get_if<absl::Status>(&planned->decisions.front());
  if (refused != nullptr && ReasonOf(*refused) == reason::kWithheld) {
    ++name_withheld_;
    planned = PlanBatch(store_.WithoutWithholdings(), {&statement}, {facts}, read.said.logged);
    if (!planned.ok()) return planned.status();
  }
  EXPECT_EQ(planned->plan.head.root, planned->next.frontier.Root());
  plan = std::move(planned->plan);
  return planned->decisions.front();
}

void PlannerGolden::Compare(const ReadEntry& read, const Decision& decision,
                            const CommitPlan& plan) {
  const GoldenEntry& entry = log_.entries[read.said.index.value()];
  if (entry.verdict == "valid") {
    const auto* refused = std::get_if<absl::Status>(&decision);
    ASSERT_EQ(refused, nullptr) << *refused;
    ASSERT_TRUE(std::holds_alternative<Appended>(decision));
    ASSERT_EQ(plan.entries.size(), 1u);
    EXPECT_EQ(plan.entries[0].leaf, entry.leaf);
    if (!read.detached) return;
    // The envelope is kept with it.
    ASSERT_EQ(plan.content.size(), 1u);
    EXPECT_EQ(plan.content[0].digest, read.detached->digest);
    EXPECT_EQ(plan.content[0].bytes, *log_.Content(read.detached->digest.ToHex()));
  } else if (entry.reason == reason::kReplayed) {
    ASSERT_TRUE(std::holds_alternative<Replayed>(decision));
    EXPECT_EQ(std::get<Replayed>(decision).index, FirstCopy(read.said));
  } else {
    ASSERT_TRUE(std::holds_alternative<absl::Status>(decision));
    EXPECT_EQ(ReasonOf(std::get<absl::Status>(decision)), entry.reason);
    EXPECT_TRUE(plan.entries.empty());
  }
}

// Leaves that the planner does not make: it writes another one.
bool IsFaultOfTheLeaf(const std::string& reason) {
  return reason == reason::kAuthority || reason == reason::kWrongForm ||
         reason == reason::kDetachedMismatch;
}

void PlannerGolden::Take(size_t i) {
  const ReadEntry& read = read_[i];
  const GoldenEntry& entry = log_.entries[i];
  CommitPlan plan;
  if (read.said.reading < Said::Reading::kBadPayload) {
    ++passed_[entry.reason];
  } else if (IsFaultOfTheLeaf(entry.reason)) {
    ++passed_[entry.reason];
    Decide(read, plan);
    for (const EntryRow& row : plan.entries) EXPECT_NE(row.leaf, entry.leaf);
  } else {
    Compare(read, Decide(read, plan), plan);
    ++compared_;
  }
}

TEST_P(PlannerGolden, SameLeavesAndReasons) {
  for (size_t i = 0; i < read_.size(); ++i) {
    SCOPED_TRACE(i);
    Take(i);
    store_.Add(read_[i]);
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(passed_, Passed(GetParam()));
  int passed = 0;
  for (const auto& [reason, count] : passed_) passed += count;
  EXPECT_EQ(compared_ + passed, static_cast<int>(read_.size()));
  EXPECT_EQ(without_content_, WithoutContentIn(GetParam()));
  EXPECT_EQ(name_withheld_, NameWithheldIn(GetParam()));
  std::map<std::string, std::string> roles;
  for (const KeyState& key : store_.state().ring->Keys()) {
    if (key.role.has_value()) roles[key.key.ToText()] = std::string(RoleName(*key.role));
  }
  EXPECT_EQ(roles, log_.ring);
}

INSTANTIATE_TEST_SUITE_P(Logs, PlannerGolden, ::testing::ValuesIn(stele::testing::kGoldenLogs),
                         [](const auto& info) {
                           std::string name(info.param);
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace stele::store::testing
