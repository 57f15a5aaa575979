#include "store/log/recent_replays.h"

#include <gtest/gtest.h>

#include <string>

#include "core/crypto/sha256.h"

namespace stele::store {
namespace {

ReplayKey Key(uint64_t n) { return {Sha256(std::to_string(n)), Sha256("signer")}; }

// One commit of the entries [from, to).
void Commit(RecentReplays& recent, uint64_t from, uint64_t to) {
  std::vector<ReplayRow> rows;
  for (uint64_t n = from; n < to; ++n) rows.push_back({Key(n), EntryIndex{n}});
  recent.Add(rows, TreeSize{to});
}

TEST(RecentReplays, KnowsWhatCameSinceTheStart) {
  RecentReplays recent(100);
  recent.Reset(TreeSize{10});
  EXPECT_FALSE(recent.KnowsSince(TreeSize{9}));
  EXPECT_TRUE(recent.KnowsSince(TreeSize{10}));
  Commit(recent, 10, 13);
  EXPECT_EQ(recent.Find(Key(12)), EntryIndex{12});
  EXPECT_EQ(recent.Find(Key(9)), std::nullopt);
  EXPECT_EQ(recent.Find({Key(12).payload, Sha256("another signer")}), std::nullopt);
}

// Whatever it says it knows, it knows.
TEST(RecentReplays, ForgetsWholeCommitsFromTheOldest) {
  RecentReplays recent(10);
  recent.Reset(TreeSize{0});
  for (uint64_t n = 0; n < 100; n += 4) {
    Commit(recent, n, n + 4);
    uint64_t since = n + 4;
    while (since > 0 && recent.KnowsSince(TreeSize{since - 1})) --since;
    EXPECT_LE(n + 4 - since, 10u);
    EXPECT_GE(n + 4 - since, std::min<uint64_t>(n + 4, 8));
    for (uint64_t i = since; i < n + 4; ++i) EXPECT_EQ(recent.Find(Key(i)), EntryIndex{i});
  }
}

TEST(RecentReplays, OneCommitLargerThanAllIsForgotten) {
  RecentReplays recent(10);
  recent.Reset(TreeSize{0});
  Commit(recent, 0, 11);
  EXPECT_FALSE(recent.KnowsSince(TreeSize{0}));
  EXPECT_TRUE(recent.KnowsSince(TreeSize{11}));
}

TEST(RecentReplays, ResetForgets) {
  RecentReplays recent;
  recent.Reset(TreeSize{0});
  Commit(recent, 0, 3);
  recent.Reset(TreeSize{5});
  EXPECT_EQ(recent.Find(Key(1)), std::nullopt);
  EXPECT_FALSE(recent.KnowsSince(TreeSize{4}));
}

}  // namespace
}  // namespace stele::store
