#include "store/read/citation_entries.h"

#include <set>
#include <utility>
#include <variant>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/statement/entry.h"
#include "store/read/record_entries.h"

namespace stele::store {
namespace {

// What of an entry leads to others.
struct Said {
  KeyId signer;
  EventIndex authority;
  std::optional<Digest> envelope;  // of a detached one
};

absl::StatusOr<Said> ReadSaid(const Reader& reader, EntryIndex index) {
  STELE_ASSIGN_OR_RETURN(const EntryRow row, reader.Entry(index));
  STELE_ASSIGN_OR_RETURN(const Entry entry, ParseLeaf(row.leaf));
  Said said{.signer = {}, .authority = entry.authority, .envelope = {}};
  if (const auto* detached = std::get_if<DetachedEnvelope>(&entry.body)) {
    said.signer = detached->key;
    said.envelope = detached->digest;
  } else {
    said.signer = std::get<StoredEnvelope>(entry.body).key;
  }
  return said;
}

class Closure {
 public:
  Closure(const Reader& reader, size_t most) : reader_(reader), most_(most) {}

  absl::Status Begin(const Digest& record) {
    STELE_ASSIGN_OR_RETURN(origin_,
                           reader_.SubjectsOf(OriginSubject(reader_.head().origin).digest));
    STELE_ASSIGN_OR_RETURN(const std::vector<RecordEntry> entries, RecordEntries(reader_, record));
    for (const RecordEntry& entry : entries) Add(entry.index);
    if (entries.empty()) return absl::OkStatus();
    for (const SubjectRow& row : origin_.rows) {
      if (row.type == StatementType::kLogKey) Add(row.index);
    }
    STELE_RETURN_IF_ERROR(AddWithholding(record));
    STELE_ASSIGN_OR_RETURN(const Reader::Publications published, reader_.PublicationsOf(record));
    for (const PublicationRow& row : published.rows) {
      STELE_RETURN_IF_ERROR(AddWithholding(row.manifest));
    }
    return absl::OkStatus();
  }

  // Follows what was added, until nothing new comes.
  absl::Status Follow() {
    while (!open_.empty()) {
      const EntryIndex index = open_.back();
      open_.pop_back();
      if (all_.size() > most_) {
        return Refuse(absl::StatusCode::kResourceExhausted, reason::kTooLarge, "",
                      Concat("a citation of this record has more than ", most_, " entries"));
      }
      STELE_RETURN_IF_ERROR(FollowOne(index));
    }
    return absl::OkStatus();
  }

  std::vector<EntryIndex> Take() const { return {all_.begin(), all_.end()}; }

 private:
  void Add(EntryIndex index) {
    if (all_.insert(index).second) open_.push_back(index);
  }

  absl::Status AddWithholding(const Digest& digest) {
    STELE_ASSIGN_OR_RETURN(const std::optional<EntryIndex> by, reader_.WithheldBy(digest));
    if (by) Add(*by);
    return absl::OkStatus();
  }

  absl::Status FollowOne(EntryIndex index) {
    STELE_ASSIGN_OR_RETURN(const Said said, ReadSaid(reader_, index));
    if (said.authority.value() >= 0) Add(EntryIndex(static_cast<uint64_t>(said.authority.value())));
    const auto disputed = reader_.ring().DisputedBy(index, said.signer, said.authority);
    if (disputed) Add(*disputed);
    if (IsGuest(said)) AddPolicyBelow(index);
    return said.envelope ? AddWithholding(*said.envelope) : absl::OkStatus();
  }

  // Its authority is its own introduction, or it is one: then it has none.
  bool IsGuest(const Said& said) const {
    if (said.authority == kNoEvent) return true;
    for (const KeyEvent& event : reader_.ring().events()) {
      if (static_cast<int64_t>(event.index.value()) != said.authority.value()) continue;
      if (event.subject == said.signer) return event.kind == KeyEvent::Kind::kIntroduction;
    }
    return false;
  }

  void AddPolicyBelow(EntryIndex index) {
    for (size_t i = origin_.rows.size(); i-- > 0;) {
      const SubjectRow& row = origin_.rows[i];
      if (row.type != StatementType::kPolicy || row.index >= index) continue;
      Add(row.index);
      // A disputed one may have counted then and not now: the one before it belongs to it.
      if (!origin_.disputed[i]) return;
    }
  }

  const Reader& reader_;
  const size_t most_;
  Reader::Subjects origin_;  // log keys and policies
  std::set<EntryIndex> all_;
  std::vector<EntryIndex> open_;
};

}  // namespace

absl::StatusOr<std::vector<EntryIndex>> CitationEntries(const Reader& reader, const Digest& record,
                                                        size_t most) {
  Closure closure(reader, most);
  STELE_RETURN_IF_ERROR(closure.Begin(record));
  STELE_RETURN_IF_ERROR(closure.Follow());
  return closure.Take();
}

}  // namespace stele::store
