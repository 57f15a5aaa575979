#include "core/replay/records.h"

#include <algorithm>

namespace stele {
namespace {

constexpr uint32_t kStored = 1;
constexpr uint32_t kFirstRow = 2;

}  // namespace

uint32_t& RecordTable::SlotOf(DigestTable::Id digest) {
  if (digest >= slots_.size()) slots_.resize(std::max<size_t>(digest + 1, digests_->size()));
  return slots_[digest];
}

RecordTable::Row& RecordTable::RowOf(DigestTable::Id digest) {
  uint32_t& slot = SlotOf(digest);
  if (slot < kFirstRow) {
    slot = static_cast<uint32_t>(rows_.size()) + kFirstRow;
    rows_.push_back({.digest = digest});
  }
  return rows_[slot - kFirstRow];
}

const RecordTable::Row* RecordTable::FindRow(const Digest& record) const {
  const std::optional<DigestTable::Id> id = digests_->Find(record);
  if (!id || *id >= slots_.size() || slots_[*id] < kFirstRow) return nullptr;
  return &rows_[slots_[*id] - kFirstRow];
}

bool RecordTable::IsPublished(const Digest& record) const {
  const Row* row = FindRow(record);
  return row != nullptr && row->first != kNone;
}

bool RecordTable::IsStored(const Digest& digest) const {
  const std::optional<DigestTable::Id> id = digests_->Find(digest);
  if (!id || *id >= slots_.size()) return false;
  return slots_[*id] == kStored || IsPublished(digest);
}

void RecordTable::AddPublication(Ordinal entry, absl::Span<const Subject> subjects) {
  for (const Subject& subject : subjects) {
    const DigestTable::Id digest = digests_->Intern(subject.digest);
    if (subject.kind != Subject::Kind::kRecord) {
      uint32_t& slot = SlotOf(digest);
      slot = std::max(slot, kStored);
      continue;
    }
    const DigestTable::Id manifest = digests_->Intern(*subject.manifest);
    SlotOf(manifest) = std::max(SlotOf(manifest), kStored);
    const auto at = static_cast<uint32_t>(publications_.size());
    publications_.push_back({.entry = entry, .manifest = manifest});
    Row& row = RowOf(digest);
    (row.last == kNone ? row.first : publications_[row.last].next) = at;
    row.last = at;
  }
}

void RecordTable::AddRetraction(Ordinal entry, absl::Span<const Subject> subjects,
                                const std::optional<Digest>& superseded_by, bool by_operator) {
  for (const Subject& subject : subjects) {
    const DigestTable::Id successor = superseded_by ? digests_->Intern(*superseded_by) : kNone;
    Row& row = RowOf(digests_->Intern(subject.digest));
    retractions_.push_back({entry, row.retraction, successor, by_operator});
    row.retraction = static_cast<uint32_t>(retractions_.size() - 1);
  }
}

bool RecordTable::IsPublishedBy(const Digest& record, DigestTable::Id signer) const {
  const Row* row = FindRow(record);
  for (uint32_t at = row == nullptr ? kNone : row->first; at != kNone;
       at = publications_[at].next) {
    const Ordinal entry = publications_[at].entry;
    if ((*entries_)[entry].signer == signer && entries_->Counts(entry)) return true;
  }
  return false;
}

std::vector<RecordPublication> RecordTable::PublicationsOf(const Digest& record) const {
  std::vector<RecordPublication> found;
  const Row* row = FindRow(record);
  for (uint32_t at = row == nullptr ? kNone : row->first; at != kNone;
       at = publications_[at].next) {
    found.push_back({publications_[at].entry, (*digests_)[publications_[at].manifest]});
  }
  return found;
}

std::optional<Ordinal> RecordTable::FirstCounting(const Row& row) const {
  for (uint32_t at = row.first; at != kNone; at = publications_[at].next) {
    if (entries_->Counts(publications_[at].entry)) return publications_[at].entry;
  }
  return std::nullopt;
}

std::optional<KeyId> RecordTable::OwnerOf(const Digest& record) const {
  const Row* row = FindRow(record);
  const std::optional<Ordinal> first = row == nullptr ? std::nullopt : FirstCounting(*row);
  if (!first) return std::nullopt;
  return entries_->SignerOf(*first);
}

std::vector<RecordTable::RetractionRow> RecordTable::RetractionsOf(const Row& row) const {
  std::vector<RetractionRow> found;
  for (uint32_t at = row.retraction; at != kNone; at = retractions_[at].before) {
    if (entries_->Counts(retractions_[at].entry)) found.push_back(retractions_[at]);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

bool RecordTable::Retracts(const RetractionRow& retraction, std::optional<Ordinal> owner) const {
  if (retraction.by_operator) return true;
  return owner && (*entries_)[retraction.entry].signer == (*entries_)[*owner].signer;
}

std::optional<RetractionState> RecordTable::RetractionOf(const Digest& record) const {
  const Row* row = FindRow(record);
  if (row == nullptr || row->retraction == kNone) return std::nullopt;
  const std::optional<Ordinal> owner = FirstCounting(*row);
  std::optional<RetractionState> state;
  for (const RetractionRow& retraction : RetractionsOf(*row)) {
    if (!Retracts(retraction, owner)) continue;
    if (!state) state = RetractionState{(*entries_)[retraction.entry].index, std::nullopt};
    if (retraction.superseded_by == kNone) continue;
    state->superseded_by = (*digests_)[retraction.superseded_by];
    break;
  }
  return state;
}

std::vector<KeyId> RecordTable::WithdrawnBy(const Digest& record) const {
  std::vector<KeyId> signers;
  const Row* row = FindRow(record);
  if (row == nullptr || row->retraction == kNone) return signers;
  const std::optional<Ordinal> owner = FirstCounting(*row);
  for (const RetractionRow& retraction : RetractionsOf(*row)) {
    const KeyId& signer = entries_->SignerOf(retraction.entry);
    if (Retracts(retraction, owner)) continue;
    if (std::find(signers.begin(), signers.end(), signer) == signers.end()) {
      signers.push_back(signer);
    }
  }
  return signers;
}

}  // namespace stele
