// What the golden logs do not show: the corners of replays and withholding, and logs of which only
// a part is shown (rule 34).
#include "core/replay/replay.h"

#include <gtest/gtest.h>

#include "core/base/refusal.h"
#include "core/crypto/sha256.h"

namespace stele {
namespace {

constexpr char kOrigin[] = "log.example/test";

PublicKey Key(std::string_view name) {
  return PrivateKey::FromEd25519Seed(Sha256(name).bytes())->public_key();
}

// Statements by index, each read and signed well, its authority right unless it says otherwise.
class ReplayRulesTest : public ::testing::Test {
 protected:
  ReplayRulesTest() { Begin({}); }

  void Begin(ReplayRules rules) {
    replay_ = std::make_unique<Replay>(std::move(rules));
    Genesis genesis{*NoteVerifier::Make(kOrigin, Key("log")), Key("operator"), {}, std::nullopt};
    Said said =
        Make(0, Key("operator"), StatementType::kGenesis, genesis, {OriginSubject(kOrigin)});
    said.authority = EventIndex(0);
    said.own_key = true;
    ASSERT_TRUE(replay_->Add(said).ok());
  }

  Said Make(uint64_t index, const PublicKey& signer, StatementType type, Predicate predicate,
            std::vector<Subject> subjects) const {
    Said said;
    said.index = EntryIndex(index);
    said.authority = replay_->ring().Latest(signer.id());
    said.signer = signer.id();
    said.reading = Said::Reading::kWhole;
    said.signature = Said::Signature::kGood;
    said.payload = Sha256(std::to_string(index));
    said.statement.type = type;
    said.statement.predicate_type = PredicateTypeOf(type);
    said.statement.log = kOrigin;
    said.statement.predicate = std::move(predicate);
    said.statement.subjects = std::move(subjects);
    return said;
  }
  std::string Add(const Said& said) {
    const absl::Status status = replay_->Add(said);
    return status.ok() ? "valid" : ReasonOf(status);
  }
  std::string Grant(uint64_t index, const PublicKey& key, Role role, int64_t after = -1) {
    return Add(Make(index, Key("operator"), StatementType::kKeyGrant,
                    KeyGrant{EventIndex(after), key, "k", role}, {KeySubject(key.id())}));
  }
  std::string Publish(uint64_t index, const PublicKey& key, std::string_view record) {
    const Digest digest = Sha256(record);
    return Add(Make(index, key, StatementType::kPublication, Publication{},
                    {RecordSubject(digest, digest)}));
  }
  std::string Retract(uint64_t index, const PublicKey& key, std::string_view record) {
    Subject subject = RecordSubject(Sha256(record), Digest());
    subject.manifest.reset();
    return Add(
        Make(index, key, StatementType::kRetraction, Retraction{"r", std::nullopt}, {subject}));
  }
  std::string Withhold(uint64_t index, const Digest& digest, bool withheld, int64_t after) {
    Subject subject;
    subject.kind = Subject::Kind::kAny;
    subject.digest = digest;
    return Add(Make(index, Key("operator"), StatementType::kWithholding,
                    Withholding{EventIndex(after), withheld, "r"}, {subject}));
  }
  // The same note each time, in an envelope of its own digest.
  std::string Note(uint64_t index, const PublicKey& key, std::string_view record,
                   std::string_view envelope) {
    Subject subject = RecordSubject(Sha256(record), Digest());
    subject.manifest.reset();
    Said said = Make(index, key, StatementType::kNote, NoteStatement{"note", "b", {}}, {subject});
    said.payload = Sha256("the note");
    said.envelope = Sha256(envelope);
    return Add(said);
  }
  std::string Verdict(uint64_t index) const {
    const Judgement judged = replay_->JudgementOf(EntryIndex(index));
    return judged.reason.empty() ? std::string(VerdictName(judged.verdict)) : judged.reason;
  }

  std::unique_ptr<Replay> replay_;
};

TEST_F(ReplayRulesTest, ACopyIsVoidUntilTheFirstIsWithheld) {
  const PublicKey key = Key("attester");
  Grant(1, key, Role::kAttester);
  Publish(2, Key("operator"), "r");
  EXPECT_EQ(Note(3, key, "r", "one"), "valid");
  EXPECT_EQ(Note(4, key, "r", "two"), "REPLAYED");
  EXPECT_EQ(Verdict(4), "REPLAYED");
  EXPECT_EQ(Withhold(5, Sha256("one"), true, -1), "valid");
  EXPECT_EQ(Verdict(3), "WITHHELD");
  EXPECT_EQ(Verdict(4), "valid");
  EXPECT_EQ(Withhold(6, Sha256("one"), false, 5), "valid");
  EXPECT_EQ(Verdict(3), "valid");
  EXPECT_EQ(Verdict(4), "REPLAYED");
}

TEST_F(ReplayRulesTest, ACopyLoggedWhileTheFirstWasWithheldStaysValid) {
  const PublicKey key = Key("attester");
  Grant(1, key, Role::kAttester);
  Publish(2, Key("operator"), "r");
  Note(3, key, "r", "one");
  Withhold(4, Sha256("one"), true, -1);
  EXPECT_EQ(Note(5, key, "r", "two"), "valid");
  Withhold(6, Sha256("one"), false, 4);
  EXPECT_EQ(Verdict(5), "valid");
  EXPECT_EQ(Note(7, key, "r", "three"), "REPLAYED");
  EXPECT_TRUE(replay_->Counts(EntryIndex(5)));
  EXPECT_FALSE(replay_->Counts(EntryIndex(7)));
}

TEST_F(ReplayRulesTest, AMissingEnvelopeIsVoidUnlessItIsWithheld) {
  Said said = Make(1, Key("operator"), StatementType::kNote, NoteStatement{}, {});
  said.reading = Said::Reading::kNoEnvelope;
  said.reason = reason::kMissingContent;
  said.envelope = Sha256("gone");
  EXPECT_EQ(Add(said), "MISSING_CONTENT");
  ASSERT_EQ(replay_->Faults().size(), 1u);
  Withhold(2, Sha256("gone"), true, -1);
  EXPECT_EQ(Verdict(1), "WITHHELD");
  EXPECT_TRUE(replay_->Faults().empty());
}

TEST_F(ReplayRulesTest, AMalformedEntryAndAnEarlierTimeAreFaults) {
  Said said = Make(1, Key("operator"), StatementType::kPublication, Publication{},
                   {RecordSubject(Sha256("r"), Sha256("r"))});
  said.logged = TimeMs(100);
  EXPECT_EQ(Add(said), "valid");
  Said malformed;
  malformed.index = EntryIndex(2);
  malformed.reason = "SYNTAX";
  EXPECT_EQ(Add(malformed), "SYNTAX");
  said.index = EntryIndex(3);
  said.logged = TimeMs(99);
  EXPECT_EQ(Add(said), "REPLAYED");
  std::string faults;
  for (const EntryFault& fault : replay_->Faults()) {
    faults += std::to_string(fault.index.value()) + " " + fault.reason + "\n";
  }
  EXPECT_EQ(faults, "2 SYNTAX\n3 TIME_DECREASED\n3 REPLAYED\n");
  EXPECT_EQ(replay_->JudgementOf(EntryIndex(2)).verdict, Verdict::kMalformed);
}

TEST_F(ReplayRulesTest, AKeyIntroducesItselfOnly) {
  Add(Make(1, Key("operator"), StatementType::kPolicy, Policy{kNoEvent, true},
           {OriginSubject(kOrigin)}));
  const PublicKey guest = Key("guest");
  const auto introduce = [&](uint64_t index, const PublicKey& signer) {
    Said said = Make(index, signer, StatementType::kKeyIntroduction, KeyIntroduction{guest},
                     {KeySubject(guest.id())});
    said.own_key = signer.id() == guest.id();
    return Add(said);
  };
  EXPECT_EQ(introduce(2, Key("operator")), "ROLE");
  EXPECT_EQ(introduce(3, guest), "valid");
  EXPECT_EQ(introduce(4, guest), "KEY_KNOWN");
}

TEST_F(ReplayRulesTest, WhereAPartIsShownIndexesHaveGapsAndSomeConditionsRest) {
  const PublicKey key = Key("publisher");
  EXPECT_EQ(Grant(10, key, Role::kPublisher, 7), "STALE_AFTER");
  Begin({.after = false, .last_operator = false, .about_record = [](const Digest& record) {
           return record == Sha256("shown");
         }});
  EXPECT_EQ(Grant(10, key, Role::kPublisher, 7), "valid");
  EXPECT_EQ(Retract(20, key, "not shown"), "valid");
  EXPECT_EQ(Retract(21, key, "shown"), "UNKNOWN_SUBJECT");
  EXPECT_EQ(Publish(30, Key("operator"), "shown"), "valid");
  EXPECT_EQ(Retract(40, key, "shown"), "NOT_OWNER");
  EXPECT_EQ(Publish(1000, key, "shown"), "valid");
  EXPECT_EQ(Retract(uint64_t{1} << 50, key, "shown"), "valid");
  EXPECT_EQ(replay_->WithdrawnBy(Sha256("shown")), std::vector<KeyId>{key.id()});
  EXPECT_FALSE(replay_->RetractionOf(Sha256("shown")).has_value());
  const PublicKey op = Key("operator");
  EXPECT_EQ(Add(Make((uint64_t{1} << 50) + 1, op, StatementType::kKeyRevoke,
                     KeyRevoke{kNoEvent, "r", std::nullopt}, {KeySubject(op.id())})),
            "valid");
  EXPECT_EQ(replay_->size(), 9u);
}

}  // namespace
}  // namespace stele
