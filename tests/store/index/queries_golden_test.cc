// Every answer over the golden logs, held against what follows from the replay of the same entries
// by going through all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/json/parse.h"
#include "core/record/manifest.h"
#include "store/index/words.h"
#include "tests/store/index/index_of_log.h"
#include "tests/support/store/answers_text.h"

namespace stele::store {
namespace {

using stele::testing::TextOf;
using testing::IndexOfLog;

// Everything about one record, by looking at everything.
struct NaiveRecord {
  RecordRow row;
  std::set<KeyId> publishers;
  std::vector<Reference> references;
  std::vector<std::string> searched;  // the words of each manifest that counts, " a b "
};

class QueriesGolden : public ::testing::TestWithParam<std::string_view> {
 protected:
  void Grow(size_t entries) {
    while (of_.size() < std::min(entries, of_.entries())) of_.Append();
    of_.Apply();
    queries_ = of_.queries();
  }
  const Replay& replay() const { return of_.source().replay(); }
  std::optional<std::string> Content(const Digest& digest) const {
    if (replay().IsWithheld(digest)) return std::nullopt;
    return of_.log().Content(digest.ToHex());
  }

  NaiveRecord Naive(const Digest& record) const {
    NaiveRecord naive;
    RecordRow& row = naive.row;
    row.record = record;
    const std::vector<RecordPublication> all = replay().records().PublicationsOf(record);
    row.first = EntryIndex(all.front().entry);
    row.logged = of_.read()[all.front().entry].said.logged;
    row.owner = replay().OwnerOf(record);
    row.disputed = !row.owner.has_value();
    if (const auto retraction = replay().RetractionOf(record)) {
      row.retracted = true;
      row.superseded_by = retraction->superseded_by;
    }
    const std::optional<std::string> body = Content(record);
    if (replay().IsWithheld(record)) row.withheld_by = WithheldBy(record);
    absl::StatusOr<Manifest> identity = absl::NotFoundError("");
    if (body) identity = ParseManifest(*body);
    if (identity.ok() && identity->identity == *body) {
      row.kind = identity->kind;
      naive.references = FindReferences(*json::Parse(*body));
    }
    for (const RecordPublication& publication : all) {
      const KeyId signer = replay().SignerOf(EntryIndex(publication.entry));
      naive.publishers.insert(signer);
      if (!replay().Counts(EntryIndex(publication.entry))) continue;
      const std::optional<std::string> bytes = body ? Content(publication.manifest) : std::nullopt;
      absl::StatusOr<Manifest> manifest = absl::NotFoundError("");
      if (bytes) manifest = ParseManifest(*bytes);
      if (manifest.ok() && manifest->record != record) manifest = absl::NotFoundError("");
      if (signer == row.owner) {
        row.name = manifest.ok() ? manifest->name : "";
        row.title = manifest.ok() ? manifest->title : "";
      }
      if (!manifest.ok()) continue;
      std::string words = " ";
      for (const std::string& word : WordsOf(manifest->name, manifest->title)) words += word + " ";
      naive.searched.push_back(words);
    }
    return naive;
  }
  // The latest one of this digest that counts.
  EntryIndex WithheldBy(const Digest& digest) const {
    EntryIndex by;
    for (size_t i = 0; i < of_.size(); ++i) {
      const Said& said = of_.read()[i].said;
      const auto* withholding = std::get_if<Withholding>(&said.statement.predicate);
      if (withholding != nullptr && said.statement.subjects.front().digest == digest &&
          replay().Counts(said.index)) {
        by = said.index;
      }
    }
    return by;
  }

  // All records, as lists have them.
  std::vector<NaiveRecord> NaiveList() const {
    std::vector<NaiveRecord> list;
    for (size_t i = 0; i < replay().records().size(); ++i) {
      const Digest& record = replay().records().RecordAt(i);
      if (replay().records().IsPublished(record)) list.push_back(Naive(record));
    }
    std::sort(list.begin(), list.end(), [](const NaiveRecord& a, const NaiveRecord& b) {
      return a.row.first != b.row.first ? a.row.first > b.row.first : a.row.record < b.row.record;
    });
    return list;
  }

  // All pages of a list, `size` rows each.
  std::vector<std::string> List(const ListFilter& filter, size_t size) const {
    std::vector<std::string> rows;
    PageRequest request{.size = size, .token = {}};
    do {
      const auto page = queries_->List(filter, request);
      EXPECT_TRUE(page.ok()) << page.status();
      if (!page.ok()) return rows;
      EXPECT_LE(page->rows.size(), size);
      for (const RecordRow& row : page->rows) rows.push_back(TextOf(row));
      request.token = page->next_token;
    } while (!request.token.empty());
    return rows;
  }
  template <class Keep>
  void ExpectList(const ListFilter& filter, const std::vector<NaiveRecord>& all, Keep keep) const {
    std::vector<std::string> expected;
    for (const NaiveRecord& naive : all) {
      if (keep(naive)) expected.push_back(TextOf(naive.row));
    }
    EXPECT_EQ(List(filter, 1000), expected);
    EXPECT_EQ(List(filter, 1), expected);
    EXPECT_EQ(List(filter, 7), expected);
  }

  IndexOfLog of_{GetParam()};
  std::shared_ptr<const Queries> queries_;
};

TEST_P(QueriesGolden, Lists) {
  for (size_t size : {of_.entries() / 3, of_.entries() / 2, of_.entries()}) {
    Grow(size);
    const std::vector<NaiveRecord> all = NaiveList();
    std::set<std::string> kinds = {"NoSuchKind"}, words = {"nosuchword"};
    std::set<KeyId> keys;
    std::set<Digest> targets;
    for (const NaiveRecord& naive : all) {
      if (!naive.row.kind.empty()) kinds.insert(naive.row.kind);
      keys.insert(naive.publishers.begin(), naive.publishers.end());
      for (const Reference& reference : naive.references) targets.insert(reference.digest);
      for (const std::string& word : SplitWords(naive.row.name + " " + naive.row.title, 100)) {
        words.insert(word);
        words.insert(word.substr(0, 2));
      }
    }
    ExpectList({}, all, [](const NaiveRecord&) { return true; });
    for (const std::string& kind : kinds) {
      ExpectList({.kind = kind}, all, [&](const NaiveRecord& n) { return n.row.kind == kind; });
    }
    for (const KeyId& key : keys) {
      ExpectList({.publisher = key}, all,
                 [&](const NaiveRecord& n) { return n.publishers.contains(key); });
    }
    const auto refers = [](const NaiveRecord& n, const Digest& target) {
      return std::any_of(n.references.begin(), n.references.end(),
                         [&](const Reference& r) { return r.digest == target; });
    };
    for (const Digest& target : targets) {
      ExpectList({.references = target}, all,
                 [&](const NaiveRecord& n) { return refers(n, target); });
    }
    const auto named = [](const NaiveRecord& n, const std::string& beginning) {
      return std::any_of(n.searched.begin(), n.searched.end(), [&](const std::string& has) {
        return has.find(" " + beginning) != std::string::npos;
      });
    };
    for (const std::string& word : words) {
      ExpectList({.name = word}, all, [&](const NaiveRecord& n) { return named(n, word); });
      for (const std::string& kind : kinds) {
        ExpectList({.kind = kind, .name = word}, all,
                   [&](const NaiveRecord& n) { return n.row.kind == kind && named(n, word); });
      }
    }
  }
}

TEST_P(QueriesGolden, References) {
  Grow(of_.entries());
  std::map<Digest, std::vector<std::string>> expected;
  for (const NaiveRecord& naive : NaiveList()) {
    for (const Reference& reference : naive.references) {
      expected[reference.digest].push_back(TextOf(naive.row) + " at " + reference.pointer +
                                           (reference.artifact ? " artifact" : ""));
    }
  }
  EXPECT_TRUE(queries_->ReferencesTo(Digest(), {})->rows.empty());
  for (const auto& [target, rows] : expected) {
    for (size_t size : {1u, 2u, 1000u}) {
      std::vector<std::string> found;
      PageRequest request{.size = size, .token = {}};
      do {
        const auto page = queries_->ReferencesTo(target, request);
        ASSERT_TRUE(page.ok()) << page.status();
        for (const ReferenceRow& row : page->rows) {
          found.push_back(TextOf(row.from) + " at " + row.pointer +
                          (row.artifact ? " artifact" : ""));
        }
        request.token = page->next_token;
      } while (!request.token.empty());
      EXPECT_EQ(found, rows) << target.ToText();
    }
  }
}

TEST_P(QueriesGolden, Standings) {
  for (size_t size = 1; size <= of_.entries(); size += 1 + of_.entries() / 20) {
    Grow(size);
    for (size_t i = 0; i < replay().records().size(); ++i) {
      const Digest& record = replay().records().RecordAt(i);
      const auto standing = queries_->StandingOf(record);
      ASSERT_TRUE(standing.ok()) << standing.status();
      EXPECT_EQ(standing->published, replay().records().IsPublished(record));
      EXPECT_EQ(standing->owner, replay().OwnerOf(record));
      EXPECT_EQ(standing->disputed, standing->published && !standing->owner);
      EXPECT_EQ(standing->withdrawn_by, replay().WithdrawnBy(record));
      EXPECT_EQ(standing->withheld_by.has_value(), replay().IsWithheld(record));
      const auto retraction = replay().RetractionOf(record);
      ASSERT_EQ(standing->retraction.has_value(), retraction.has_value()) << record.ToText();
      if (!retraction) continue;
      EXPECT_EQ(standing->retraction->index, retraction->index);
      EXPECT_EQ(standing->retraction->superseded_by, retraction->superseded_by);
      EXPECT_EQ(standing->retraction->chain, retraction->chain);
      EXPECT_EQ(standing->retraction->chain_end, retraction->chain_end);
      EXPECT_EQ(standing->retraction->signer, replay().SignerOf(retraction->index));
    }
  }
}

TEST_P(QueriesGolden, Cohorts) {
  for (size_t size = 1; size <= of_.entries() + 5; size += 1 + of_.entries() / 10) {
    Grow(size);
    const auto cohorts = of_.source().Cohorts();
    std::set<Digest> in_one;
    for (const auto& [key, members] : cohorts) {
      const auto answer = queries_->CohortOf(key);
      ASSERT_TRUE(answer.ok()) << answer.status();
      EXPECT_EQ(TextOf(answer->cohort), TextOf(kernelindex::RankCohort(members)));
      EXPECT_FALSE(answer->asked.has_value());
      ASSERT_EQ(answer->runs.size(), members.size());
      for (const kernelindex::CohortMember& member : members) {
        in_one.insert(member.record);
        const RunRow* run = answer->Find(member.record);
        ASSERT_NE(run, nullptr);
        EXPECT_EQ(run->measurement.value, member.value);
        EXPECT_EQ(run->cohort, key);
        EXPECT_EQ(TextOf(run->record), TextOf(Naive(member.record).row));
        const auto by_run = queries_->CohortOf(member.record);
        ASSERT_TRUE(by_run.ok()) << by_run.status();
        EXPECT_EQ(by_run->key, key);
        EXPECT_EQ(by_run->asked, member.record);
        EXPECT_EQ(TextOf(by_run->cohort), TextOf(answer->cohort));
      }
    }
    for (const NaiveRecord& naive : NaiveList()) {
      if (in_one.contains(naive.row.record)) continue;
      EXPECT_TRUE(absl::IsNotFound(queries_->CohortOf(naive.row.record).status()));
    }
  }
}

TEST_P(QueriesGolden, Results) {
  Grow(of_.entries());
  std::map<Digest, std::vector<std::string>> expected;
  const auto runs = of_.source().Runs();
  for (const NaiveRecord& naive : NaiveList()) {
    const auto run = runs.find(naive.row.record);
    if (run == runs.end() || !run->second.workload) continue;
    const auto key = of_.source().KeyOf(run->second);
    expected[*run->second.workload].push_back(TextOf(naive.row) + " " + run->second.primary.key +
                                              " " + (key ? key->ToText() : "none"));
  }
  for (const auto& [workload, rows] : expected) {
    for (size_t size : {1u, 3u, 1000u}) {
      std::vector<std::string> found;
      PageRequest request{.size = size, .token = {}};
      do {
        const auto page = queries_->ResultsFor(workload, request);
        ASSERT_TRUE(page.ok()) << page.status();
        for (const RunRow& row : page->rows) {
          found.push_back(TextOf(row.record) + " " + row.measurement.key + " " +
                          (row.cohort ? row.cohort->ToText() : "none"));
        }
        request.token = page->next_token;
      } while (!request.token.empty());
      EXPECT_EQ(found, rows);
    }
  }
}

TEST_P(QueriesGolden, EvidenceLevels) {
  for (size_t size = 1; size <= of_.entries() + 5; size += 1 + of_.entries() / 10) {
    Grow(size);
    for (const NaiveRecord& naive : NaiveList()) {
      const auto evidence = queries_->EvidenceOf(naive.row.record);
      ASSERT_TRUE(evidence.ok()) << evidence.status();
      EXPECT_EQ(TextOf(*evidence),
                TextOf(*kernelindex::EvidenceOf(of_.source(), naive.row.record)));
    }
  }
}

TEST_P(QueriesGolden, Histories) {
  Grow(of_.entries());
  std::map<Digest, std::vector<uint64_t>> expected;
  for (size_t i = 0; i < of_.size(); ++i) {
    const Said& said = of_.read()[i].said;
    if (of_.log().entries[i].verdict == "void") continue;
    std::set<Digest> about;
    for (const Subject& subject : said.statement.subjects) {
      if (subject.kind != Subject::Kind::kKey) about.insert(subject.digest);
    }
    if (said.statement.type == StatementType::kGenesis) continue;
    for (const Digest& digest : about) expected[digest].push_back(i);
  }
  EXPECT_TRUE(absl::IsNotFound(
      queries_->HistoryOf(Digest::FromHex(std::string(64, '1')).value(), {}).status()));
  for (const auto& [digest, entries] : expected) {
    for (size_t size : {1u, 2u, 1000u}) {
      std::vector<uint64_t> found;
      PageRequest request{.size = size, .token = {}};
      do {
        const auto history = queries_->HistoryOf(digest, request);
        ASSERT_TRUE(history.ok()) << history.status();
        for (const HistoryRow& row : history->entries.rows) {
          const uint64_t i = row.index.value();
          found.push_back(i);
          EXPECT_EQ(row.signer.ToText(), of_.log().entries[i].signer);
          EXPECT_EQ(row.authority.value(), of_.log().entries[i].authority);
          EXPECT_EQ(row.withheld_by.has_value(), of_.log().entries[i].verdict == "withheld");
          EXPECT_EQ(row.disputed_by.has_value(),
                    !replay().Counts(row.index) && of_.log().entries[i].verdict == "valid");
          EXPECT_EQ(row.logged, of_.read()[i].said.logged);
        }
        EXPECT_EQ(TextOf(history->evidence), TextOf(*queries_->EvidenceOf(digest)));
        request.token = history->entries.next_token;
      } while (!request.token.empty());
      EXPECT_EQ(found, entries) << digest.ToText();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Logs, QueriesGolden, ::testing::ValuesIn(stele::testing::kGoldenLogs),
                         [](const auto& info) {
                           std::string name(info.param);
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace stele::store
