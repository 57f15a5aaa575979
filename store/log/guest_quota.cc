#include "store/log/guest_quota.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/base/concat.h"
#include "core/base/refusal.h"

namespace stele::store {
namespace {

constexpr int64_t kDayMs = 24 * 3600 * 1000;

absl::Status UsedUp(std::string_view limit, uint64_t value, std::string_view whose, TimeMs now,
                    int64_t day) {
  const int64_t left = std::max<int64_t>((day + 1) * kDayMs - now.value(), 1);
  return WithRetryDelay(
      RefuseLimit(absl::StatusCode::kResourceExhausted, reason::kGuestQuota, limit, value,
                  Concat("today's ", value, " statements ", whose,
                         " are used up; send it again tomorrow (UTC)")),
      std::chrono::milliseconds(left));
}

template <class Map, class Key>
uint64_t CountOf(const Map& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? 0 : found->second;
}

template <class Map, class Key>
void TakeOne(Map& map, const Key& key) {
  const auto found = map.find(key);
  if (found != map.end() && --found->second == 0) map.erase(found);
}

}  // namespace

GuestQuota::Place::~Place() {
  if (!kept_) quota_.GiveBack(key_, address_, day_);
}

absl::Status GuestQuota::CheckSize(size_t envelope_bytes) const {
  if (envelope_bytes <= limits_.envelope_bytes) return absl::OkStatus();
  return RefuseLimit(absl::StatusCode::kResourceExhausted, reason::kTooLarge,
                     "guest_envelope_bytes", limits_.envelope_bytes,
                     Concat("a guest's envelope has ", envelope_bytes, " bytes, at most ",
                            limits_.envelope_bytes, " are taken"));
}

// A clock that goes back begins no day again.
void GuestQuota::BeginDay(int64_t day) {
  if (day <= day_) return;
  day_ = day;
  all_ = 0;
  keys_.clear();
  addresses_.clear();
}

absl::StatusOr<std::shared_ptr<GuestQuota::Place>> GuestQuota::Take(const KeyId& key,
                                                                    const std::string& address,
                                                                    TimeMs now) {
  MutexLock lock(mutex_);
  BeginDay(now.value() / kDayMs);
  if (CountOf(keys_, key) >= limits_.key_statements_per_day) {
    return UsedUp("guest_key_statements_per_day", limits_.key_statements_per_day,
                  "of one guest's key", now, day_);
  }
  if (CountOf(addresses_, address) >= limits_.address_statements_per_day) {
    return UsedUp("guest_address_statements_per_day", limits_.address_statements_per_day,
                  "of guests from one address", now, day_);
  }
  if (all_ >= limits_.statements_per_day) {
    return UsedUp("guest_statements_per_day", limits_.statements_per_day, "of all guests", now,
                  day_);
  }
  ++keys_[key];
  ++addresses_[address];
  ++all_;
  return std::make_shared<Place>(*this, key, address, day_);
}

void GuestQuota::GiveBack(const KeyId& key, const std::string& address, int64_t day) {
  MutexLock lock(mutex_);
  if (day != day_) return;
  TakeOne(keys_, key);
  TakeOne(addresses_, address);
  --all_;
}

}  // namespace stele::store
