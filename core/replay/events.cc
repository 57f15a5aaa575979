#include "core/replay/events.h"

#include <algorithm>

#include "core/base/concat.h"
#include "core/base/refusal.h"

namespace stele {
namespace {

absl::Status RefuseLogKey(std::string_view reason, std::string_view pointer,
                          std::string_view message) {
  return Refuse(absl::StatusCode::kFailedPrecondition, reason, pointer, message);
}

absl::Status CheckRange(EntryIndex index, const LogKey& event) {
  if (event.from.value() <= index.value()) {
    return RefuseLogKey(reason::kLogKeyRange, "/predicate/from",
                        Concat("must be above this entry, ", index.value()));
  }
  for (size_t i = 0; i < event.retires.size(); ++i) {
    const TreeSize until = event.retires[i].until;
    if (until.value() > index.value() && until >= event.from) continue;
    return RefuseLogKey(
        reason::kLogKeyRange, Concat("/predicate/retires/", i, "/until"),
        Concat("must be above this entry, ", index.value(), ", and not below from"));
  }
  return absl::OkStatus();
}

std::vector<LogKeySpan>::iterator FindKey(std::vector<LogKeySpan>& keys, std::string_view vkey) {
  return std::find_if(keys.begin(), keys.end(),
                      [&](const LogKeySpan& span) { return span.key.ToVkey() == vkey; });
}

}  // namespace

const SwitchEvents::Event* SwitchEvents::Find(const EntryTable& entries) const {
  const auto latest = std::find_if(events_.rbegin(), events_.rend(),
                                   [&](const Event& e) { return entries.Counts(e.entry); });
  return latest == events_.rend() ? nullptr : &*latest;
}

EventIndex SwitchEvents::Latest(const EntryTable& entries) const {
  const Event* event = Find(entries);
  if (event == nullptr) return kNoEvent;
  return EventIndex(static_cast<int64_t>(entries[event->entry].index.value()));
}

bool SwitchEvents::IsOn(const EntryTable& entries) const {
  const Event* event = Find(entries);
  return event != nullptr && event->on;
}

void WithholdingTable::Add(Ordinal entry, DigestTable::Id digest, bool withheld) {
  events_[digest].Add(entry, withheld);
}

EventIndex WithholdingTable::Latest(const EntryTable& entries,
                                    std::optional<DigestTable::Id> digest) const {
  const auto it = digest ? events_.find(*digest) : events_.end();
  return it == events_.end() ? kNoEvent : it->second.Latest(entries);
}

bool WithholdingTable::IsWithheld(const EntryTable& entries,
                                  std::optional<DigestTable::Id> digest) const {
  const auto it = digest ? events_.find(*digest) : events_.end();
  return it != events_.end() && it->second.IsOn(entries);
}

std::vector<DigestTable::Id> WithholdingTable::Withheld(const EntryTable& entries) const {
  std::vector<DigestTable::Id> withheld;
  for (const auto& [digest, events] : events_) {
    if (events.IsOn(entries)) withheld.push_back(digest);
  }
  std::sort(withheld.begin(), withheld.end());
  return withheld;
}

std::vector<LogKeySpan> LogKeyTable::Keys(const EntryTable& entries) const {
  std::vector<LogKeySpan> keys;
  if (genesis_) keys.push_back({*genesis_, TreeSize(0), std::nullopt});
  for (const Event& event : events_) {
    if (!entries.Counts(event.entry)) continue;
    for (const LogKeyRetirement& retired : event.event.retires) {
      const auto known = FindKey(keys, retired.vkey);
      // What brought it may be disputed by now.
      if (known != keys.end() && !known->until) known->until = retired.until;
    }
    const auto known = FindKey(keys, event.event.key.ToVkey());
    if (known == keys.end()) keys.push_back({event.event.key, event.event.from, std::nullopt});
  }
  return keys;
}

absl::Status LogKeyTable::Check(const EntryTable& entries, EntryIndex index,
                                const LogKey& event) const {
  absl::Status range = CheckRange(index, event);
  if (!range.ok()) return range;
  std::vector<LogKeySpan> keys = Keys(entries);
  if (FindKey(keys, event.key.ToVkey()) != keys.end()) {
    return RefuseLogKey(reason::kLogKeyKnown, "/predicate/vkey", "this log key is known already");
  }
  for (size_t i = 0; i < event.retires.size(); ++i) {
    const auto retired = FindKey(keys, event.retires[i].vkey);
    if (retired != keys.end() && !retired->until) continue;
    return RefuseLogKey(reason::kLogKeyUnknown, Concat("/predicate/retires/", i, "/vkey"),
                        "this log key is unknown or retired already");
  }
  return absl::OkStatus();
}

}  // namespace stele
