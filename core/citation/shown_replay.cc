#include "core/citation/shown_replay.h"

#include <algorithm>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"

namespace stele {
namespace {

std::string Place(size_t at, std::string_view member = {}) {
  return Concat("/entries/", at, member);
}

}  // namespace

ShownReplay::ShownReplay(const std::vector<CitationEntry>& entries, const Digest& record,
                         std::string_view origin)
    : shown_(entries),
      record_(record),
      replay_({.after = false, .last_operator = false, .about_record = [this](const Digest& about) {
                 return about == record_ ? record_published_ : replay_.records().IsPublished(about);
               }}) {
  for (const CitationEntry& entry : shown_) {
    ReadEntry read = ReadLeaf(entry.index, entry.leaf, origin);
    if (read.detached) ReadEnvelope(entry.detached, origin, read);
    record_published_ = record_published_ || NamesRecord(read.said);
    read_.push_back(std::move(read));
  }
}

bool ShownReplay::NamesRecord(const Said& said) const {
  const std::vector<Subject>& subjects = said.statement.subjects;
  return said.HasStatement() && said.statement.type == StatementType::kPublication &&
         std::any_of(subjects.begin(), subjects.end(),
                     [&](const Subject& subject) { return subject.digest == record_; });
}

absl::Status ShownReplay::Judge() {
  for (size_t at = 0; at < read_.size(); ++at) {
    CheckSignature(replay_.ring().FindKey(read_[at].said.signer), read_[at]);
    const absl::Status fault = replay_.Add(read_[at].said);
    // Whether a missing envelope is withheld shows only above.
    if (fault.ok() || read_[at].said.reading == Said::Reading::kNoEnvelope) continue;
    return RefuseInput(
        ReasonOf(fault), Place(at),
        Concat("entry ", shown_[at].index.value(), " is void: ", std::string(fault.message())));
  }
  for (size_t at = 0; at < read_.size(); ++at) STELE_RETURN_IF_ERROR(CheckDetached(at));
  return absl::OkStatus();
}

absl::Status ShownReplay::CheckDetached(size_t at) const {
  const bool given = shown_[at].detached.has_value();
  const std::string place = Place(at, "/detached");
  if (!read_[at].detached) {
    if (!given) return absl::OkStatus();
    return RefuseInput(reason::kUnknownMember, place, "the entry holds its envelope itself");
  }
  const bool withheld = replay_.IsWithheld(read_[at].detached->digest);
  if (withheld && given) {
    return RefuseInput(reason::kWithheld, place, "the envelope is withheld");
  }
  if (withheld || read_[at].said.reading != Said::Reading::kNoEnvelope) return absl::OkStatus();
  return RefuseInput(reason::kMissingContent, place,
                     Concat("expected the envelope ", read_[at].detached->digest.ToText(),
                            ", which is not withheld"));
}

}  // namespace stele
