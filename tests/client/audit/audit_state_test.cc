// Audits that go on where an earlier one was: a log that grows, one that contradicts itself, files
// that were lost, content that comes and goes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>

#include "client/audit/auditor.h"
#include "client/audit/state.h"
#include "client/source/folder_source.h"
#include "core/base/refusal.h"
#include "tests/client/audit/static_log.h"
#include "tests/support/shared.h"

namespace stele::client {
namespace {

using ::testing::HasSubstr;

// A source that cannot be reached after some calls: where an audit ends when it is killed.
class FailingSource final : public Source {
 public:
  FailingSource(const std::filesystem::path& folder, int calls) : source_(folder), left_(calls) {}
  const std::string& name() const override { return source_.name(); }
  absl::StatusOr<std::string> Checkpoint() override { return source_.Checkpoint(); }
  absl::StatusOr<std::vector<std::string>> Entries(EntryIndex start, uint64_t count,
                                                   TreeSize size) override {
    if (left_-- <= 0) return absl::UnavailableError("gone");
    return source_.Entries(start, count, size);
  }
  absl::StatusOr<std::string> Tile(const TileId& id) override { return source_.Tile(id); }
  absl::Status Content(absl::Span<const Digest> digests, const VisitContent& visit) override {
    return source_.Content(digests, visit);
  }
  absl::StatusOr<bool> Artifact(const Digest& digest, ByteSink& sink) override {
    return source_.Artifact(digest, sink);
  }
  int left() const { return left_; }

 private:
  FolderSource source_;
  std::atomic<int> left_;
};

class AuditWithState : public ::testing::Test {
 protected:
  AuditWithState() {
    options_.policy = PolicyOfLogKeys(log_.PolicyKeys());
    options_.state = log_.StateFile();
    options_.batch_entries = 32;
  }
  absl::StatusOr<AuditReport> Run() const {
    FolderSource source(log_.dir());
    return Audit(source, options_);
  }
  // What an audit without a memory says.
  AuditReport Whole() const {
    AuditOptions options = options_;
    options.state.reset();
    FolderSource source(log_.dir());
    return *Audit(source, options);
  }
  static std::string Text(const std::vector<AuditFault>& faults) {
    std::string text;
    for (const AuditFault& fault : faults) {
      text += std::to_string(fault.index.value()) + " " + fault.reason + "\n";
    }
    return text;
  }
  static void ExpectSame(const AuditReport& a, const AuditReport& b) {
    EXPECT_EQ(a.checkpoint, b.checkpoint);
    EXPECT_EQ(a.valid, b.valid);
    EXPECT_EQ(a.void_entries, b.void_entries);
    EXPECT_EQ(a.withheld, b.withheld);
    EXPECT_EQ(a.disputed, b.disputed);
    EXPECT_EQ(a.records, b.records);
    EXPECT_EQ(Text(a.faults), Text(b.faults));
  }
  std::filesystem::path Journal() const { return log_.StateFile().string() + ".journal"; }

  StaticLog log_{"log"};
  AuditOptions options_;
};

TEST_F(AuditWithState, AGrowingLogIsReadOnce) {
  uint64_t before = 0;
  for (uint64_t size : {1, 2, 100, 256, 257, 290}) {
    log_.Show(size, {"log key 1", "log key 2"});
    const auto report = Run();
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->resumed.value(), before);
    EXPECT_EQ(report->earlier.has_value(), before > 0);
    ExpectSame(*report, Whole());
    before = size;
  }
  // What was proven is not asked for again.
  std::filesystem::remove(log_.dir() / "tile/entries/000");
  log_.Show(300, {"log key 2"});
  std::filesystem::remove(log_.dir() / "tile/entries/000");
  const auto report = Run();
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->resumed, TreeSize(290));
}

TEST_F(AuditWithState, NothingNewIsNothingToRead) {
  ASSERT_TRUE(Run().ok());
  FailingSource source(log_.dir(), 0);
  const auto report = Audit(source, options_);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(source.left(), 0);
  EXPECT_EQ(report->contents, 0u);
  ExpectSame(*report, Whole());
}

TEST_F(AuditWithState, WhereverItEndsItGoesOn) {
  const AuditReport whole = Whole();
  for (int calls = 0; calls <= 10; ++calls) {
    std::filesystem::remove(log_.StateFile());
    std::filesystem::remove(Journal());
    FailingSource source(log_.dir(), calls);
    const auto first = Audit(source, options_);
    if (source.left() < 0) EXPECT_EQ(first.status().code(), absl::StatusCode::kUnavailable);
    EXPECT_EQ(std::filesystem::exists(log_.StateFile()), first.ok());
    const auto second = Run();
    ASSERT_TRUE(second.ok()) << second.status();
    const auto read = static_cast<uint64_t>(32 * calls);
    if (!first.ok()) EXPECT_EQ(second->resumed.value(), read) << calls;
    ExpectSame(*second, whole);
  }
}

TEST_F(AuditWithState, AJournalCutAnywhereOrFlippedAnywhereCostsTimeOnly) {
  log_.Show(64);
  ASSERT_TRUE(Run().ok());
  const std::string journal = testing::ReadFile(Journal());
  const AuditReport whole = Whole();
  const auto write = [&](std::string_view bytes) {
    std::ofstream(Journal(), std::ios::binary) << bytes;
  };
  for (size_t at = 0; at < journal.size(); at += 997) {
    write(std::string_view(journal).substr(0, at));
    auto report = Run();
    ASSERT_TRUE(report.ok()) << at << ": " << report.status();
    ExpectSame(*report, whole);
    std::string flipped = journal;
    flipped[at] ^= 1;
    write(flipped);
    report = Run();
    ASSERT_TRUE(report.ok()) << at << ": " << report.status();
    ExpectSame(*report, whole);
  }
}

TEST_F(AuditWithState, AnotherHistoryBelowAnOldCheckpointIsAContradictionWithBothSides) {
  log_.Show(100);
  ASSERT_TRUE(Run().ok());
  const std::string old = log_.Read("checkpoint");
  std::swap(log_.leaves[50], log_.leaves[51]);
  log_.Show(150);
  for (bool with_journal : {true, false}) {
    if (!with_journal) std::filesystem::remove(Journal());
    const auto report = Run();
    EXPECT_EQ(report.status().code(), absl::StatusCode::kDataLoss);
    EXPECT_EQ(ReasonOf(report.status()), "");
    const std::string message(report.status().message());
    EXPECT_THAT(message, HasSubstr(old));
    EXPECT_THAT(message, HasSubstr(log_.Read("checkpoint")));
  }
  // It is remembered what was proven first.
  EXPECT_EQ(ParseAuditState(testing::ReadFile(log_.StateFile()))->note, old);
  std::swap(log_.leaves[50], log_.leaves[51]);
  log_.Show(150);
  EXPECT_TRUE(Run().ok());
}

TEST_F(AuditWithState, AnOldHeadIsStaleIfItAgreesAndAContradictionIfNot) {
  log_.Show(100);
  ASSERT_TRUE(Run().ok());
  log_.Show(60);
  const auto stale = Run();
  ASSERT_TRUE(stale.ok()) << stale.status();
  EXPECT_TRUE(stale->earlier_compared);
  EXPECT_EQ(stale->earlier->size, TreeSize(100));
  EXPECT_EQ(ParseAuditState(testing::ReadFile(log_.StateFile()))->checkpoint.size, TreeSize(100));
  std::swap(log_.leaves[50], log_.leaves[51]);
  log_.Show(60);
  const auto report = Run();
  EXPECT_EQ(report.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(report.status().message()), HasSubstr("contradict"));
}

TEST_F(AuditWithState, AnOldHeadWithoutTheJournalIsNotCalledCompared) {
  log_.Show(100);
  ASSERT_TRUE(Run().ok());
  std::filesystem::remove(Journal());
  log_.Show(60);
  const auto report = Run();
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_FALSE(report->earlier_compared);
  EXPECT_EQ(ParseAuditState(testing::ReadFile(log_.StateFile()))->checkpoint.size, TreeSize(100));
}

// Entries that were read and never proven are not held against a source that shows others.
TEST_F(AuditWithState, AJournalOfAnotherHeadIsForgotten) {
  log_.Show(100);
  ASSERT_TRUE(Run().ok());
  std::swap(log_.leaves[120], log_.leaves[121]);
  log_.Show(200, {"log key 1", "log key 2"});
  FailingSource source(log_.dir(), 2);
  ASSERT_EQ(Audit(source, options_).status().code(), absl::StatusCode::kUnavailable);
  std::swap(log_.leaves[120], log_.leaves[121]);
  log_.Show(200, {"log key 1", "log key 2"});
  const auto report = Run();
  ASSERT_TRUE(report.ok()) << report.status();
  ExpectSame(*report, Whole());
}

TEST_F(AuditWithState, ContentThatIsBackIsLookedAtAgain) {
  const testing::GoldenLog& golden = log_.golden();
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(log_.dir() / "content")) {
    names.push_back(file.path().filename());
  }
  // Some bytes there are named by no entry that counts.
  std::string hex;
  for (const std::string& name : names) {
    hex = name;
    std::filesystem::rename(log_.dir() / "content" / hex, log_.dir() / "gone");
    const auto report = Run();
    ASSERT_TRUE(report.ok()) << report.status();
    if (!report->faults.empty()) break;
    std::filesystem::rename(log_.dir() / "gone", log_.dir() / "content" / hex);
    std::filesystem::remove(log_.StateFile());
    std::filesystem::remove(Journal());
  }
  const auto again = Run();
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->resumed, TreeSize(golden.entries.size()));
  ASSERT_FALSE(again->faults.empty());
  EXPECT_EQ(again->faults[0].reason, "MISSING_CONTENT");
  std::filesystem::rename(log_.dir() / "gone", log_.dir() / "content" / hex);
  const auto whole = Run();
  ASSERT_TRUE(whole.ok()) << whole.status();
  ExpectSame(*whole, Whole());
  EXPECT_TRUE(whole->faults.empty());
}

TEST_F(AuditWithState, AStateOfAnotherLogOrOfNoAuditIsRefused) {
  log_.Show(60);
  ASSERT_TRUE(Run().ok());
  const StaticLog other("log-recovery");
  FolderSource source(other.dir());
  AuditOptions options = options_;
  options.policy = PolicyOfLogKeys(other.PolicyKeys());
  EXPECT_EQ(Audit(source, options).status().code(), absl::StatusCode::kDataLoss);
  std::ofstream(log_.StateFile()) << "my notes";
  EXPECT_EQ(Run().status().code(), absl::StatusCode::kInvalidArgument);
}

// Rule 32.
TEST_F(AuditWithState, LogKeysSignFromAndUntilTheirSizes) {
  options_.state.reset();
  log_.Show(155, {"log key 1"});
  auto report = Run();
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_THAT(report->unsigned_by, ::testing::ElementsAre(HasSubstr("+350f8ce7+")));
  log_.Show(155, {"log key 1", "log key 2"});
  EXPECT_TRUE(Run()->unsigned_by.empty());
  log_.Show(200, {"log key 1"});
  EXPECT_EQ(ReasonOf(Run().status()), "LOG_KEY_RETIRED");
  log_.Show(150, {"log key 2"});
  EXPECT_EQ(ReasonOf(Run().status()), "LOG_KEY_RETIRED");
  log_.Show(200, {"log key 2"});
  EXPECT_TRUE(Run().ok());
  log_.Show(200, {"log key 3"});
  EXPECT_EQ(ReasonOf(Run().status()), "CHECKPOINT_UNSIGNED");
}

TEST(AuditStateText, ParsesWhatItWritesAndNothingElse) {
  const testing::GoldenLog golden = testing::LoadGoldenLog("log");
  AuditState state;
  state.note = testing::ReadFile(golden.dir / "checkpoint");
  state.genesis = LeafHash(golden.entries[0].leaf);
  state.journal_bytes = 1234;
  const std::string text = FormatAuditState(state);
  const auto parsed = ParseAuditState(text);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->note, state.note);
  EXPECT_EQ(parsed->checkpoint.size, TreeSize(300));
  EXPECT_EQ(parsed->genesis, state.genesis);
  EXPECT_EQ(parsed->journal_bytes, 1234u);
  for (size_t cut = 0; cut < text.size(); ++cut) {
    EXPECT_FALSE(ParseAuditState(text.substr(0, cut)).ok()) << cut;
  }
  EXPECT_FALSE(ParseAuditState(text + " ").ok());
  EXPECT_FALSE(ParseAuditState(" " + text).ok());
}

}  // namespace
}  // namespace stele::client
