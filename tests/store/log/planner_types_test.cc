// The planner and every type of statement: the form in which it is logged, what it is asked of the
// log below, and the batch's own earlier statements.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/crypto/sha256.h"
#include "core/record/manifest.h"
#include "core/statement/dsse.h"
#include "core/statement/entry.h"
#include "store/index/subject_rows.h"
#include "store/log/genesis.h"
#include "store/log/planner.h"
#include "tests/support/store/statements.h"

namespace stele::store {
namespace {

using testing::AddLogKey;
using testing::ForeignPayload;
using testing::Grant;
using testing::Introduce;
using testing::kOrigin;
using testing::Note;
using testing::OpenPolicy;
using testing::Publication;
using testing::Reproduce;
using testing::Retract;
using testing::Revoke;
using testing::TestKey;
using testing::TestManifest;
using testing::TestRecord;
using testing::Verify;
using testing::Withhold;

constexpr TimeMs kStart{1'700'000'000'000};

AdmittedStatement AdmitPayload(const std::string& payload, const PrivateKey& signer) {
  const KeyId key = signer.public_key().id();
  AdmittedStatement admitted;
  admitted.statement = *ParseStatement(payload, kOrigin);
  admitted.signer = key;
  admitted.payload_digest = Sha256(payload);
  admitted.payload = payload;
  admitted.envelope = FormatEnvelope(payload, key, *signer.Sign(Pae(payload)));
  if (AlwaysDetached(admitted.statement.type)) admitted.detached = Sha256(admitted.envelope);
  return admitted;
}
AdmittedStatement Admit(const Statement& statement, const PrivateKey& signer) {
  return AdmitPayload(FormatStatement(statement), signer);
}
AdmittedStatement Publish(int n, const PrivateKey& signer) {
  return Admit(Publication({TestManifest(n)}), signer);
}

StatementFacts Published(int n, const std::vector<EventPlace>& by_signer = {}) {
  StatementFacts facts;
  facts.subjects[TestRecord(n)] = {.published = true, .stored = true, .by_signer = by_signer};
  return facts;
}
StatementFacts Stored(const Digest& digest) {
  StatementFacts facts;
  facts.subjects[digest].stored = true;
  return facts;
}

class PlannerTypesTest : public ::testing::Test {
 protected:
  PlannerTypesTest() {
    auto genesis = MakeGenesis({.origin = kOrigin,
                                .log_key = TestKey("log"),
                                .operator_key = operator_,
                                .recovery_keys = {},
                                .now = kStart});
    Go({*genesis});
    Go({Admit(Grant(attester_.public_key(), Role::kAttester, kNoEvent), operator_),
        Admit(Grant(publisher_.public_key(), Role::kPublisher, kNoEvent), operator_)});
  }

  PlannedBatch Plan(std::vector<AdmittedStatement> batch, std::vector<StatementFacts> facts = {}) {
    std::vector<AdmittedStatement*> pointers;
    for (AdmittedStatement& admitted : batch) pointers.push_back(&admitted);
    facts.resize(batch.size());
    auto planned = PlanBatch(state_, pointers, facts, kStart);
    EXPECT_TRUE(planned.ok()) << planned.status();
    return *std::move(planned);
  }
  // Plans and goes on from there; everything has to be appended.
  PlannedBatch Go(std::vector<AdmittedStatement> batch, std::vector<StatementFacts> facts = {}) {
    PlannedBatch planned = Plan(std::move(batch), std::move(facts));
    for (const Decision& decision : planned.decisions) EXPECT_EQ(Said(decision), "appended");
    state_ = planned.next;
    return planned;
  }
  // "appended", "replay of N", or a reason.
  static std::string Said(const Decision& decision) {
    if (std::holds_alternative<Appended>(decision)) return "appended";
    if (const auto* replayed = std::get_if<Replayed>(&decision)) {
      return "replay of " + std::to_string(replayed->index.value());
    }
    return ReasonOf(std::get<absl::Status>(decision));
  }
  static std::vector<std::string> Said(const PlannedBatch& planned) {
    std::vector<std::string> said;
    for (const Decision& decision : planned.decisions) said.push_back(Said(decision));
    return said;
  }
  using Words = std::vector<std::string>;

  const PrivateKey operator_ = TestKey("operator");
  const PrivateKey publisher_ = TestKey("publisher");
  const PrivateKey attester_ = TestKey("attester");
  const PrivateKey guest_ = TestKey("guest");
  LogState state_ = EmptyLog(kOrigin);
};

TEST_F(PlannerTypesTest, DetachedTypesKeepTheirEnvelopeAsContent) {
  const Digest artifact = Sha256("samples");
  for (const AdmittedStatement& said :
       {Admit(Note(TestRecord(1)), attester_), Admit(Reproduce(TestRecord(1)), attester_),
        AdmitPayload(ForeignPayload({artifact}), attester_)}) {
    StatementFacts facts = Published(1);
    facts.subjects.merge(Stored(artifact).subjects);
    const PlannedBatch planned = Plan({said}, {facts});
    ASSERT_EQ(Said(planned), Words{"appended"});
    ASSERT_EQ(planned.plan.entries.size(), 1u);
    const Entry entry = *ParseLeaf(planned.plan.entries[0].leaf);
    const auto* detached = std::get_if<DetachedEnvelope>(&entry.body);
    ASSERT_NE(detached, nullptr);
    EXPECT_EQ(detached->digest, Sha256(said.envelope));
    EXPECT_EQ(detached->size, said.envelope.size());
    EXPECT_EQ(detached->key, said.signer);
    EXPECT_EQ(detached->predicate_type, said.statement.predicate_type);
    EXPECT_EQ(entry.authority, EventIndex{1});
    ASSERT_EQ(planned.plan.content.size(), 1u);
    EXPECT_EQ(planned.plan.content[0].digest, detached->digest);
    EXPECT_EQ(planned.plan.content[0].bytes, said.envelope);
    EXPECT_TRUE(planned.plan.replays.empty());
    EXPECT_EQ(planned.plan.subjects.back().subject, CopiesOf({said.payload_digest, said.signer}));
  }
}

TEST_F(PlannerTypesTest, OnlyDetachedTypesMayBeLargerThanALeaf) {
  std::string body(limits::kLeafBytes, 'x');
  const AdmittedStatement large = AdmitPayload(ForeignPayload({TestRecord(1)}, body), attester_);
  EXPECT_EQ(Said(Plan({large}, {Stored(TestRecord(1))})), Words{"appended"});
  // 128 subjects, each with a media type of 127 bytes and two digests, do not fit.
  Statement publication = Publication({TestManifest(1)});
  for (int n = 0; n < 127; ++n) {
    publication.subjects.push_back({.kind = Subject::Kind::kArtifact,
                                    .digest = Sha256("artifact " + std::to_string(n)),
                                    .media_type = std::string(limits::kMediaTypeBytes, '\x01'),
                                    .manifest = {},
                                    .size = 1});
  }
  EXPECT_EQ(Said(Plan({Admit(publication, publisher_)})), Words{"LEAF_TOO_LARGE"});
}

TEST_F(PlannerTypesTest, WhatIsSaidOfARecordNeedsItsPublicationBelow) {
  for (const AdmittedStatement& said :
       {Admit(Note(TestRecord(1)), attester_), Admit(Reproduce(TestRecord(1)), attester_),
        Admit(Verify(TestRecord(1), TestRecord(2)), operator_),
        Admit(Retract({TestRecord(1)}), operator_)}) {
    EXPECT_EQ(Said(Plan({said})), Words{"UNKNOWN_SUBJECT"});
    EXPECT_EQ(Said(Plan({said}, {Published(1)})), Words{"appended"});
    // In the batch: what comes before counts, what comes after does not.
    EXPECT_EQ(Said(Plan({said, Publish(1, publisher_), said})),
              (Words{"UNKNOWN_SUBJECT", "appended", "appended"}));
    // Another record's publication does not help.
    EXPECT_EQ(Said(Plan({Publish(2, publisher_), said})), (Words{"appended", "UNKNOWN_SUBJECT"}));
  }
}

TEST_F(PlannerTypesTest, AForeignStatementNeedsOneSubjectThatIsStored) {
  const std::string text = TestManifest(1, "a title");
  const Manifest manifest = *ParseManifest(text);
  const Digest artifact = Sha256("samples"), nowhere = Sha256("nowhere");
  Statement with_artifact = Publication({text});
  with_artifact.subjects.push_back({.kind = Subject::Kind::kArtifact,
                                    .digest = artifact,
                                    .media_type = "text/plain",
                                    .manifest = {},
                                    .size = 7});
  const AdmittedStatement publication = Admit(with_artifact, publisher_);
  for (const Digest& stored : {manifest.record, manifest.manifest, artifact}) {
    const AdmittedStatement said = AdmitPayload(ForeignPayload({nowhere, stored}), attester_);
    EXPECT_EQ(Said(Plan({said})), Words{"UNKNOWN_SUBJECT"});
    EXPECT_EQ(Said(Plan({said}, {Stored(stored)})), Words{"appended"});
    EXPECT_EQ(Said(Plan({said, publication, said})),
              (Words{"UNKNOWN_SUBJECT", "appended", "appended"}));
  }
}

TEST_F(PlannerTypesTest, ARetractionNeedsAPublicationOfItsSignerThatCounts) {
  const AdmittedStatement retraction = Admit(Retract({TestRecord(1)}), publisher_);
  EXPECT_EQ(Said(Plan({retraction}, {Published(1)})), Words{"NOT_OWNER"});
  const EventPlace own{EntryIndex{1}, publisher_.public_key().id(), EventIndex{2}};
  EXPECT_EQ(Said(Plan({retraction}, {Published(1, {own})})), Words{"appended"});
  EXPECT_EQ(Said(Plan({Publish(1, publisher_), retraction})), (Words{"appended", "appended"}));
  // Somebody else's publication in the batch is not his.
  EXPECT_EQ(Said(Plan({Publish(1, operator_), retraction})), (Words{"appended", "NOT_OWNER"}));
  EXPECT_EQ(Said(Plan({Admit(Retract({TestRecord(1)}), operator_)}, {Published(1)})),
            Words{"appended"});
  EXPECT_EQ(Said(Plan({Admit(Retract({TestRecord(1)}), attester_)}, {Published(1)})),
            Words{"ROLE"});
}

// What a stolen key published counts for nothing, also in the very batch that says so.
TEST_F(PlannerTypesTest, ADisputedPublicationGivesNoRightToRetract) {
  const KeyId publisher = publisher_.public_key().id();
  const PlannedBatch planned = Plan(
      {Publish(1, publisher_), Admit(Revoke(publisher, EventIndex{2}, EntryIndex{3}), operator_),
       Admit(Grant(publisher_.public_key(), Role::kPublisher, EventIndex{4}), operator_),
       Admit(Retract({TestRecord(1)}), publisher_), Admit(Note(TestRecord(1)), attester_)});
  EXPECT_EQ(Said(planned), (Words{"appended", "appended", "appended", "NOT_OWNER", "appended"}));
}

TEST_F(PlannerTypesTest, GuestsComeWithTheirKeyWhileThePolicyIsOpen) {
  const AdmittedStatement introduction = Admit(Introduce(guest_.public_key()), guest_);
  const AdmittedStatement note = Admit(Note(TestRecord(1)), guest_);
  EXPECT_EQ(Said(Plan({introduction, note}, {{}, Published(1)})),
            (Words{"POLICY_CLOSED", "UNKNOWN_KEY"}));
  const PlannedBatch planned = Plan(
      {Admit(OpenPolicy(kNoEvent), operator_), introduction, note,
       Admit(OpenPolicy(EventIndex{3}, false), operator_), Admit(Reproduce(TestRecord(1)), guest_)},
      {{}, {}, Published(1), {}, Published(1)});
  EXPECT_EQ(Said(planned),
            (Words{"appended", "appended", "appended", "appended", "POLICY_CLOSED"}));
  EXPECT_EQ(ParseLeaf(planned.plan.entries[1].leaf)->authority, kNoEvent);
  EXPECT_EQ(ParseLeaf(planned.plan.entries[2].leaf)->authority, EventIndex{4});
  EXPECT_EQ(planned.next.ring->RoleOf(guest_.public_key().id()), Role::kGuest);
  EXPECT_FALSE(planned.next.events->OpenAttestations(*planned.next.ring));
  // The state it was planned from is as it was.
  EXPECT_EQ(state_.events->LatestPolicy(*state_.ring), kNoEvent);
  // Nobody introduces another, and nobody whom the log knows.
  state_ = planned.next;
  Go({Admit(OpenPolicy(EventIndex{6}), operator_)});
  EXPECT_EQ(Said(Plan({Admit(Introduce(TestKey("x").public_key()), guest_),
                       Admit(Introduce(attester_.public_key()), attester_)})),
            (Words{"ROLE", "KEY_KNOWN"}));
}

TEST_F(PlannerTypesTest, AdministrativeEventsOfOneBatchCountForTheNext) {
  const Digest secret = Sha256("secret");
  const PlannedBatch planned = Plan({Admit(Withhold(secret, kNoEvent), operator_),
                                     Admit(Withhold(secret, kNoEvent), attester_),
                                     Admit(Withhold(secret, kNoEvent, false), operator_),
                                     Admit(Withhold(secret, EventIndex{3}, false), operator_),
                                     Admit(AddLogKey("new log key", TreeSize{5}), operator_),
                                     Admit(AddLogKey("new log key", TreeSize{100}), operator_),
                                     Admit(AddLogKey("new log key", TreeSize{101}), publisher_)});
  EXPECT_EQ(Said(planned), (Words{"appended", "ROLE", "STALE_AFTER", "appended", "LOG_KEY_RANGE",
                                  "appended", "ROLE"}));
  EXPECT_FALSE(planned.next.events->IsWithheld(*planned.next.ring, secret));
  EXPECT_EQ(planned.next.events->LogKeys(*planned.next.ring).size(), 2u);
}

TEST_F(PlannerTypesTest, WhatIsWithheldIsNotTakenIn) {
  const std::string text = TestManifest(1, "a title");
  const Manifest manifest = *ParseManifest(text);
  const AdmittedStatement publication = Admit(Publication({text}), publisher_);
  const AdmittedStatement note = Admit(Note(manifest.record), attester_);
  const AdmittedStatement retraction = Admit(Retract({manifest.record}), operator_);
  StatementFacts there;
  there.subjects[manifest.record] = {.published = true, .stored = true, .by_signer = {}};
  const auto with = [&](const Digest& withheld) {
    return Said(
        Plan({Admit(Withhold(withheld, kNoEvent), operator_), publication, note, retraction},
             {{}, {}, there, there}));
  };
  EXPECT_EQ(with(manifest.record), (Words{"appended", "WITHHELD", "WITHHELD", "WITHHELD"}));
  EXPECT_EQ(with(manifest.manifest), (Words{"appended", "WITHHELD", "appended", "appended"}));
  EXPECT_EQ(with(*note.detached), (Words{"appended", "appended", "WITHHELD", "appended"}));
  EXPECT_EQ(with(Sha256("another")), (Words{"appended", "appended", "appended", "appended"}));
  // The place is told, and restoring ends it.
  const PlannedBatch planned =
      Plan({Admit(Withhold(manifest.manifest, kNoEvent), operator_), publication,
            Admit(Withhold(manifest.manifest, EventIndex{3}, false), operator_), publication});
  EXPECT_EQ(Said(planned), (Words{"appended", "WITHHELD", "appended", "appended"}));
  const absl::Status refused = std::get<absl::Status>(planned.decisions[1]);
  EXPECT_EQ(PointerOf(refused), "/subject/0/annotations/manifest");
  EXPECT_TRUE(absl::IsFailedPrecondition(refused));
}

// A key, or the log itself, is no content: who governs the log is not locked out.
TEST_F(PlannerTypesTest, EventsNameNoContent) {
  const KeyId guest = guest_.public_key().id();
  EXPECT_EQ(Said(Plan({Admit(Withhold(guest, kNoEvent), operator_),
                       Admit(Withhold(OriginSubject(kOrigin).digest, kNoEvent), operator_),
                       Admit(Grant(guest_.public_key(), Role::kAttester, kNoEvent), operator_),
                       Admit(OpenPolicy(kNoEvent), operator_),
                       Admit(AddLogKey("new log key", TreeSize{100}), operator_)})),
            (Words{"appended", "appended", "appended", "appended", "appended"}));
}

TEST_F(PlannerTypesTest, ReplaysOfWhatIsDetached) {
  const AdmittedStatement note = Admit(Note(TestRecord(1)), attester_);
  StatementFacts facts = Published(1);
  EXPECT_EQ(Said(Plan({note, note}, {facts, facts})), (Words{"appended", "replay of 3"}));
  facts.copies = {{EntryIndex{1}, *note.detached}, {EntryIndex{2}, Sha256("second copy")}};
  EXPECT_EQ(Said(Plan({note}, {facts})), Words{"replay of 1"});
  // Rule 23: a copy that is withheld answers no replay; the next one does.
  EXPECT_EQ(Said(Plan({Admit(Withhold(*note.detached, kNoEvent), operator_), note}, {{}, facts})),
            (Words{"appended", "replay of 2"}));
  EXPECT_EQ(Said(Plan({Admit(Withhold(*note.detached, kNoEvent), operator_),
                       Admit(Withhold(Sha256("second copy"), kNoEvent), operator_), note},
                      {{}, {}, facts})),
            (Words{"appended", "appended", "WITHHELD"}));
}

// The same words under another signature are another envelope, and not withheld.
TEST_F(PlannerTypesTest, AWithheldCopyOfThisBatchAnswersNoReplay) {
  const PrivateKey ecdsa = *PrivateKey::Generate(KeyAlgorithm::kEcdsaP256);
  Go({Admit(Grant(ecdsa.public_key(), Role::kAttester, kNoEvent), operator_)});
  const AdmittedStatement first = Admit(Note(TestRecord(1)), ecdsa);
  const AdmittedStatement second = Admit(Note(TestRecord(1)), ecdsa);
  ASSERT_NE(first.detached, second.detached);
  const std::vector<AdmittedStatement> batch = {
      first,
      Admit(Withhold(*first.detached, kNoEvent), operator_),
      second,
      first,
      Admit(Withhold(*first.detached, EventIndex{5}, false), operator_),
      first};
  const PlannedBatch planned =
      Plan(batch, {Published(1), {}, Published(1), Published(1), {}, Published(1)});
  EXPECT_EQ(Said(planned),
            (Words{"appended", "appended", "appended", "replay of 6", "appended", "replay of 4"}));
}

}  // namespace
}  // namespace stele::store
