#include "store/fsck/row_check.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"

namespace stele::store {
namespace {

std::string NameOf(const ReplayRow& row) {
  return Concat(row.key.payload.ToText(), " by ", row.key.signer.ToText());
}
std::string NameOf(const PublicationRow& row) {
  return Concat(row.record.ToText(), " at ", row.index.value());
}
std::string NameOf(const SubjectRow& row) {
  return Concat(row.subject.ToText(), " at ", row.index.value());
}
std::string NameOf(const KeyEvent& event) { return Concat("at ", event.index.value()); }

// What keeps the rows from being read is a finding, unless the store cannot be read just now.
absl::Status AsFinding(const absl::Status& read, std::string_view kind, Findings& findings) {
  if (!absl::IsDataLoss(read)) return read;
  findings.Add(kind, "", std::string(read.message()), kRebuild);
  return absl::OkStatus();
}

class DerivedCheck {
 public:
  DerivedCheck(const Snapshot& snapshot, const LogCheck& log, Findings& findings)
      : snapshot_(snapshot), log_(log), findings_(findings) {}

  absl::Status Check() {
    const RowSums& expected = log_.sums();
    STELE_RETURN_IF_ERROR(CheckKind<ReplayRow>(RowKind::kReplay, "replay row", expected.replays));
    STELE_RETURN_IF_ERROR(
        CheckKind<PublicationRow>(RowKind::kPublication, "publication row", expected.publications));
    STELE_RETURN_IF_ERROR(
        CheckKind<SubjectRow>(RowKind::kSubject, "subject row", expected.subjects));
    return CheckKind<KeyEvent>(RowKind::kKeyEvent, "key event", expected.key_events);
  }

 private:
  static bool Has(const EntryRows& rows, const ReplayRow& row) {
    return rows.replay && rows.replay->key == row.key && rows.replay->index == row.index;
  }
  static bool Has(const EntryRows& rows, const PublicationRow& row) {
    return std::find(rows.publications.begin(), rows.publications.end(), row) !=
           rows.publications.end();
  }
  static bool Has(const EntryRows& rows, const SubjectRow& row) {
    return std::find(rows.subjects.begin(), rows.subjects.end(), row) != rows.subjects.end();
  }
  static bool Has(const EntryRows& rows, const KeyEvent& event) {
    return std::any_of(rows.key_events.begin(), rows.key_events.end(), [&](const KeyEvent& other) {
      RowSum one, two;
      one.Add(event);
      two.Add(other);
      return one == two;
    });
  }

  absl::StatusOr<bool> IsOpen(const SubjectRow& row) const { return log_.IsOpen(row); }
  template <class Row>
  absl::StatusOr<bool> IsOpen(const Row&) const {
    return false;
  }

  template <class Row>
  absl::Status CheckKind(RowKind kind, std::string_view name, const RowSum& expected) {
    const uint64_t before = findings_.count();
    RowSum stored;
    absl::Status error;
    const absl::Status read = snapshot_.VisitRows(kind, [&](absl::StatusOr<AnyRow> any) {
      if (!any.ok()) {
        findings_.AddRow(name, any.status(), kRebuild);
        return true;
      }
      const Row& row = std::get<Row>(*any);
      const absl::StatusOr<bool> open = IsOpen(row);
      error = open.status();
      if (error.ok() && !*open) stored.Add(row);
      return error.ok();
    });
    STELE_RETURN_IF_ERROR(error);
    STELE_RETURN_IF_ERROR(AsFinding(read, name, findings_));
    if (stored == expected) return absl::OkStatus();
    STELE_RETURN_IF_ERROR(FindOthers<Row>(kind, name));
    STELE_RETURN_IF_ERROR(FindMissing<Row>(name));
    if (findings_.count() == before) {
      findings_.Add(name, "",
                    Concat("there are ", stored.count(), ", ", expected.count(), " were expected"),
                    kRebuild);
    }
    return absl::OkStatus();
  }

  // Rows that no entry leads to.
  template <class Row>
  absl::Status FindOthers(RowKind kind, std::string_view name) {
    absl::Status error;
    const absl::Status read = snapshot_.VisitRows(kind, [&](absl::StatusOr<AnyRow> any) {
      if (!any.ok()) return true;
      const Row& row = std::get<Row>(*any);
      const EntryIndex index = row.index;
      const absl::StatusOr<std::optional<EntryRows>> rows = log_.RowsAt(index);
      const absl::StatusOr<bool> open = IsOpen(row);
      error = rows.ok() ? open.status() : rows.status();
      if (error.ok() && !*open && (!*rows || !Has(**rows, row))) {
        findings_.Add(name, NameOf(row),
                      Concat("does not follow from entry ", index.value(), ", which it names"),
                      kRebuild);
      }
      return error.ok();
    });
    STELE_RETURN_IF_ERROR(error);
    return AsFinding(read, name, findings_);
  }

  template <class Row>
  absl::Status FindMissing(std::string_view name) {
    const uint64_t size = snapshot_.head()->size.value();
    for (uint64_t i = 0; i < size; ++i) {
      STELE_ASSIGN_OR_RETURN(const std::optional<EntryRows> rows, log_.RowsAt(EntryIndex{i}));
      if (rows) STELE_RETURN_IF_ERROR(LookUp(name, *rows, static_cast<const Row*>(nullptr)));
    }
    return absl::OkStatus();
  }

  void Missing(std::string_view name, const std::string& which, EntryIndex index) {
    findings_.Add(name, which, Concat("is not there as entry ", index.value(), " leads to it"),
                  kRebuild);
  }

  absl::Status LookUp(std::string_view name, const EntryRows& rows, const ReplayRow*) {
    if (!rows.replay) return absl::OkStatus();
    const auto found = snapshot_.FindReplay(rows.replay->key);
    if (absl::IsUnavailable(found.status())) return found.status();
    if (found.ok() && *found == rows.replay->index) return absl::OkStatus();
    if (found.ok()) Missing(name, NameOf(*rows.replay), rows.replay->index);
    return absl::OkStatus();  // what is damaged was said
  }

  absl::Status LookUp(std::string_view name, const EntryRows& rows, const PublicationRow*) {
    for (const PublicationRow& row : rows.publications) {
      const auto found = snapshot_.Publications(row.record);
      if (absl::IsUnavailable(found.status())) return found.status();
      if (!found.ok() || std::find(found->begin(), found->end(), row) != found->end()) continue;
      Missing(name, NameOf(row), row.index);
    }
    return absl::OkStatus();
  }

  absl::Status LookUp(std::string_view name, const EntryRows& rows, const SubjectRow*) {
    for (const SubjectRow& row : rows.subjects) {
      const auto found = snapshot_.Subjects(row.subject);
      if (absl::IsUnavailable(found.status())) return found.status();
      if (!found.ok() || std::find(found->begin(), found->end(), row) != found->end()) continue;
      Missing(name, NameOf(row), row.index);
    }
    return absl::OkStatus();
  }

  absl::Status LookUp(std::string_view name, const EntryRows& rows, const KeyEvent*) {
    if (rows.key_events.empty()) return absl::OkStatus();
    const auto stored = snapshot_.KeyEvents();  // few, and only in a damaged store
    if (!stored.ok())
      return absl::IsUnavailable(stored.status()) ? stored.status() : absl::OkStatus();
    for (const KeyEvent& event : rows.key_events) {
      EntryRows one;
      one.key_events = {event};
      const bool there = std::any_of(stored->begin(), stored->end(),
                                     [&](const KeyEvent& other) { return Has(one, other); });
      if (!there) Missing(name, NameOf(event), event.index);
    }
    return absl::OkStatus();
  }

  const Snapshot& snapshot_;
  const LogCheck& log_;
  Findings& findings_;
};

}  // namespace

absl::Status CheckDerivedRows(const Snapshot& snapshot, const LogCheck& log, Findings& findings) {
  return DerivedCheck(snapshot, log, findings).Check();
}

absl::Status CheckContentRows(const Snapshot& snapshot, const Replay& replay, Findings& findings) {
  const absl::Status read = snapshot.VisitRows(RowKind::kContent, [&](absl::StatusOr<AnyRow> any) {
    if (!any.ok()) {
      findings.AddRow("content", any.status(), kRefetch);
      return true;
    }
    const ContentRow& row = std::get<ContentRow>(*any);
    const Digest is = Sha256(row.bytes);
    if (is != row.digest && !replay.IsWithheld(row.digest)) {
      findings.Add("content", row.digest.ToText(),
                   Concat("bytes with digest ", is.ToText(), " stand there"), kRefetch);
    }
    return true;
  });
  if (!absl::IsDataLoss(read)) return read;
  findings.Add("content", "", std::string(read.message()), kRefetch);
  return absl::OkStatus();
}

}  // namespace stele::store
