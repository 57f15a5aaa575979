// How much is taken of guests: the size of their envelopes, and how many of their statements in a
// day, by key, by address and in all. Admission: it decides what this server lets in, not what is
// valid.
//
// Counts are in memory, of the day in UTC by the clock of whoever asks; a restart begins a new
// count. Memory is bounded by the number in all. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/limits.h"
#include "core/base/mutex.h"
#include "core/base/strong_int.h"
#include "core/crypto/key.h"

namespace stele::store {

struct GuestLimits {
  uint64_t envelope_bytes = limits::kGuestEnvelopeBytes;
  uint64_t key_statements_per_day = limits::kGuestKeyStatementsPerDay;
  uint64_t address_statements_per_day = limits::kGuestAddressStatementsPerDay;
  uint64_t statements_per_day = limits::kGuestStatementsPerDay;
};

class GuestQuota {
 public:
  explicit GuestQuota(const GuestLimits& limits) : limits_(limits) {}

  // One statement's place in the day's counts. Given back when it goes, unless it was kept: what
  // does not come into the log costs its sender nothing. The quota outlives it.
  class Place {
   public:
    Place(GuestQuota& quota, KeyId key, std::string address, int64_t day)
        : quota_(quota), key_(key), address_(std::move(address)), day_(day) {}
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    void Keep() { kept_ = true; }

   private:
    GuestQuota& quota_;
    const KeyId key_;
    const std::string address_;
    const int64_t day_;
    bool kept_ = false;
  };

  // TOO_LARGE (RESOURCE_EXHAUSTED), naming the limit.
  absl::Status CheckSize(size_t envelope_bytes) const;

  // GUEST_QUOTA (RESOURCE_EXHAUSTED), naming the limit, with the time until the next day.
  absl::StatusOr<std::shared_ptr<Place>> Take(const KeyId& key, const std::string& address,
                                              TimeMs now) STELE_EXCLUDES(mutex_);

 private:
  void BeginDay(int64_t day) STELE_REQUIRES(mutex_);
  void GiveBack(const KeyId& key, const std::string& address, int64_t day) STELE_EXCLUDES(mutex_);

  const GuestLimits limits_;
  Mutex mutex_;
  int64_t day_ STELE_GUARDED_BY(mutex_) = 0;  // since 1970
  uint64_t all_ STELE_GUARDED_BY(mutex_) = 0;
  absl::flat_hash_map<KeyId, uint64_t> keys_ STELE_GUARDED_BY(mutex_);
  absl::flat_hash_map<std::string, uint64_t> addresses_ STELE_GUARDED_BY(mutex_);
};

}  // namespace stele::store
