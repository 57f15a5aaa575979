#include "core/replay/events.h"

#include <algorithm>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"

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

bool Counts(const KeyRing& ring, const EventPlace& place) {
  return !ring.DisputedBy(place.index, place.signer, place.authority);
}

}  // namespace

const SwitchEvents::Event* SwitchEvents::Find(const KeyRing& ring) const {
  const auto latest = std::find_if(events_.rbegin(), events_.rend(),
                                   [&](const Event& e) { return Counts(ring, e.place); });
  return latest == events_.rend() ? nullptr : &*latest;
}

EventIndex SwitchEvents::Latest(const KeyRing& ring) const {
  const Event* event = Find(ring);
  if (event == nullptr) return kNoEvent;
  return EventIndex(static_cast<int64_t>(event->place.index.value()));
}

bool SwitchEvents::IsOn(const KeyRing& ring) const {
  const Event* event = Find(ring);
  return event != nullptr && event->on;
}

bool LogEvents::Takes(StatementType type) {
  return type == StatementType::kGenesis || type == StatementType::kLogKey ||
         type == StatementType::kPolicy || type == StatementType::kWithholding;
}

void LogEvents::Add(const EventPlace& place, const Statement& statement) {
  if (const auto* genesis = std::get_if<Genesis>(&statement.predicate)) {
    genesis_key_ = genesis->log_key;
  } else if (const auto* log_key = std::get_if<LogKey>(&statement.predicate)) {
    log_keys_.push_back({place, *log_key});
  } else if (const auto* policy = std::get_if<Policy>(&statement.predicate)) {
    policy_.Add(place, policy->open_attestations);
  } else if (const auto* withholding = std::get_if<Withholding>(&statement.predicate)) {
    withholdings_[statement.subjects.front().digest].Add(place, withholding->withheld);
  }
}

EventIndex LogEvents::LatestWithholding(const KeyRing& ring, const Digest& digest) const {
  const auto it = withholdings_.find(digest);
  return it == withholdings_.end() ? kNoEvent : it->second.Latest(ring);
}

std::optional<EntryIndex> LogEvents::WithheldBy(const KeyRing& ring, const Digest& digest) const {
  const auto it = withholdings_.find(digest);
  if (it == withholdings_.end() || !it->second.IsOn(ring)) return std::nullopt;
  return EntryIndex(static_cast<uint64_t>(it->second.Latest(ring).value()));
}

std::vector<Digest> LogEvents::Withheld(const KeyRing& ring) const {
  std::vector<Digest> withheld;
  for (const auto& [digest, events] : withholdings_) {
    if (events.IsOn(ring)) withheld.push_back(digest);
  }
  return withheld;
}

std::vector<LogKeySpan> LogEvents::LogKeys(const KeyRing& ring) const {
  std::vector<LogKeySpan> keys;
  if (genesis_key_) keys.push_back({*genesis_key_, TreeSize(0), std::nullopt});
  for (const auto& [place, event] : log_keys_) {
    if (!Counts(ring, place)) continue;
    for (const LogKeyRetirement& retired : event.retires) {
      const auto known = FindKey(keys, retired.vkey);
      // What brought it may be disputed by now.
      if (known != keys.end() && !known->until) known->until = retired.until;
    }
    const auto known = FindKey(keys, event.key.ToVkey());
    if (known == keys.end()) keys.push_back({event.key, event.from, std::nullopt});
  }
  return keys;
}

absl::Status LogEvents::CheckLogKey(const KeyRing& ring, EntryIndex index,
                                    const LogKey& event) const {
  STELE_RETURN_IF_ERROR(CheckRange(index, event));
  std::vector<LogKeySpan> keys = LogKeys(ring);
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
