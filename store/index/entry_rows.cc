#include "store/index/entry_rows.h"

#include "core/statement/key_ring.h"
#include "store/index/subject_rows.h"

namespace stele::store {

EntryRows RowsOf(const Statement& statement, EntryIndex index, const KeyId& signer,
                 EventIndex authority, const Digest& payload) {
  EntryRows rows;
  const ReplayKey key{payload, signer};
  rows.key_events = KeyEventsOf(statement, index, signer, authority);
  rows.subjects = SubjectRowsOf(statement, index, signer, authority);
  if (AlwaysDetached(statement.type)) {
    rows.subjects.push_back({.subject = CopiesOf(key),
                             .index = index,
                             .type = statement.type,
                             .signer = signer,
                             .authority = authority});
  } else {
    rows.replay = ReplayRow{.key = key, .index = index};
  }
  if (statement.type != StatementType::kPublication) return rows;
  for (const Subject& subject : statement.subjects) {
    if (subject.kind != Subject::Kind::kRecord) continue;
    rows.publications.push_back({.record = subject.digest,
                                 .index = index,
                                 .signer = signer,
                                 .manifest = *subject.manifest,
                                 .authority = authority});
  }
  return rows;
}

}  // namespace stele::store
