#include "store/read/record_entries.h"

#include <algorithm>

#include "core/base/status_macros.h"

namespace stele::store {

absl::StatusOr<std::vector<RecordEntry>> RecordEntries(const Reader& reader, const Digest& record) {
  STELE_ASSIGN_OR_RETURN(const Reader::Publications publications, reader.PublicationsOf(record));
  STELE_ASSIGN_OR_RETURN(const Reader::Subjects subjects, reader.SubjectsOf(record));
  std::vector<RecordEntry> entries;
  entries.reserve(publications.rows.size() + subjects.rows.size());
  for (size_t i = 0; i < publications.rows.size(); ++i) {
    const PublicationRow& row = publications.rows[i];
    entries.push_back({row.index, StatementType::kPublication, row.signer, row.authority,
                       publications.disputed[i]});
  }
  for (size_t i = 0; i < subjects.rows.size(); ++i) {
    const SubjectRow& row = subjects.rows[i];
    entries.push_back({row.index, row.type, row.signer, row.authority, subjects.disputed[i]});
  }
  std::sort(entries.begin(), entries.end(),
            [](const RecordEntry& a, const RecordEntry& b) { return a.index < b.index; });
  return entries;
}

}  // namespace stele::store
