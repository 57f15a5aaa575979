// Stories about who may say what, told to a store and to an auditor who sees the log alone.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/crypto/sha256.h"
#include "store/log/genesis.h"
#include "tests/store/audited_story.h"

namespace stele::store::testing {
namespace {

using stele::testing::AddLogKey;
using stele::testing::Grant;
using stele::testing::Introduce;
using stele::testing::kOrigin;
using stele::testing::Note;
using stele::testing::OpenPolicy;
using stele::testing::Publication;
using stele::testing::Retract;
using stele::testing::Revoke;
using stele::testing::Sign;
using stele::testing::SignPayload;
using stele::testing::SignPublication;
using stele::testing::StoreHome;
using stele::testing::TestKey;
using stele::testing::TestManifest;
using stele::testing::TestRecord;
using stele::testing::Withhold;
using Words = std::vector<std::string>;

EventIndex Event(uint64_t index) { return EventIndex(static_cast<int64_t>(index)); }

class RoleStories : public AuditedStory {
 protected:
  uint64_t GrantTo(const PrivateKey& key, Role role, const PrivateKey& by,
                   EventIndex after = kNoEvent) {
    return Log(Sign(Grant(key.public_key(), role, after), by));
  }
  PublishItem RevokeKey(const PrivateKey& key, uint64_t after, const PrivateKey& by,
                        std::optional<EntryIndex> since = {}) const {
    return Sign(Revoke(key.public_key().id(), Event(after), since), by);
  }
  const PrivateKey second_ = TestKey("second");
  const PrivateKey guest_ = TestKey("guest");
};

TEST_F(RoleStories, RevokedAndUsedAtOnce) {
  const uint64_t grant = GrantTo(publisher_, Role::kPublisher, operator_);
  Close();
  OpenOptions options = StoreHome::Options();
  options.admission_threads = 1;  // keeps the order
  Open(options);
  EXPECT_EQ(
      SayAll({SignPublication(TestManifest(1), publisher_), RevokeKey(publisher_, grant, operator_),
              SignPublication(TestManifest(2), publisher_),
              Sign(Retract({TestRecord(1)}), publisher_)}),
      (Words{"valid", "valid", "ROLE", "ROLE"}));
}

TEST_F(RoleStories, WhatAStolenOperatorKeyGranted) {
  const uint64_t stolen = GrantTo(second_, Role::kOperator, operator_);
  const uint64_t by_thief = GrantTo(publisher_, Role::kPublisher, second_);
  const uint64_t before = Log(SignPublication(TestManifest(1), publisher_));
  const uint64_t honest = Log(SignPublication(TestManifest(2), operator_));
  Log(RevokeKey(second_, stolen, operator_, EntryIndex{by_thief}));
  // The grant is as if it had never been, though its key is known.
  EXPECT_EQ(Say(SignPublication(TestManifest(3), publisher_)), "ROLE");
  EXPECT_EQ(Say(SignPublication(TestManifest(3), second_)), "ROLE");
  const uint64_t again = GrantTo(publisher_, Role::kPublisher, operator_);
  const uint64_t after = Log(SignPublication(TestManifest(3), publisher_));
  // It retracts what it published since, and not what is disputed.
  EXPECT_EQ(Say(Sign(Retract({TestRecord(1)}), publisher_)), "NOT_OWNER");
  EXPECT_EQ(Say(Sign(Retract({TestRecord(3)}), publisher_)), "valid");
  Audit();
  EXPECT_FALSE(Counts(by_thief));
  EXPECT_FALSE(Counts(before));
  for (uint64_t index : {honest, again, after}) EXPECT_TRUE(Counts(index)) << index;
  EXPECT_EQ(auditor().OwnerOf(TestRecord(1)), std::nullopt);
}

// Policy, withholding and log keys of a thief are undone with him.
TEST_F(RoleStories, WhatAStolenOperatorKeyDecided) {
  const Digest record = TestRecord(1);
  Log(SignPublication(TestManifest(1), operator_));
  const uint64_t stolen = GrantTo(second_, Role::kOperator, operator_);
  const uint64_t opened = Log(Sign(OpenPolicy(kNoEvent), second_));
  Log(Sign(Withhold(record, kNoEvent), second_));
  Log(Sign(AddLogKey("a thief's", TreeSize{1000}), second_));
  Log(Sign(Introduce(guest_.public_key()), guest_));
  EXPECT_EQ(ReasonOf(Reader()->Content(record).status()), reason::kWithheld);
  Log(RevokeKey(second_, stolen, operator_, EntryIndex{opened}));
  EXPECT_TRUE(Reader()->Content(record).ok());
  EXPECT_EQ(Say(Sign(Note(record), guest_)), "POLICY_CLOSED");
  // The families begin anew.
  EXPECT_EQ(Say(Sign(OpenPolicy(Event(opened)), operator_)), "STALE_AFTER");
  Log(Sign(OpenPolicy(kNoEvent), operator_));
  Log(Sign(Note(record), guest_));
  Log(Sign(Withhold(record, kNoEvent), operator_));
  Log(Sign(AddLogKey("a thief's", TreeSize{1000}), operator_));
}

TEST_F(RoleStories, AReplayedGrant) {
  const PublishItem grant =
      Sign(Grant(publisher_.public_key(), Role::kPublisher, kNoEvent), operator_);
  const uint64_t first = Log(grant);
  EXPECT_EQ(Say(grant), "REPLAYED");
  const uint64_t revoked = Log(RevokeKey(publisher_, first, operator_));
  // Neither the old words nor new ones with the old `after` bring the role back.
  EXPECT_EQ(Say(grant), "REPLAYED");
  EXPECT_EQ(Say(SignPublication(TestManifest(1), publisher_)), "ROLE");
  EXPECT_EQ(Say(Sign(Grant(publisher_.public_key(), Role::kAttester, kNoEvent), operator_)),
            "STALE_AFTER");
  GrantTo(publisher_, Role::kPublisher, operator_, Event(revoked));
  EXPECT_EQ(Say(SignPublication(TestManifest(1), publisher_)), "valid");
}

TEST_F(RoleStories, AnotherLogsStatements) {
  for (Statement statement :
       {Publication({TestManifest(1)}), OpenPolicy(kNoEvent),
        Grant(publisher_.public_key(), Role::kPublisher, kNoEvent), Note(TestRecord(1))}) {
    statement.log = "another.example/log";
    EXPECT_EQ(Say(Sign(statement, operator_)), "WRONG_LOG");
  }
}

TEST_F(RoleStories, AGenesisAtIndexSeven) {
  for (int n = 1; n < 7; ++n) Log(SignPublication(TestManifest(n), operator_));
  ASSERT_EQ(NextIndex(), 7u);
  const auto genesis = MakeGenesis({.origin = kOrigin,
                                    .log_key = TestKey("log"),
                                    .operator_key = operator_,
                                    .recovery_keys = {},
                                    .now = TimeMs{0}});
  EXPECT_EQ(Say(SignPayload(genesis->payload, operator_)), "GENESIS");
}

TEST_F(RoleStories, ASecondPublishersRetraction) {
  GrantTo(publisher_, Role::kPublisher, operator_);
  GrantTo(second_, Role::kPublisher, operator_);
  Log(SignPublication(TestManifest(1), publisher_));
  EXPECT_EQ(Say(Sign(Retract({TestRecord(1)}), second_)), "NOT_OWNER");
  Log(SignPublication(TestManifest(1), second_));
  Log(Sign(Retract({TestRecord(1)}), second_));
  Audit();
  // It took its own publication back, and not the record.
  EXPECT_FALSE(auditor().RetractionOf(TestRecord(1)).has_value());
  EXPECT_EQ(auditor().WithdrawnBy(TestRecord(1)), std::vector<KeyId>{second_.public_key().id()});
  EXPECT_EQ(Say(Sign(Retract({TestRecord(1), TestRecord(2)}), second_)), "UNKNOWN_SUBJECT");
  Log(SignPublication(TestManifest(2), publisher_));
  EXPECT_EQ(Say(Sign(Retract({TestRecord(1), TestRecord(2)}), second_)), "NOT_OWNER");
}

TEST_F(RoleStories, ARetractionIsFinal) {
  GrantTo(publisher_, Role::kPublisher, operator_);
  Log(SignPublication(TestManifest(1), publisher_));
  const uint64_t retracted = Log(Sign(Retract({TestRecord(1)}), publisher_));
  Log(SignPublication(TestManifest(1, "with a title"), publisher_));
  Audit();
  ASSERT_TRUE(auditor().RetractionOf(TestRecord(1)).has_value());
  EXPECT_EQ(auditor().RetractionOf(TestRecord(1))->index, EntryIndex{retracted});
}

TEST_F(RoleStories, AGuestBeforeAndAfterThePolicyOpens) {
  Log(SignPublication(TestManifest(1), operator_));
  const PublishItem introduction = Sign(Introduce(guest_.public_key()), guest_);
  EXPECT_EQ(Say(introduction), "POLICY_CLOSED");
  EXPECT_EQ(Say(Sign(Note(TestRecord(1)), guest_)), "UNKNOWN_KEY");
  const uint64_t open = Log(Sign(OpenPolicy(kNoEvent), operator_));
  EXPECT_EQ(Say(Sign(Note(TestRecord(1)), guest_)), "UNKNOWN_KEY");
  Log(introduction);
  EXPECT_EQ(Say(introduction), "REPLAYED");
  const uint64_t note = Log(Sign(Note(TestRecord(1)), guest_));
  Log(Sign(OpenPolicy(Event(open), false), operator_));
  EXPECT_EQ(Say(Sign(Note(TestRecord(1), "another"), guest_)), "POLICY_CLOSED");
  EXPECT_EQ(Say(Sign(Introduce(second_.public_key()), second_)), "POLICY_CLOSED");
  Audit();
  EXPECT_TRUE(Counts(note));
}

// Policy, withholdings and log keys are read back from the entries that rows lead to.
TEST_F(RoleStories, WhatTheLogDecidedOutlivesARestart) {
  Log(SignPublication(TestManifest(1), operator_));
  Log(SignPublication(TestManifest(2), operator_));
  const uint64_t open = Log(Sign(OpenPolicy(kNoEvent), operator_));
  Log(Sign(Introduce(guest_.public_key()), guest_));
  const uint64_t withheld = Log(Sign(Withhold(TestRecord(2), kNoEvent), operator_));
  Log(Sign(AddLogKey("new log key", TreeSize{1000}), operator_));
  Close();
  Open();
  Log(Sign(Note(TestRecord(1)), guest_));
  EXPECT_EQ(ReasonOf(PublishOne(Sign(Note(TestRecord(2)), guest_)).status()), reason::kWithheld);
  EXPECT_EQ(ReasonOf(Reader()->Content(TestRecord(2)).status()), reason::kWithheld);
  EXPECT_EQ(Say(Sign(OpenPolicy(kNoEvent, false), operator_)), "STALE_AFTER");
  EXPECT_EQ(Say(Sign(AddLogKey("new log key", TreeSize{2000}), operator_)), "LOG_KEY_KNOWN");
  Log(Sign(Withhold(TestRecord(2), Event(withheld), false), operator_));
  Log(Sign(OpenPolicy(Event(open), false), operator_));
  Close();
  Open();
  EXPECT_TRUE(Reader()->Content(TestRecord(2)).ok());
  EXPECT_EQ(Say(Sign(Note(TestRecord(1), "another"), guest_)), "POLICY_CLOSED");
  Log(Sign(Retract({TestRecord(2)}), operator_));
}

TEST_F(RoleStories, WhatIsWithheldAnswersNoReplay) {
  Log(SignPublication(TestManifest(1), operator_));
  const PrivateKey ecdsa = *PrivateKey::Generate(KeyAlgorithm::kEcdsaP256);
  GrantTo(ecdsa, Role::kAttester, operator_);
  const PublishItem first = Sign(Note(TestRecord(1)), ecdsa),
                    second = Sign(Note(TestRecord(1)), ecdsa);
  const uint64_t one = Log(first);
  EXPECT_EQ(Say(second), "REPLAYED");
  const uint64_t withheld = Log(Sign(Withhold(Sha256(first.envelope), kNoEvent), operator_));
  const uint64_t two = Log(second);
  EXPECT_EQ(Say(second), "REPLAYED");
  Log(Sign(Withhold(Sha256(first.envelope), Event(withheld), false), operator_));
  const auto replayed = PublishOne(second);
  ASSERT_TRUE(replayed.ok());
  EXPECT_EQ(replayed->index, EntryIndex{one});
  Log(Sign(Withhold(Sha256(second.envelope), kNoEvent), operator_));
  EXPECT_EQ(PublishOne(first)->index, EntryIndex{one});
  Log(Sign(Withhold(Sha256(second.envelope), Event(NextIndex() - 1), false), operator_));
  Audit();
  EXPECT_TRUE(Counts(one));
  EXPECT_TRUE(Counts(two));
}

}  // namespace
}  // namespace stele::store::testing
