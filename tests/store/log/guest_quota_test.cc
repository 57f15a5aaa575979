#include "store/log/guest_quota.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "core/base/refusal.h"
#include "core/crypto/sha256.h"

namespace stele::store {
namespace {

using Place = std::shared_ptr<GuestQuota::Place>;

constexpr int64_t kDay = 24 * 3600 * 1000;
constexpr TimeMs kNoon{1000 * kDay + kDay / 2};

KeyId Key(int n) { return Sha256("guest " + std::to_string(n)); }

GuestLimits Limits(uint64_t key, uint64_t address, uint64_t all) {
  return {.envelope_bytes = 100,
          .key_statements_per_day = key,
          .address_statements_per_day = address,
          .statements_per_day = all};
}

// One statement that comes into the log.
absl::Status Log(GuestQuota& quota, const KeyId& key, const std::string& address,
                 TimeMs now = kNoon) {
  absl::StatusOr<Place> place = quota.Take(key, address, now);
  if (place.ok()) (*place)->Keep();
  return place.status();
}

// The limit that a refusal names, with its value.
std::string Named(const absl::Status& status) {
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
  EXPECT_EQ(ReasonOf(status), reason::kGuestQuota);
  const RefusedLimit limit = LimitOf(status);
  return limit.name + " " + limit.value;
}

TEST(GuestQuotaTest, EachLimitIsNamedWhenItIsReached) {
  GuestQuota by_key(Limits(2, 10, 10));
  EXPECT_TRUE(Log(by_key, Key(1), "a").ok());
  EXPECT_TRUE(Log(by_key, Key(1), "b").ok());
  EXPECT_EQ(Named(Log(by_key, Key(1), "c")), "guest_key_statements_per_day 2");
  EXPECT_TRUE(Log(by_key, Key(2), "a").ok());

  GuestQuota by_address(Limits(10, 2, 10));
  EXPECT_TRUE(Log(by_address, Key(1), "a").ok());
  EXPECT_TRUE(Log(by_address, Key(2), "a").ok());
  EXPECT_EQ(Named(Log(by_address, Key(3), "a")), "guest_address_statements_per_day 2");
  EXPECT_TRUE(Log(by_address, Key(3), "b").ok());

  GuestQuota in_all(Limits(10, 10, 2));
  EXPECT_TRUE(Log(in_all, Key(1), "a").ok());
  EXPECT_TRUE(Log(in_all, Key(2), "b").ok());
  EXPECT_EQ(Named(Log(in_all, Key(3), "c")), "guest_statements_per_day 2");

  GuestQuota nobody(Limits(10, 10, 0));
  EXPECT_EQ(Named(Log(nobody, Key(1), "a")), "guest_statements_per_day 0");
}

TEST(GuestQuotaTest, ADayEndsAtMidnight) {
  GuestQuota quota(Limits(1, 10, 10));
  ASSERT_TRUE(Log(quota, Key(1), "a").ok());
  const absl::Status refused = Log(quota, Key(1), "a");
  EXPECT_EQ(RetryDelayOf(refused), std::chrono::milliseconds(kDay / 2));
  const TimeMs midnight{1001 * kDay};
  const absl::Status last = Log(quota, Key(1), "a", TimeMs{midnight.value() - 1});
  EXPECT_EQ(RetryDelayOf(last), std::chrono::milliseconds(1));
  EXPECT_TRUE(Log(quota, Key(1), "a", midnight).ok());
  // A clock that goes back brings no day back.
  EXPECT_FALSE(Log(quota, Key(1), "a", kNoon).ok());
}

TEST(GuestQuotaTest, WhatWasNotLoggedIsGivenBack) {
  GuestQuota quota(Limits(1, 1, 1));
  for (int n = 0; n < 3; ++n) {
    absl::StatusOr<Place> place = quota.Take(Key(1), "a", kNoon);
    ASSERT_TRUE(place.ok());
    // Taken as long as it is held.
    EXPECT_FALSE(quota.Take(Key(1), "a", kNoon).ok());
    EXPECT_FALSE(quota.Take(Key(2), "b", kNoon).ok());
  }
  // A place of yesterday is none of today's.
  absl::StatusOr<Place> old = quota.Take(Key(1), "a", kNoon);
  ASSERT_TRUE(old.ok());
  const TimeMs tomorrow{kNoon.value() + kDay};
  ASSERT_TRUE(Log(quota, Key(1), "a", tomorrow).ok());
  old->reset();
  EXPECT_FALSE(Log(quota, Key(1), "a", tomorrow).ok());
}

TEST(GuestQuotaTest, SizesOfEnvelopes) {
  const GuestQuota quota(Limits(1, 1, 1));
  EXPECT_TRUE(quota.CheckSize(100).ok());
  const absl::Status refused = quota.CheckSize(101);
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(ReasonOf(refused), reason::kTooLarge);
  EXPECT_EQ(LimitOf(refused).name, "guest_envelope_bytes");
  EXPECT_EQ(LimitOf(refused).value, "100");
  EXPECT_EQ(RetryDelayOf(refused), std::nullopt);
}

TEST(GuestQuotaTest, ManyThreadsTakeExactlyWhatThereIs) {
  GuestQuota quota(Limits(1000, 1000, 100));
  std::atomic<int> logged{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int n = 0; n < 100; ++n) {
        { quota.Take(Key(t), "given back", kNoon).IgnoreError(); }
        if (Log(quota, Key(t), "a").ok()) ++logged;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  // Others may hold a place for a moment that they give back; the last to come find it free.
  for (int n = 0; n < 100; ++n) {
    if (Log(quota, Key(9), "b").ok()) ++logged;
  }
  EXPECT_EQ(logged, 100);
}

}  // namespace
}  // namespace stele::store
