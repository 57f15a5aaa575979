// Which log keys sign at which size, and what a server says that lacks one.
#include "store/log/log_signer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/refusal.h"
#include "core/crypto/sha256.h"
#include "core/replay/log_keys.h"
#include "store/log/key_watch.h"
#include "tests/support/store/statements.h"

namespace stele::store {
namespace {

using testing::kOrigin;
using testing::TestKey;
using testing::TestVkey;
using Names = std::vector<std::string>;

NoteVerifier Verifier(std::string_view name) { return *NoteVerifier::FromVkey(TestVkey(name)); }

LogKeySpan Span(std::string_view name, uint64_t from, std::optional<uint64_t> until = {}) {
  return {Verifier(name), TreeSize{from}, until ? std::optional(TreeSize{*until}) : std::nullopt};
}

LogSigner Holding(const Names& names) {
  std::vector<PrivateKey> keys;
  for (const std::string& name : names) keys.push_back(TestKey(name));
  return *LogSigner::Make(kOrigin, keys);
}

// The old key signs up to 20, the new one from 10 on, and a later one from 30.
const std::vector<LogKeySpan>& Keys() {
  static const auto& keys =
      *new std::vector<LogKeySpan>{Span("old", 0, 20), Span("new", 10), Span("later", 30)};
  return keys;
}

// Who signed a checkpoint of this size; the reason if nobody would.
Names Signers(const LogSigner& signer, uint64_t size) {
  const Checkpoint checkpoint{kOrigin, TreeSize{size}, Sha256("root"), {}};
  const absl::StatusOr<std::string> note = signer.Sign(checkpoint, Keys());
  EXPECT_EQ(note.status(), signer.CheckCanSign(TreeSize{size}, Keys()));
  if (!note.ok()) return {ReasonOf(note.status())};
  const auto opened = OpenCheckpoint(*note, {Verifier("old"), Verifier("new"), Verifier("later")});
  EXPECT_TRUE(opened.ok()) << opened.status();
  EXPECT_EQ(opened->checkpoint, checkpoint);
  Names names;
  for (const std::string& vkey : opened->signers) {
    for (const char* name : {"old", "new", "later"}) {
      if (TestVkey(name) == vkey) names.emplace_back(name);
    }
  }
  EXPECT_TRUE(CheckLogKeys(TreeSize{size}, Keys(), opened->signers).ok());
  return names;
}

TEST(LogSignerTest, EveryKeyThatIsHeldAndCurrentSigns) {
  const LogSigner all = Holding({"new", "later", "old", "of another log"});
  EXPECT_EQ(Signers(all, 1), Names{"old"});
  EXPECT_EQ(Signers(all, 9), Names{"old"});
  EXPECT_EQ(Signers(all, 10), (Names{"old", "new"}));
  EXPECT_EQ(Signers(all, 20), (Names{"old", "new"}));
  EXPECT_EQ(Signers(all, 21), Names{"new"});
  EXPECT_EQ(Signers(all, 30), (Names{"new", "later"}));
}

TEST(LogSignerTest, NothingIsSignedThatCountsForNothing) {
  const LogSigner old = Holding({"old"});
  EXPECT_EQ(Signers(old, 20), Names{"old"});
  EXPECT_EQ(Signers(old, 21), Names{"LOG_KEY_MISSING"});
  const absl::Status refused = old.CheckCanSign(TreeSize{21}, Keys());
  EXPECT_TRUE(absl::IsUnavailable(refused));
  EXPECT_NE(refused.message().find(TestVkey("new")), absl::string_view::npos);
  EXPECT_EQ(refused.message().find(TestVkey("later")), absl::string_view::npos);
  EXPECT_EQ(Signers(Holding({"new"}), 9), Names{"LOG_KEY_MISSING"});
  EXPECT_EQ(Signers(Holding({"later"}), 29), Names{"LOG_KEY_MISSING"});
}

TEST(LogSignerTest, WhereSigningEnds) {
  const auto end = [](const Names& held, uint64_t size) -> std::optional<uint64_t> {
    const auto found = Holding(held).EndOfSigning(TreeSize{size}, Keys());
    return found ? std::optional(found->value()) : std::nullopt;
  };
  EXPECT_EQ(end({"old"}, 1), 21u);
  EXPECT_EQ(end({"old"}, 21), 21u);
  EXPECT_EQ(end({"old", "new"}, 1), std::nullopt);
  EXPECT_EQ(end({"new"}, 1), 1u);
  EXPECT_EQ(end({"new"}, 10), std::nullopt);
  EXPECT_EQ(end({"old", "later"}, 1), 21u);
  EXPECT_EQ(end({"later"}, 30), std::nullopt);
}

TEST(LogSignerTest, WhatIsMissingNowOrLater) {
  const auto missing = [](const Names& held, uint64_t size) {
    Names names;
    for (const LogKeySpan& span : Holding(held).Missing(TreeSize{size}, Keys())) {
      for (const char* name : {"old", "new", "later"}) {
        if (TestVkey(name) == span.key.ToVkey()) names.emplace_back(name);
      }
    }
    return names;
  };
  EXPECT_EQ(missing({"old"}, 1), (Names{"new", "later"}));
  EXPECT_EQ(missing({"new"}, 20), (Names{"old", "later"}));
  EXPECT_EQ(missing({"new"}, 21), Names{"later"});
  EXPECT_EQ(missing({"old", "new", "later"}, 1), Names());
}

TEST(LogSignerTest, OnlyEd25519Signs) {
  const PrivateKey other = *PrivateKey::Generate(KeyAlgorithm::kEcdsaP256);
  EXPECT_EQ(ReasonOf(LogSigner::Make(kOrigin, {other}).status()), reason::kBadKey);
}

// A state of `size` with the genesis key "old" and what `bring` adds.
LogState StateOf(uint64_t size, const std::vector<Statement>& bring) {
  LogState state = EmptyLog(kOrigin);
  state.head.size = TreeSize{size};
  auto events = std::make_shared<LogEvents>();
  Statement genesis;
  genesis.type = StatementType::kGenesis;
  genesis.predicate = Genesis{.log_key = Verifier("old"),
                              .operator_key = TestKey("operator").public_key(),
                              .recovery_keys = {},
                              .predecessor = {}};
  const KeyId op = TestKey("operator").public_key().id();
  events->Add({EntryIndex{0}, op, EventIndex{0}}, genesis);
  uint64_t index = 0;
  for (const Statement& statement : bring) {
    events->Add({EntryIndex{++index}, op, EventIndex{0}}, statement);
  }
  state.events = std::move(events);
  return state;
}

class KeyWatchTest : public ::testing::Test {
 protected:
  KeyWatch watch_{[this](std::string_view severity, std::string_view message) {
    EXPECT_EQ(severity, "warning");
    said_.emplace_back(message);
  }};
  Names said_;
};

TEST_F(KeyWatchTest, AKeyThatWillBeDueIsAskedForOnce) {
  const LogSigner signer = Holding({"old"});
  EXPECT_TRUE(watch_.Look(signer, StateOf(5, {})).ok());
  EXPECT_TRUE(said_.empty());
  const std::vector<Statement> rotation = {
      testing::AddLogKey("new", TreeSize{3000}, {{TestVkey("old"), TreeSize{4000}}})};
  EXPECT_TRUE(watch_.Look(signer, StateOf(6, rotation)).ok());
  ASSERT_EQ(said_.size(), 1u);
  EXPECT_NE(said_[0].find(TestVkey("new")), std::string::npos);
  EXPECT_NE(said_[0].find("3000"), std::string::npos);
  // Other events change nothing.
  std::vector<Statement> more = rotation;
  more.push_back(testing::OpenPolicy(kNoEvent));
  EXPECT_TRUE(watch_.Look(signer, StateOf(7, more)).ok());
  EXPECT_EQ(said_.size(), 1u);
}

TEST_F(KeyWatchTest, TheEndIsSaidWhenItIsNearAndRefusedWhenItIsThere) {
  const LogSigner signer = Holding({"old"});
  LogState state =
      StateOf(6, {testing::AddLogKey("new", TreeSize{3000}, {{TestVkey("old"), TreeSize{4000}}})});
  EXPECT_TRUE(watch_.Look(signer, state).ok());
  const size_t before = said_.size();
  state.head.size = TreeSize{2000};
  EXPECT_TRUE(watch_.Look(signer, state).ok());
  EXPECT_EQ(said_.size(), before);
  for (uint64_t size : {3500u, 3501u, 3999u}) {
    state.head.size = TreeSize{size};
    EXPECT_TRUE(watch_.Look(signer, state).ok());
  }
  ASSERT_EQ(said_.size(), before + 1);
  EXPECT_NE(said_.back().find("4001"), std::string::npos);
  state.head.size = TreeSize{4000};
  EXPECT_EQ(ReasonOf(watch_.Look(signer, state)), reason::kLogKeyMissing);
  // With the new key all is well.
  KeyWatch fresh({});
  EXPECT_TRUE(fresh.Look(Holding({"new"}), state).ok());
}

}  // namespace
}  // namespace stele::store
