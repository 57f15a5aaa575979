// What an honest server says is read whole; an answer that cannot be is found.
#include "client/queries.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "core/base/query_limits.h"
#include "core/crypto/sha256.h"
#include "core/record/manifest.h"
#include "tests/client/served_log.h"

namespace stele::client {
namespace {

class QueriesTest : public ServedLogTest {
 protected:
  void SetUp() override {
    ServedLogTest::SetUp();
    first_ = Fresh(3);
    ASSERT_TRUE(Publish({StatementOf(first_, first_ + 3)}).flushed.ok());
    WaitForIndex();
  }
  Queries queries() const { return Queries(*connection_); }
  static Digest Record(int n) { return TestPublication(n)->record; }
  // The index follows the log by itself.
  void WaitForIndex() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    for (;;) {
      const auto page = queries().List({}, {.size = 1});
      ASSERT_TRUE(page.ok()) << page.status();
      if (page->moment.applied == page->moment.size) return;
      ASSERT_LT(std::chrono::steady_clock::now(), end);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  // Every call refuses an answer of the type Response that `edit` changes.
  template <class Response>
  void Refused(const std::function<void(Response&)>& edit,
               const std::function<absl::Status()>& call) {
    ASSERT_TRUE(call().ok()) << call();
    int told = 0;
    lies().any = [&](google::protobuf::Message& message) {
      if (message.GetDescriptor() != Response::descriptor()) return;
      ++told;
      edit(static_cast<Response&>(message));
    };
    const absl::Status status = call();
    lies().Clear();
    EXPECT_EQ(told, 1);
    EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  }

  int first_ = 0;
};

TEST_F(QueriesTest, ListsByPages) {
  const std::string kind = ParseManifest(TestPublication(0)->canonical)->kind;
  std::vector<Digest> listed;
  PageRequest page{.size = 2};
  do {
    const auto rows = queries().List({.kind = kind}, page);
    ASSERT_TRUE(rows.ok()) << rows.status();
    EXPECT_LE(rows->rows.size(), 2u);
    for (const RecordRow& row : rows->rows) listed.push_back(row.record);
    page.token = rows->next_token;
  } while (!page.token.empty());
  for (int n = first_; n < first_ + 3; ++n) {
    EXPECT_EQ(std::count(listed.begin(), listed.end(), Record(n)), 1) << n;
  }
}

TEST_F(QueriesTest, StandingsOfMoreThanOneRequestTakes) {
  std::vector<Digest> asked(limits::kStandings + 3, Sha256("never published"));
  asked.back() = Record(first_);
  const auto standings = queries().StandingsOf(asked);
  ASSERT_TRUE(standings.ok()) << standings.status();
  ASSERT_EQ(standings->size(), asked.size());
  EXPECT_FALSE(standings->front().published);
  EXPECT_TRUE(standings->back().published);
  EXPECT_EQ(standings->back().record, Record(first_));
  EXPECT_FALSE(standings->back().retraction.has_value());
}

TEST_F(QueriesTest, AHistoryOfOneEntry) {
  const auto history = queries().HistoryOf(Record(first_), {});
  ASSERT_TRUE(history.ok()) << history.status();
  ASSERT_EQ(history->entries.rows.size(), 1u);
  EXPECT_EQ(history->entries.rows[0].type, StatementType::kPublication);
  EXPECT_EQ(history->entries.rows[0].said.manifest, TestPublication(first_)->manifest);
  EXPECT_EQ(history->standing.owner, history->entries.rows[0].signer);
  EXPECT_FALSE(history->evidence.has_value()) << "it is no run";
  EXPECT_TRUE(absl::IsNotFound(queries().HistoryOf(Sha256("x"), {}).status()));
}

TEST_F(QueriesTest, OtherQuestionsAboutWhatIsNotThere) {
  EXPECT_TRUE(absl::IsNotFound(queries().CohortOf(Record(first_)).status()));
  EXPECT_TRUE(queries().ReferencesTo(Sha256("x"), {})->rows.empty());
  EXPECT_TRUE(queries().ResultsFor(Sha256("x"), {})->rows.empty());
  EXPECT_FALSE(queries().EvidenceOf(Record(first_))->has_value());
  EXPECT_TRUE(absl::IsInvalidArgument(queries().List({}, {.token = "nonsense"}).status()));
}

TEST_F(QueriesTest, AnswersThatCannotBe) {
  const auto list = [&] { return queries().List({}, {}).status(); };
  using List = v1::ListRecordsResponse;
  Refused<List>([](List& r) { r.mutable_records(0)->mutable_record()->pop_back(); }, list);
  Refused<List>([](List& r) { r.mutable_records(0)->set_owner("x"); }, list);
  Refused<List>([](List& r) { r.mutable_records(0)->set_superseded_by("x"); }, list);
  Refused<List>([](List& r) { r.mutable_moment()->set_state("dreaming"); }, list);
  Refused<List>([](List& r) { r.mutable_moment()->set_applied(r.moment().tree_size() + 1); }, list);

  const Digest record = Record(first_);
  const auto history = [&] { return queries().HistoryOf(record, {}).status(); };
  using History = v1::GetHistoryResponse;
  Refused<History>([](History& r) { r.mutable_entries(0)->set_type("praise"); }, history);
  Refused<History>([](History& r) { r.mutable_entries(0)->set_signer(""); }, history);
  Refused<History>([](History& r) { r.mutable_entries(0)->set_manifest("x"); }, history);
  Refused<History>([](History& r) { r.mutable_standing()->set_record(std::string(32, 'x')); },
                   history);
  Refused<History>(
      [](History& r) {
        r.mutable_standing()->mutable_retraction()->set_signer(std::string(32, 'x'));
        r.mutable_standing()->mutable_retraction()->set_chain_end("never");
      },
      history);

  const auto standing = [&] { return queries().StandingsOf({&record, 1}).status(); };
  using Standings = v1::GetStandingsResponse;
  Refused<Standings>([](Standings& r) { r.clear_standings(); }, standing);
  Refused<Standings>([](Standings& r) { *r.add_standings() = r.standings(0); }, standing);
  Refused<Standings>([](Standings& r) { r.mutable_standings(0)->set_record(std::string(32, 'x')); },
                     standing);
}

}  // namespace
}  // namespace stele::client
