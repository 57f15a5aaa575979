#include "tests/support/store/answers_text.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <sstream>

#include "store/index/words.h"

namespace stele::testing {
namespace {

std::string TextOf(const std::optional<Digest>& digest) { return digest ? digest->ToText() : "-"; }
std::string TextOf(const std::optional<EntryIndex>& index) {
  return index ? std::to_string(index->value()) : "-";
}
std::string TextOf(const std::optional<double>& number) {
  std::ostringstream out;
  out.precision(17);
  if (number) out << *number;
  return out.str();
}

std::string TextOf(const Standing& standing) {
  std::ostringstream out;
  out << "standing " << standing.published << " " << TextOf(standing.first) << " "
      << TextOf(standing.owner) << " " << standing.disputed << " " << TextOf(standing.withheld_by);
  for (const KeyId& key : standing.withdrawn_by) out << " withdrawn " << key.ToHex();
  if (const auto& retraction = standing.retraction) {
    out << " retracted " << retraction->index.value() << " " << retraction->signer.ToHex() << " "
        << retraction->logged.value() << " '" << retraction->reason << "' "
        << TextOf(retraction->superseded_by) << " " << ChainEndName(retraction->chain_end);
    for (const Digest& next : retraction->chain) out << " " << next.ToHex();
  }
  return out.str();
}

std::string TextOf(const HistoryRow& row) {
  std::ostringstream out;
  const HistorySaid& said = row.said;
  out << row.index.value() << " " << StatementTypeName(row.type) << " " << row.predicate_type << " "
      << row.signer.ToHex() << " '" << row.signer_name << "' " << row.authority.value() << " "
      << row.logged.value() << " " << TextOf(row.disputed_by) << " " << TextOf(row.withheld_by)
      << " " << TextOf(said.manifest) << " " << said.media_type << " " << said.bytes.value_or(0)
      << " " << said.outcome << " " << TextOf(said.rerun) << " " << TextOf(said.environment) << " "
      << said.topic << " '" << said.body << "' " << said.evidence_count << " '" << said.reason
      << "' " << TextOf(said.superseded_by) << " " << said.state;
  if (said.observed) {
    out << " " << said.observed->metric << " " << said.observed->statistic << " "
        << said.observed->unit << " " << said.observed->value;
  }
  for (const Evidence& link : said.evidence) out << " " << link.uri << " " << TextOf(link.digest);
  return out.str();
}

// All pages, row by row.
template <class Row>
std::vector<Row> AllPages(size_t page_rows,
                          const std::function<absl::StatusOr<Page<Row>>(const PageRequest&)>& ask) {
  std::vector<Row> rows;
  PageRequest request{.size = page_rows, .token = {}};
  do {
    absl::StatusOr<Page<Row>> page = ask(request);
    EXPECT_TRUE(page.ok()) << page.status();
    if (!page.ok()) break;
    for (Row& row : page->rows) rows.push_back(std::move(row));
    request.token = page->next_token;
  } while (!request.token.empty());
  return rows;
}

class Teller {
 public:
  Teller(const store::Queries& queries, size_t page_rows)
      : queries_(queries), page_rows_(page_rows) {}

  std::string Tell() {
    const std::vector<RecordRow> all = List("all", {});
    std::set<std::string> kinds, words;
    std::set<KeyId> owners;
    for (const RecordRow& row : all) {
      kinds.insert(row.kind);
      for (const std::string& word : store::WordsOf(row.name, row.title)) words.insert(word);
      if (row.owner) owners.insert(*row.owner);
    }
    for (const std::string& kind : kinds) List("kind " + kind, {.kind = kind});
    for (const std::string& word : words) List("word " + word, {.name = word});
    for (const KeyId& key : owners) List("publisher " + key.ToHex(), {.publisher = key});
    for (const RecordRow& row : all) TellRecord(row.record);
    return out_.str();
  }

 private:
  std::vector<RecordRow> List(const std::string& name, const ListFilter& filter) {
    out_ << name << "\n";
    std::vector<RecordRow> rows = AllPages<RecordRow>(
        page_rows_, [&](const PageRequest& request) { return queries_.List(filter, request); });
    for (const RecordRow& row : rows) out_ << testing::TextOf(row) << "\n";
    return rows;
  }

  void TellRecord(const Digest& record) {
    out_ << "record " << record.ToText() << "\n";
    List("references", {.references = record});
    for (const ReferenceRow& row : AllPages<ReferenceRow>(
             page_rows_,
             [&](const PageRequest& request) { return queries_.ReferencesTo(record, request); })) {
      out_ << row.from.record.ToHex() << " " << row.pointer << " " << row.artifact << "\n";
    }
    for (const RunRow& row : AllPages<RunRow>(page_rows_, [&](const PageRequest& request) {
           return queries_.ResultsFor(record, request);
         })) {
      out_ << "result " << testing::TextOf(row) << "\n";
    }
    const auto standing = queries_.StandingOf(record);
    EXPECT_TRUE(standing.ok()) << standing.status();
    if (standing.ok()) out_ << TextOf(*standing) << "\n";
    const auto evidence = queries_.EvidenceOf(record);
    EXPECT_TRUE(evidence.ok()) << evidence.status();
    if (evidence.ok()) out_ << testing::TextOf(*evidence) << "\n";
    TellHistory(record);
    TellCohort(record);
  }

  void TellHistory(const Digest& record) {
    for (const HistoryRow& row : AllPages<HistoryRow>(
             page_rows_, [&](const PageRequest& request) -> absl::StatusOr<Page<HistoryRow>> {
               auto history = queries_.HistoryOf(record, request);
               if (!history.ok()) return history.status();
               return std::move(history->entries);
             })) {
      out_ << TextOf(row) << "\n";
    }
  }

  void TellCohort(const Digest& record) {
    const auto answer = queries_.CohortOf(record);
    EXPECT_TRUE(answer.ok() || absl::IsNotFound(answer.status())) << answer.status();
    if (!answer.ok()) {
      out_ << "no cohort: " << answer.status().message() << "\n";
      return;
    }
    out_ << "cohort " << answer->key.ToText() << "\n" << testing::TextOf(answer->cohort);
    if (!told_.insert(answer->key).second) return;
    for (const RunRow& row : answer->runs) out_ << testing::TextOf(row) << "\n";
  }

  const store::Queries& queries_;
  const size_t page_rows_;
  std::set<Digest> told_;  // cohorts
  std::ostringstream out_;
};

}  // namespace

std::string TextOf(const RecordRow& row) {
  std::ostringstream out;
  out << row.record.ToText() << " " << row.kind << " '" << row.name << "' '" << row.title << "' "
      << row.first.value() << " " << row.logged.value() << " " << TextOf(row.owner)
      << (row.disputed ? " disputed" : "") << (row.retracted ? " retracted" : "") << " "
      << TextOf(row.superseded_by) << " " << TextOf(row.withheld_by);
  return out.str();
}

std::string TextOf(const RunRow& row) {
  std::ostringstream out;
  out << TextOf(row.record) << " " << TextOf(row.implementation) << " " << TextOf(row.workload)
      << " " << TextOf(row.protocol) << " " << TextOf(row.environment) << " " << row.status << " "
      << row.measurement.key << " " << row.measurement.unit << " " << TextOf(row.measurement.value)
      << " " << TextOf(row.cohort);
  if (row.confidence95)
    out << " [" << row.confidence95->low << "," << row.confidence95->high << "]";
  return out.str();
}

std::string TextOf(const kernelindex::Cohort& cohort) {
  std::ostringstream out;
  out << (cohort.source_native ? "native\n" : "\n");
  for (const kernelindex::RankedRun& run : cohort.ranked) {
    out << run.rank << " " << run.record.ToText() << " " << TextOf(std::optional(run.value)) << " "
        << TextOf(run.difference) << " " << TextOf(run.ratio) << "\n";
  }
  for (const kernelindex::ExcludedRun& run : cohort.excluded) {
    out << run.record.ToText();
    for (const std::string& reason : run.reasons) out << " " << reason;
    out << "\n";
  }
  return out.str();
}

std::string TextOf(const std::optional<kernelindex::Evidence>& evidence) {
  if (!evidence) return "no evidence level";
  std::ostringstream out;
  out << kernelindex::EvidenceLevelName(evidence->level);
  for (std::string_view reason : evidence->reasons) out << " " << reason;
  for (const kernelindex::JudgedVerification& judged : evidence->verifications) {
    const kernelindex::LoggedVerification& said = judged.verification;
    out << "\n"
        << said.index.value() << " " << said.record.ToHex() << " " << said.signer.ToHex() << " "
        << said.rerun.ToHex() << (said.passed ? " passed" : " failed")
        << (said.by_runner ? " by runner" : "") << (said.disputed ? " disputed " : " ")
        << judged.reason << " " << TextOf(judged.instead);
  }
  return out.str();
}

std::string AnswersText(const store::Queries& queries, size_t page_rows) {
  return Teller(queries, page_rows).Tell();
}

}  // namespace stele::testing
