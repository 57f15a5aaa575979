#include "core/replay/replay.h"

#include <algorithm>
#include <array>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/replay/successors.h"

namespace stele {
namespace {

absl::Status Replayed() {
  return Refuse(absl::StatusCode::kAlreadyExists, reason::kReplayed, "",
                "this payload by this key is in the log already");
}

absl::Status RefuseUnread(const Said& said) {
  return RefuseInput(said.reason, "", "the entry cannot be read as what it has to be");
}

absl::Status CheckAuthority(const Said& said, EventIndex latest) {
  if (said.authority == latest) return absl::OkStatus();
  return RefuseInput(reason::kAuthority, "/authority",
                     Concat("the latest key event about the signer is ", latest.value(),
                            ", the leaf says ", said.authority.value()));
}

}  // namespace

std::string_view VerdictName(Verdict verdict) {
  static constexpr std::array<std::string_view, 4> kNames = {"valid", "void", "withheld",
                                                             "malformed"};
  return kNames[static_cast<size_t>(verdict)];
}

std::string_view ChainEndName(ChainEnd end) {
  static constexpr std::array<std::string_view, 3> kNames = {"end", "cycle", "limit"};
  return kNames[static_cast<size_t>(end)];
}

Replay::Replay(ReplayRules rules)
    : rules_(std::move(rules)),
      ring_(KeyRingRules{.after = rules_.after, .last_operator = rules_.last_operator}) {}

Replay::~Replay() = default;

absl::Status Replay::Add(const Said& said) {
  EntryRow row;
  row.index = said.index;
  row.authority = said.authority;
  row.signer = digests_.Intern(said.signer);
  row.type = said.statement.type;
  row.malformed = said.reading == Said::Reading::kMalformed;
  row.detached = said.envelope.has_value();
  const Ordinal entry = entries_.Add(row);
  if (!row.malformed) NoteTime(said);

  absl::Status fault;
  if (said.reading < Said::Reading::kBadPayload) {
    fault = AddUnreadable(said, entry);
  } else {
    const ReplayKey key{digests_.Intern(said.payload), row.signer};
    fault = row.detached ? AddDetached(said, entry, key) : AddInline(said, entry, key);
  }
  if (!fault.ok()) entries_[entry].reason = reasons_.Intern(ReasonOf(fault));
  return fault;
}

void Replay::NoteTime(const Said& said) {
  if (last_logged_ && said.logged < *last_logged_) time_faults_.push_back(said.index);
  last_logged_ = said.logged;
}

absl::Status Replay::AddUnreadable(const Said& said, Ordinal entry) {
  absl::Status fault = RefuseUnread(said);
  if (said.envelope) {
    copies_.Add({.entry = entry,
                 .envelope = digests_.Intern(*said.envelope),
                 .alone = reasons_.Intern(said.reason)});
  }
  return fault;
}

absl::Status Replay::CheckSigner(const Said& said) const {
  STELE_RETURN_IF_ERROR(CheckKeyKnown(ring_, said.signer, said.own_key));
  if (said.signature == Said::Signature::kGood) return absl::OkStatus();
  return RefuseInput(reason::kBadSignature, "", "the signature does not verify");
}

absl::Status Replay::CheckStatement(const Said& said) const {
  if (said.reading != Said::Reading::kWhole) {
    return RefuseInput(said.reason, "", "the statement has not the form that it must have");
  }
  STELE_RETURN_IF_ERROR(CheckPlace(said.index, said.statement.type));
  STELE_RETURN_IF_ERROR(CheckAuthority(said, AuthorityOf(ring_, said.signer, said.index)));
  return JudgeAct(*this, rules_, {said.index, said.signer, said.statement});
}

absl::Status Replay::AddInline(const Said& said, Ordinal entry, ReplayKey key) {
  STELE_RETURN_IF_ERROR(CheckSigner(said));
  const auto copy = replays_.find(key);
  if (copy != replays_.end()) {
    const ReplayRow& row = copy->second;
    const auto withheld = [&](DigestTable::Id id) { return IsWithheldId(id); };
    if (!row.detached || copies_.Answers(row.at, withheld)) return Replayed();
  }
  STELE_RETURN_IF_ERROR(CheckStatement(said));
  replays_[key] = {.detached = false, .at = entry};
  TakeIn(said, entry);
  return absl::OkStatus();
}

absl::Status Replay::AddDetached(const Said& said, Ordinal entry, ReplayKey key) {
  DetachedCopies::Row row{.entry = entry, .envelope = digests_.Intern(*said.envelope)};
  absl::Status fault = CheckSigner(said);
  const auto copy = fault.ok() ? replays_.find(key) : replays_.end();
  if (copy != replays_.end() && !copy->second.detached) fault = Replayed();
  if (fault.ok()) fault = CheckStatement(said);
  if (!fault.ok()) row.alone = reasons_.Intern(ReasonOf(fault));
  if (copy != replays_.end() && copy->second.detached) {
    row.earlier = copy->second.at;
    row.replay = copies_.Answers(row.earlier, [&](DigestTable::Id id) { return IsWithheldId(id); });
    if (row.replay) fault = Replayed();
  }
  const uint32_t at = copies_.Add(row);
  if (row.alone == 0) replays_[key] = {.detached = true, .at = at};
  return fault;
}

// What a valid inline statement changes. Detached types change nothing that the replay answers.
void Replay::TakeIn(const Said& said, Ordinal entry) {
  const Statement& statement = said.statement;
  for (const KeyEvent& event : KeyEventsOf(statement, said.index, said.signer, said.authority)) {
    ring_.Add(event);
  }
  events_.Add({said.index, said.signer, said.authority}, statement);
  if (statement.type == StatementType::kWithholding) {
    digests_.Intern(statement.subjects.front().digest);
  }
  if (std::holds_alternative<Publication>(statement.predicate)) {
    records_.AddPublication(entry, statement.subjects);
  } else if (const auto* retraction = std::get_if<Retraction>(&statement.predicate)) {
    records_.AddRetraction(entry, statement.subjects, retraction->superseded_by,
                           ring_.RoleOf(said.signer) == Role::kOperator);
  }
}

bool Replay::IsPublishedBy(const Digest& record, const KeyId& signer) const {
  const std::optional<DigestTable::Id> id = digests_.Find(signer);
  return id && records_.IsPublishedBy(record, *id);
}

Judgement Replay::JudgementOf(Ordinal entry) const {
  const EntryRow& row = entries_[entry];
  if (row.malformed) return {Verdict::kMalformed, reasons_[row.reason]};
  uint8_t reason = row.reason;
  if (row.detached) {
    const DetachedCopies::Row& copy = copies_.Of(entry);
    const auto withheld = [&](DigestTable::Id id) { return IsWithheldId(id); };
    if (withheld(copy.envelope)) return {Verdict::kWithheld, std::string(reason::kWithheld)};
    if (copy.replay && !copies_.Answers(copy.earlier, withheld)) reason = copy.alone;
  }
  if (reason == 0) return {};
  return {Verdict::kVoid, reasons_[reason]};
}

Judgement Replay::JudgementOf(EntryIndex index) const { return JudgementOf(*entries_.Find(index)); }

std::optional<Ordinal> Replay::FindValid(EntryIndex index) const {
  const std::optional<Ordinal> entry = entries_.Find(index);
  if (!entry || JudgementOf(*entry).verdict != Verdict::kValid) return std::nullopt;
  return entry;
}

std::optional<EntryIndex> Replay::DisputedBy(EntryIndex index) const {
  const std::optional<Ordinal> entry = FindValid(index);
  return entry ? entries_.DisputedBy(*entry) : std::nullopt;
}

bool Replay::Counts(EntryIndex index) const {
  const std::optional<Ordinal> entry = FindValid(index);
  return entry && entries_.Counts(*entry);
}

KeyId Replay::SignerOf(EntryIndex index) const { return entries_.SignerOf(*entries_.Find(index)); }

std::vector<EntryFault> Replay::Faults() const {
  std::vector<EntryFault> faults;
  auto late = time_faults_.begin();
  for (size_t i = 0; i < entries_.size(); ++i) {
    const auto entry = static_cast<Ordinal>(i);
    const EntryIndex index = entries_[entry].index;
    if (late != time_faults_.end() && *late == index) {
      faults.push_back({index, std::string(reason::kTimeDecreased)});
      ++late;
    }
    if (entries_[entry].reason == 0) continue;
    Judgement judgement = JudgementOf(entry);
    if (judgement.verdict == Verdict::kVoid || judgement.verdict == Verdict::kMalformed) {
      faults.push_back({index, std::move(judgement.reason)});
    }
  }
  return faults;
}

std::optional<RecordRetraction> Replay::RetractionOf(const Digest& record) const {
  const std::optional<RetractionState> state = records_.RetractionOf(record);
  if (!state) return std::nullopt;
  RecordRetraction retraction{state->index, state->superseded_by, {}, ChainEnd::kEnd};
  const auto next_of = [&](const Digest& of) -> absl::StatusOr<std::optional<Digest>> {
    const std::optional<RetractionState> further = records_.RetractionOf(of);
    return further ? further->superseded_by : std::nullopt;
  };
  // Nothing is read here: it cannot fail.
  retraction.chain_end = *FollowSuccessors(record, state->superseded_by, retraction.chain, next_of);
  return retraction;
}

// Every withheld digest was interned when the withholding was taken in.
std::vector<Digest> Replay::Withheld() const {
  std::vector<Digest> withheld = events_.Withheld(ring_);
  std::sort(withheld.begin(), withheld.end(),
            [&](const Digest& a, const Digest& b) { return digests_.Find(a) < digests_.Find(b); });
  return withheld;
}

}  // namespace stele
