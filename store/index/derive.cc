#include "store/index/derive.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "core/base/query_limits.h"
#include "core/base/status_macros.h"
#include "core/record/manifest.h"
#include "store/codec/index_values.h"
#include "store/index/index_keys.h"
#include "store/index/record_body.h"
#include "store/index/words.h"

namespace stele::store {
namespace {

using Publications = std::vector<PublicationRow>;

class Deriver {
 public:
  Deriver(const IndexedEntry& entry, const DeriveSource& source, bool once, RowSink sink)
      : entry_(entry), source_(source), once_(once), sink_(sink) {}

  absl::Status Derive() {
    const Statement& statement = entry_.statement;
    if (statement.type == StatementType::kPublication) return DerivePublication();
    if (const auto* said = std::get_if<Verification>(&statement.predicate)) {
      return sink_(VerificationKey(said->rerun, entry_.index, statement.subjects.front().digest),
                   "");
    }
    const auto* withholding = std::get_if<Withholding>(&statement.predicate);
    if (withholding == nullptr || withholding->withheld || once_) return absl::OkStatus();
    return DeriveRestored(statement.subjects.front().digest);
  }

 private:
  struct Record {
    RecordPosition position;
    std::optional<RecordBody> body;
  };

  absl::Status DerivePublication() {
    std::vector<Record> records;
    for (const Subject& subject : entry_.statement.subjects) {
      if (subject.kind != Subject::Kind::kRecord) continue;
      STELE_ASSIGN_OR_RETURN(const Publications all, source_.Publications(subject.digest));
      if (all.empty()) continue;  // its row is gone: the check of the log says so
      const RecordPosition position{all.front().index, subject.digest};
      STELE_RETURN_IF_ERROR(EmitPublication(position, *subject.manifest, all));
      if (once_ && position.first != entry_.index) continue;
      STELE_RETURN_IF_ERROR(EmitBody(position, records));
    }
    // Only now: a run may stand before its workload in one statement.
    for (const Record& record : records) STELE_RETURN_IF_ERROR(EmitCohorts(record));
    return absl::OkStatus();
  }

  absl::Status DeriveRestored(const Digest& digest) {
    STELE_ASSIGN_OR_RETURN(const Publications all, source_.Publications(digest));
    if (!all.empty()) {
      std::vector<Record> records;
      STELE_RETURN_IF_ERROR(EmitBody({all.front().index, digest}, records));
      for (const Record& record : records) STELE_RETURN_IF_ERROR(EmitCohorts(record));
    }
    return source_.VisitRecordsOf(digest, [&](const Digest& record) -> absl::Status {
      STELE_ASSIGN_OR_RETURN(const Publications of_it, source_.Publications(record));
      if (of_it.empty()) return absl::OkStatus();
      return EmitTitle({of_it.front().index, record}, digest);
    });
  }

  // What follows from the publication row. Of several that say the same the first is the one.
  absl::Status EmitPublication(const RecordPosition& position, const Digest& manifest,
                               const Publications& all) {
    if (position.first == entry_.index) {
      std::string key = ListKey(RecordsPrefix(), position);
      std::string value = EncodeFirst({entry_.logged}, key);
      STELE_RETURN_IF_ERROR(sink_(std::move(key), std::move(value)));
    }
    const auto said_before = [&](auto same) {
      return once_ && std::any_of(all.begin(), all.end(), [&](const PublicationRow& row) {
               return row.index < entry_.index && same(row);
             });
    };
    if (!said_before([&](const PublicationRow& row) { return row.signer == entry_.signer; })) {
      STELE_RETURN_IF_ERROR(sink_(ListKey(PublisherPrefix(entry_.signer), position), ""));
    }
    if (said_before([&](const PublicationRow& row) { return row.manifest == manifest; })) {
      return absl::OkStatus();
    }
    STELE_RETURN_IF_ERROR(sink_(ManifestKey(manifest, position.record), ""));
    return EmitTitle(position, manifest);
  }

  absl::Status EmitTitle(const RecordPosition& position, const Digest& digest) {
    if (digest == position.record) return absl::OkStatus();  // without metadata
    STELE_ASSIGN_OR_RETURN(const std::optional<std::string> bytes, source_.Content(digest));
    if (!bytes) return absl::OkStatus();
    const absl::StatusOr<Manifest> manifest = ParseManifest(*bytes);
    if (!manifest.ok() || manifest->record != position.record || manifest->manifest != digest) {
      return absl::OkStatus();  // an audit reports it
    }
    std::string key = TitleKey(position.record, digest);
    const TitleValue title{CutText(manifest->name, limits::kIndexedNameBytes),
                           CutText(manifest->title, limits::kIndexedNameBytes)};
    std::string value = EncodeTitle(title, key);
    STELE_RETURN_IF_ERROR(sink_(std::move(key), std::move(value)));
    // Of what is kept, so that a query can tell them from there.
    for (const std::string& word : WordsOf(title.name, title.title)) {
      STELE_RETURN_IF_ERROR(sink_(WordKey(word, position, digest), ""));
    }
    return absl::OkStatus();
  }

  absl::Status EmitBody(const RecordPosition& position, std::vector<Record>& records) {
    STELE_ASSIGN_OR_RETURN(const std::optional<std::string> bytes,
                           source_.Content(position.record));
    if (!bytes) return absl::OkStatus();
    std::optional<RecordBody> body = ReadRecordBody(*bytes);
    if (!body) return absl::OkStatus();
    std::string key = BodyKey(position.record);
    std::string value = EncodeBody({body->kind}, key);
    STELE_RETURN_IF_ERROR(sink_(std::move(key), std::move(value)));
    STELE_RETURN_IF_ERROR(sink_(ListKey(KindPrefix(body->kind), position), ""));
    uint32_t k = 0;
    for (const BodyReference& reference : body->references) {
      std::string at = ReferenceKey(reference.target, position, k++);
      std::string said = EncodeReference(reference.value, at);
      STELE_RETURN_IF_ERROR(sink_(std::move(at), std::move(said)));
    }
    body->references.clear();
    if (!body->profile) return absl::OkStatus();
    if (body->profile->run) STELE_RETURN_IF_ERROR(EmitRun(position, *body->profile->run));
    records.push_back({position, std::move(body)});
    return absl::OkStatus();
  }

  absl::Status EmitRun(const RecordPosition& position, const kernelindex::BenchmarkRun& run) {
    std::string key = RunKey(position.record);
    std::string value = EncodeRun(RunValueOf(run), key);
    STELE_RETURN_IF_ERROR(sink_(std::move(key), std::move(value)));
    if (!run.workload) return absl::OkStatus();
    return sink_(ListKey(ResultsPrefix(*run.workload), position), "");
  }

  // That of a run whose workload is there, and those of the runs that waited for this workload.
  absl::Status EmitCohorts(const Record& record) {
    const kernelindex::Profile& profile = *record.body->profile;
    if (profile.run && profile.run->workload) {
      STELE_ASSIGN_OR_RETURN(const std::optional<kernelindex::Workload> workload,
                             FindWorkload(*profile.run->workload));
      if (workload) {
        STELE_RETURN_IF_ERROR(EmitCohort(record.position.record, *profile.run, *workload));
      }
    }
    if (!profile.workload || once_) return absl::OkStatus();
    return source_.VisitResults(record.position.record, [&](const Digest& run) -> absl::Status {
      STELE_ASSIGN_OR_RETURN(const std::optional<std::string> bytes, source_.Content(run));
      const std::optional<RecordBody> body = bytes ? ReadRecordBody(*bytes) : std::nullopt;
      if (!body || !body->profile || !body->profile->run) return absl::OkStatus();
      return EmitCohort(run, *body->profile->run, *profile.workload);
    });
  }

  absl::StatusOr<std::optional<kernelindex::Workload>> FindWorkload(const Digest& digest) {
    if (last_workload_ && last_workload_->first == digest) return last_workload_->second;
    std::optional<kernelindex::Workload> found;
    STELE_ASSIGN_OR_RETURN(const Publications all, source_.Publications(digest));
    if (!all.empty()) {
      STELE_ASSIGN_OR_RETURN(const std::optional<std::string> bytes, source_.Content(digest));
      const auto profile = bytes ? kernelindex::ReadProfile(*bytes) : std::nullopt;
      if (profile) found = profile->workload;
    }
    last_workload_.emplace(digest, found);
    return found;
  }

  absl::Status EmitCohort(const Digest& record, const kernelindex::BenchmarkRun& run,
                          const kernelindex::Workload& workload) {
    const std::optional<Digest> key = kernelindex::ComparisonKey(run, workload);
    if (!key) return absl::OkStatus();
    STELE_RETURN_IF_ERROR(sink_(CohortKey(*key, record), ""));
    return sink_(ComparisonKeyKey(record, *key), "");
  }

  const IndexedEntry& entry_;
  const DeriveSource& source_;
  const bool once_;
  const RowSink sink_;
  // Runs of one workload mostly stand together.
  std::optional<std::pair<Digest, std::optional<kernelindex::Workload>>> last_workload_;
};

}  // namespace

absl::Status DeriveRows(const IndexedEntry& entry, const DeriveSource& source, RowSink sink) {
  return Deriver(entry, source, false, sink).Derive();
}

absl::Status DeriveRowsOnce(const IndexedEntry& entry, const DeriveSource& source, RowSink sink) {
  return Deriver(entry, source, true, sink).Derive();
}

}  // namespace stele::store
