#include "store/read/citation_entries.h"

#include <utility>
#include <variant>

#include "absl/container/flat_hash_set.h"
#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/citation/closure.h"
#include "core/statement/entry.h"
#include "core/statement/statement.h"
#include "store/read/record_entries.h"

namespace stele::store {
namespace {

absl::Status TooMany(size_t most) {
  return Refuse(absl::StatusCode::kResourceExhausted, reason::kTooLarge, "",
                Concat("a citation of this record has more than ", most, " entries"));
}

class Gatherer {
 public:
  explicit Gatherer(const Reader& reader) : reader_(reader), sources_{.ring = reader.ring()} {}

  absl::Status GatherOrigin() {
    STELE_ASSIGN_OR_RETURN(const Reader::Subjects origin,
                           reader_.SubjectsOf(OriginSubject(reader_.head().origin).digest));
    for (const SubjectRow& row : origin.rows) {
      const LoggedEntry entry{row.index, row.signer, row.authority};
      if (row.type == StatementType::kLogKey) sources_.log_keys.push_back(entry);
      if (row.type == StatementType::kPolicy) sources_.policies.push_back(entry);
    }
    return absl::OkStatus();
  }

  absl::Status GatherRecord(const Digest& record, const std::vector<RecordEntry>& entries) {
    STELE_RETURN_IF_ERROR(GatherWithholding(record));
    STELE_ASSIGN_OR_RETURN(const Reader::Publications published, reader_.PublicationsOf(record));
    for (const PublicationRow& row : published.rows) {
      STELE_RETURN_IF_ERROR(GatherWithholding(row.manifest));
    }
    for (const RecordEntry& entry : entries) {
      sources_.about.push_back({entry.index, entry.signer, entry.authority});
      STELE_RETURN_IF_ERROR(GatherEntry(record, entry));
    }
    return absl::OkStatus();
  }

  const CitationSources& sources() const { return sources_; }

 private:
  absl::StatusOr<Entry> Read(EntryIndex index) const {
    STELE_ASSIGN_OR_RETURN(const EntryRow row, reader_.Entry(index));
    return ParseLeaf(row.leaf);
  }

  // What brings others along: an envelope that may be withheld, a retraction of several records.
  absl::Status GatherEntry(const Digest& record, const RecordEntry& about) {
    if (about.type == StatementType::kPublication) return absl::OkStatus();
    STELE_ASSIGN_OR_RETURN(const Entry entry, Read(about.index));
    if (const auto* detached = std::get_if<DetachedEnvelope>(&entry.body)) {
      return GatherWithholding(detached->digest);
    }
    if (about.type != StatementType::kRetraction) return absl::OkStatus();
    const auto& envelope = std::get<StoredEnvelope>(entry.body);
    STELE_ASSIGN_OR_RETURN(const Statement statement,
                           ParseStatement(envelope.payload, reader_.head().origin));
    for (const Subject& subject : statement.subjects) {
      if (subject.digest == record) continue;
      STELE_RETURN_IF_ERROR(GatherPublications(subject.digest, about.signer));
    }
    return absl::OkStatus();
  }

  absl::Status GatherPublications(const Digest& record, const KeyId& signer) {
    STELE_ASSIGN_OR_RETURN(const Reader::Publications published, reader_.PublicationsOf(record));
    for (const PublicationRow& row : published.rows) {
      if (row.signer != signer) continue;
      sources_.publications_by_retractors.push_back({row.index, row.signer, row.authority});
    }
    return absl::OkStatus();
  }

  absl::Status GatherWithholding(const Digest& digest) {
    if (!asked_.insert(digest).second) return absl::OkStatus();
    const std::optional<EntryIndex> by = reader_.WithheldBy(digest);
    if (!by) return absl::OkStatus();
    STELE_ASSIGN_OR_RETURN(const Entry entry, Read(*by));
    const auto* envelope = std::get_if<StoredEnvelope>(&entry.body);
    if (envelope == nullptr) return absl::DataLossError("a withholding that is not inline");
    sources_.withholdings.push_back({*by, envelope->key, entry.authority});
    return absl::OkStatus();
  }

  const Reader& reader_;
  CitationSources sources_;
  absl::flat_hash_set<Digest> asked_;
};

}  // namespace

absl::StatusOr<std::vector<EntryIndex>> CitationEntries(const Reader& reader, const Digest& record,
                                                        size_t most) {
  STELE_ASSIGN_OR_RETURN(const std::vector<RecordEntry> entries, RecordEntries(reader, record));
  if (entries.empty()) return std::vector<EntryIndex>();
  if (entries.size() > most) return TooMany(most);
  Gatherer gatherer(reader);
  STELE_RETURN_IF_ERROR(gatherer.GatherOrigin());
  STELE_RETURN_IF_ERROR(gatherer.GatherRecord(record, entries));
  std::vector<EntryIndex> cited = EntriesToCite(gatherer.sources());
  if (cited.size() > most) return TooMany(most);
  return cited;
}

}  // namespace stele::store
