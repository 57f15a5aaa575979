#include "store/index/history_reader.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "absl/container/flat_hash_map.h"
#include "core/base/concat.h"
#include "core/base/query_limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "store/index/log_evidence.h"
#include "store/index/page_builder.h"
#include "store/index/said_entry.h"
#include "store/index/trust.h"
#include "store/index/words.h"
#include "store/read/record_entries.h"

namespace stele::store {
namespace {

std::string Short(const std::string& text) { return CutText(text, limits::kHistoryTextBytes); }

class SaidReader {
 public:
  explicit SaidReader(HistorySaid& said) : said_(said) {}

  void operator()(const Verification& verification) {
    said_.outcome = verification.passed ? "passed" : "failed";
    said_.rerun = verification.rerun;
  }
  void operator()(const Reproduction& reproduction) {
    said_.outcome = reproduction.outcome;
    said_.observed = reproduction.observed;
    if (said_.observed) {
      for (std::string* text :
           {&said_.observed->metric, &said_.observed->statistic, &said_.observed->unit}) {
        *text = Short(*text);
      }
    }
    said_.environment = reproduction.environment;
    said_.body = Short(reproduction.body.value_or(""));
    TakeEvidence(reproduction.evidence);
  }
  void operator()(const NoteStatement& note) {
    said_.topic = note.topic;
    said_.body = Short(note.body);
    TakeEvidence(note.evidence);
  }
  void operator()(const Retraction& retraction) {
    said_.reason = Short(retraction.reason);
    said_.superseded_by = retraction.superseded_by;
  }
  void operator()(const Withholding& withholding) {
    said_.state = withholding.withheld ? "withheld" : "restored";
    said_.reason = Short(withholding.reason);
  }
  template <class Other>
  void operator()(const Other&) {}  // says nothing but its type

 private:
  void TakeEvidence(const std::vector<Evidence>& evidence) {
    said_.evidence_count = evidence.size();
    const size_t shown = std::min(evidence.size(), limits::kHistoryEvidence);
    for (size_t i = 0; i < shown; ++i) {
      said_.evidence.push_back({Short(evidence[i].uri), evidence[i].digest});
    }
  }

  HistorySaid& said_;
};

class HistoryReader {
 public:
  HistoryReader(const QueryScope& scope, const Digest& subject) : scope_(scope), subject_(subject) {
    for (KeyState& key : scope.reader.ring().Keys()) names_[key.key] = std::move(key.name);
  }

  absl::StatusOr<History> Read(const PageRequest& request) {
    STELE_ASSIGN_OR_RETURN(
        const PagePlan plan,
        PlanPage(request, QuestionHash({"history", subject_.bytes()}), scope_.moment.size,
                 scope_.moment.size, sizeof(uint64_t), limits::kHistoryRows));
    STELE_ASSIGN_OR_RETURN(const std::vector<RecordEntry> entries,
                           RecordEntries(scope_.reader, subject_));
    if (entries.empty()) {
      return Refuse(absl::StatusCode::kNotFound, reason::kNotFound, "",
                    Concat("no entry of the log is about ", subject_.ToText()));
    }
    History history;
    STELE_ASSIGN_OR_RETURN(history.standing, ReadStanding(scope_.reader, subject_));
    history.standing.moment = scope_.moment;
    const LogEvidence evidence(scope_.reader, scope_.index);
    STELE_ASSIGN_OR_RETURN(history.evidence, kernelindex::EvidenceOf(evidence, subject_));
    history.entries.moment = scope_.moment;
    STELE_RETURN_IF_ERROR(ReadPage(plan, entries, history.entries));
    return history;
  }

 private:
  absl::Status ReadPage(const PagePlan& plan, const std::vector<RecordEntry>& entries,
                        Page<HistoryRow>& page) const {
    const EntryIndex begin = plan.place.empty() ? EntryIndex(0) : IndexOf(plan.place);
    for (const RecordEntry& entry : entries) {
      if (entry.index < begin) continue;
      if (entry.index.value() >= plan.size.value()) break;
      if (page.rows.size() == plan.rows) {
        page.next_token = plan.TokenAt(PlaceOf(entry.index));
        break;
      }
      STELE_ASSIGN_OR_RETURN(HistoryRow row, ReadRow(entry));
      page.rows.push_back(std::move(row));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<HistoryRow> ReadRow(const RecordEntry& entry) const {
    STELE_ASSIGN_OR_RETURN(SaidEntry said, ReadSaidEntry(scope_.reader, entry.index));
    HistoryRow row;
    row.index = entry.index;
    row.type = entry.type;
    row.predicate_type = std::move(said.predicate_type);
    row.signer = said.signer;
    if (const auto name = names_.find(said.signer); name != names_.end()) {
      row.signer_name = name->second;
    }
    row.authority = said.authority;
    row.logged = said.logged;
    row.disputed_by = scope_.reader.ring().DisputedBy(entry.index, entry.signer, entry.authority);
    row.withheld_by = said.withheld_by;
    if (said.statement) row.said = SaidAbout(*said.statement, subject_);
    return row;
  }

  static std::string PlaceOf(EntryIndex index) {
    std::string place;
    for (int shift = 56; shift >= 0; shift -= 8) {
      place.push_back(static_cast<char>(index.value() >> shift));
    }
    return place;
  }
  static EntryIndex IndexOf(std::string_view place) {
    uint64_t value = 0;
    for (char c : place) value = value << 8 | static_cast<uint8_t>(c);
    return EntryIndex(value);
  }

  const QueryScope& scope_;
  const Digest& subject_;
  absl::flat_hash_map<KeyId, std::string> names_;
};

}  // namespace

HistorySaid SaidAbout(const Statement& statement, const Digest& digest) {
  HistorySaid said;
  std::visit(SaidReader(said), statement.predicate);
  if (statement.type != StatementType::kPublication) return said;
  for (const Subject& subject : statement.subjects) {
    if (subject.digest != digest) continue;
    if (subject.kind == Subject::Kind::kRecord) said.manifest = subject.manifest;
    if (subject.kind == Subject::Kind::kArtifact) {
      said.media_type = subject.media_type;
      said.bytes = subject.size;
    }
  }
  return said;
}

absl::StatusOr<History> ReadHistory(const QueryScope& scope, const Digest& subject,
                                    const PageRequest& request) {
  return HistoryReader(scope, subject).Read(request);
}

}  // namespace stele::store
