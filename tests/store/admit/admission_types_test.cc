// Admission of what is not published: introductions, guests, foreign statements, what is withheld.
#include <gtest/gtest.h>

#include <atomic>

#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/crypto/sha256.h"
#include "core/record/manifest.h"
#include "core/statement/dsse.h"
#include "store/admit/admission.h"
#include "tests/support/store/stage_over.h"
#include "tests/support/store/store_test_base.h"

namespace stele::store {
namespace {

using testing::ForeignPayload;
using testing::Grant;
using testing::Introduce;
using testing::Note;
using testing::OpenPolicy;
using testing::Publication;
using testing::Retract;
using testing::Sign;
using testing::SignPayload;
using testing::SignPublication;
using testing::TestKey;
using testing::TestManifest;
using testing::TestRecord;
using testing::Withhold;

constexpr TimeMs kNoon{12 * 3600 * 1000};

class AdmissionTypesTest : public testing::StoreTestBase {
 protected:
  AdmissionTypesTest() : StoreTestBase(testing::Engine::kMemory) {}

  // 1 attester, 2 record 1 published by the operator.
  void SetUp() override {
    StoreTestBase::SetUp();
    stage_ = testing::StageOver([this] { return home_.memory(); });
    Log(Sign(Grant(attester_.public_key(), Role::kAttester, kNoEvent), operator_));
    Log(SignPublication(TestManifest(1), operator_));
  }
  uint64_t Log(PublishItem item) {
    const auto receipt = PublishOne(std::move(item));
    EXPECT_TRUE(receipt.ok()) << receipt.status();
    return receipt.ok() ? receipt->index.value() : 0;
  }
  Admitted Run(PublishItem item) {
    const auto reader = Reader();
    return Admit(
        item, dynamic_cast<const SnapshotReader&>(*reader), guests_, [] { return kNoon; }, *stage_);
  }
  // The reason, empty if it is admitted, "replay of N" if it is in the log.
  std::string Said(PublishItem item) {
    const Admitted admitted = Run(std::move(item));
    if (const auto* status = std::get_if<absl::Status>(&admitted)) return ReasonOf(*status);
    const auto* receipt = std::get_if<Receipt>(&admitted);
    return receipt == nullptr ? "" : "replay of " + std::to_string(receipt->index.value());
  }
  absl::Status Refusal(PublishItem item) {
    const Admitted admitted = Run(std::move(item));
    const auto* status = std::get_if<absl::Status>(&admitted);
    return status == nullptr ? absl::OkStatus() : *status;
  }
  // The guest's key is in the log from entry 4 on.
  void LetTheGuestIn() {
    Log(Sign(OpenPolicy(kNoEvent), operator_));
    Log(Sign(Introduce(guest_.public_key()), guest_));
  }

  std::unique_ptr<ArtifactStage> stage_;
  const PrivateKey attester_ = TestKey("attester");
  const PrivateKey guest_ = TestKey("guest");
  GuestQuota guests_{{.envelope_bytes = limits::kGuestEnvelopeBytes,
                      .key_statements_per_day = 2,
                      .address_statements_per_day = 3,
                      .statements_per_day = 4}};
};

TEST_F(AdmissionTypesTest, DetachedStatementsKnowTheirEnvelope) {
  const Admitted admitted = Run(Sign(Note(TestRecord(1)), attester_));
  const auto* statement = std::get_if<std::unique_ptr<AdmittedStatement>>(&admitted);
  ASSERT_NE(statement, nullptr);
  EXPECT_EQ((*statement)->detached, Sha256((*statement)->envelope));
  EXPECT_EQ((*statement)->guest, nullptr);
  const Admitted inlined = Run(SignPublication(TestManifest(2), operator_));
  EXPECT_EQ(std::get<std::unique_ptr<AdmittedStatement>>(inlined)->detached, std::nullopt);
}

TEST_F(AdmissionTypesTest, AnIntroductionBringsItsOwnKey) {
  EXPECT_EQ(Said(Sign(Introduce(guest_.public_key()), guest_)), "");
  // Nothing else does, and nobody brings another's.
  EXPECT_EQ(Said(Sign(Note(TestRecord(1)), guest_)), reason::kUnknownKey);
  EXPECT_EQ(Said(Sign(Introduce(attester_.public_key()), guest_)), reason::kUnknownKey);
  PublishItem other = Sign(Introduce(guest_.public_key()), guest_);
  other.key_id = std::string(TestKey("x").public_key().id().bytes());
  EXPECT_EQ(Said(other), reason::kUnknownKey);
  const absl::Status unknown = Refusal(other);
  EXPECT_TRUE(absl::IsNotFound(unknown));
  EXPECT_EQ(PointerOf(unknown), "/keyId");
  // The signature is looked at before the form.
  const std::string payload = FormatStatement(Introduce(guest_.public_key())) + " ";
  PublishItem spaced = SignPayload(payload, guest_);
  EXPECT_EQ(Said(spaced), reason::kNotCanonical);
  spaced.envelope = FormatEnvelope(payload, guest_.public_key().id(), std::string(64, 's'));
  EXPECT_EQ(Said(spaced), reason::kBadSignature);
}

TEST_F(AdmissionTypesTest, AGenesisOfAStrangerBringsNoKey) {
  Statement genesis = Introduce(guest_.public_key());
  genesis.type = StatementType::kGenesis;
  genesis.subjects = {OriginSubject(testing::kOrigin)};
  genesis.predicate = Genesis{.log_key = *NoteVerifier::FromVkey(testing::TestVkey("log")),
                              .operator_key = guest_.public_key(),
                              .recovery_keys = {},
                              .predecessor = {}};
  EXPECT_EQ(Said(Sign(genesis, guest_)), reason::kUnknownKey);
}

TEST_F(AdmissionTypesTest, OfAStrangerNoMoreIsReadThanOfAGuest) {
  PublishItem item = Sign(Introduce(guest_.public_key()), guest_);
  item.envelope.insert(item.envelope.size() - 1,
                       std::string(limits::kGuestEnvelopeBytes - item.envelope.size(), ' '));
  EXPECT_EQ(Said(item), "");
  item.envelope += " ";
  EXPECT_EQ(Said(item), reason::kUnknownKey);
}

TEST_F(AdmissionTypesTest, GuestsEnvelopesAreSmall) {
  LetTheGuestIn();
  PublishItem note = Sign(Note(TestRecord(1)), guest_);
  note.envelope.insert(note.envelope.size() - 1,
                       std::string(limits::kGuestEnvelopeBytes - note.envelope.size(), ' '));
  EXPECT_EQ(Said(note), "");
  note.envelope += " ";
  const absl::Status refused = Refusal(note);
  EXPECT_EQ(ReasonOf(refused), reason::kTooLarge);
  EXPECT_EQ(LimitOf(refused).name, "guest_envelope_bytes");
  const PublishItem large =
      SignPayload(ForeignPayload({TestRecord(1)}, std::string(20'000, 'x')), guest_);
  EXPECT_EQ(Said(large), reason::kTooLarge);
  EXPECT_EQ(Said(SignPayload(ForeignPayload({TestRecord(1)}, std::string(20'000, 'x')), attester_)),
            "");
}

// What is admitted holds its place; what goes without coming into the log gives it back.
TEST_F(AdmissionTypesTest, GuestsAreCountedByKeyAddressAndInAll) {
  LetTheGuestIn();
  std::vector<Admitted> held;
  const auto say = [&](const PrivateKey& key, const std::string& body, const std::string& address) {
    PublishItem item = key.public_key().id() == guest_.public_key().id()
                           ? Sign(Note(TestRecord(1), body), key)
                           : Sign(Introduce(key.public_key()), key);
    item.address = address;
    Admitted admitted = Run(std::move(item));
    const auto* status = std::get_if<absl::Status>(&admitted);
    const std::string said = status == nullptr ? "" : LimitOf(*status).name;
    if (status != nullptr) EXPECT_TRUE(RetryDelayOf(*status).has_value());
    held.push_back(std::move(admitted));
    return said;
  };
  EXPECT_EQ(say(guest_, "one", "a"), "");
  EXPECT_EQ(say(guest_, "two", "b"), "");
  EXPECT_EQ(say(guest_, "three", "c"), "guest_key_statements_per_day");
  EXPECT_EQ(say(TestKey("x"), "", "a"), "");
  EXPECT_EQ(say(TestKey("y"), "", "a"), "");
  EXPECT_EQ(say(TestKey("z"), "", "a"), "guest_address_statements_per_day");
  EXPECT_EQ(say(TestKey("z"), "", "c"), "guest_statements_per_day");
  held.clear();
  EXPECT_EQ(say(guest_, "three", "c"), "");
  // Others are not counted.
  for (int n = 2; n < 10; ++n) EXPECT_EQ(Said(SignPublication(TestManifest(n), operator_)), "");
}

// A store counts what came into the log, by its own clock.
TEST_F(AdmissionTypesTest, AStoreGivesPlacesBackAndBeginsADay) {
  Close();
  std::atomic<int64_t> now = SystemClock()().value();
  OpenOptions options = testing::StoreHome::Options();
  options.guests.key_statements_per_day = 2;
  options.accept_clock = true;
  options.clock = [&now] { return TimeMs{now.load()}; };
  Open(options);
  LetTheGuestIn();  // the introduction is the first of two
  EXPECT_EQ(ReasonOf(PublishOne(Sign(Note(TestRecord(7)), guest_)).status()),
            reason::kUnknownSubject);
  Log(Sign(Note(TestRecord(1), "one"), guest_));
  const absl::Status refused = PublishOne(Sign(Note(TestRecord(1), "two"), guest_)).status();
  EXPECT_EQ(ReasonOf(refused), reason::kGuestQuota);
  EXPECT_EQ(LimitOf(refused).value, "2");
  // What is in the log already is answered all the same.
  EXPECT_EQ(PublishOne(Sign(Note(TestRecord(1), "one"), guest_))->replayed, true);
  now += 24 * 3600 * 1000;
  Log(Sign(Note(TestRecord(1), "two"), guest_));
  Close();
}

TEST_F(AdmissionTypesTest, ForeignStatementsAreTakenAsTheyAre) {
  const std::string payload = ForeignPayload({Sha256("elsewhere"), TestRecord(1)});
  const PublishItem item = SignPayload(payload, attester_);
  const Admitted admitted = Run(item);
  const auto* statement = std::get_if<std::unique_ptr<AdmittedStatement>>(&admitted);
  ASSERT_NE(statement, nullptr);
  EXPECT_EQ((*statement)->payload, payload);
  EXPECT_EQ(Log(item), 3u);
  EXPECT_EQ(Said(item), "replay of 3");
  // Stored or not is for the planner: it may be published by the statement before.
  EXPECT_EQ(Said(SignPayload(ForeignPayload({Sha256("elsewhere")}), attester_)), "");
  EXPECT_EQ(
      ReasonOf(PublishOne(SignPayload(ForeignPayload({Sha256("elsewhere")}), attester_)).status()),
      reason::kUnknownSubject);
  PublishItem with_manifest = SignPayload(ForeignPayload({TestRecord(1)}, "more"), attester_);
  with_manifest.manifests = {TestManifest(1)};
  EXPECT_EQ(Said(with_manifest), reason::kContentMismatch);
  std::vector<Digest> many;
  for (size_t n = 0; n < limits::kForeignSubjects; ++n) many.push_back(Sha256(std::to_string(n)));
  EXPECT_EQ(Said(SignPayload(ForeignPayload(many), attester_)), "");
  many.push_back(TestRecord(1));
  const absl::Status refused = Refusal(SignPayload(ForeignPayload(many), attester_));
  EXPECT_EQ(ReasonOf(refused), reason::kTooLarge);
  EXPECT_EQ(LimitOf(refused).name, "foreign_subjects");
}

// A manifest, a detached envelope, content that nobody published: what is there is not yet stored.
TEST_F(AdmissionTypesTest, WhatForeignStatementsMayBeAbout) {
  const std::string text = TestManifest(2, "a title");
  const Manifest manifest = *ParseManifest(text);
  Log(SignPublication(text, operator_));
  const PublishItem note = Sign(Note(TestRecord(1)), attester_);
  Log(note);
  const auto about = [&](const Digest& digest) {
    return PublishOne(SignPayload(ForeignPayload({digest}), attester_)).status();
  };
  EXPECT_TRUE(about(manifest.record).ok());
  EXPECT_TRUE(about(manifest.manifest).ok());
  ASSERT_TRUE(*Reader()->HasContent(Sha256(note.envelope)));
  EXPECT_EQ(ReasonOf(about(Sha256(note.envelope))), reason::kUnknownSubject);
  // Published as an artifact it is.
  Statement artifact = Publication({TestManifest(3)});
  artifact.subjects.push_back({.kind = Subject::Kind::kArtifact,
                               .digest = Sha256(note.envelope),
                               .media_type = "application/json",
                               .manifest = {},
                               .size = note.envelope.size()});
  Log(Sign(artifact, operator_, 0, {TestManifest(3)}));
  EXPECT_TRUE(about(Sha256(note.envelope)).ok());
}

TEST_F(AdmissionTypesTest, WhatIsWithheldIsRefusedAndNotServed) {
  const std::string text = TestManifest(2, "a title");
  const Manifest manifest = *ParseManifest(text);
  Log(SignPublication(text, operator_));
  const uint64_t by = Log(Sign(Withhold(manifest.manifest, kNoEvent), operator_));
  EXPECT_EQ(by, 4u);
  const absl::Status refused = Refusal(SignPublication(text, attester_));
  EXPECT_EQ(ReasonOf(refused), reason::kWithheld);
  EXPECT_EQ(PointerOf(refused), "/subject/0/annotations/manifest");
  EXPECT_NE(refused.message().find("entry 4"), absl::string_view::npos);
  EXPECT_EQ(ReasonOf(Reader()->Content(manifest.manifest).status()), reason::kWithheld);
  EXPECT_TRUE(Reader()->Content(manifest.record).ok());
  // The same record under another manifest is another matter, and a reference is not a naming.
  EXPECT_EQ(Said(SignPublication(TestManifest(2), operator_)), "");
  EXPECT_EQ(Said(Sign(testing::Verify(TestRecord(2), manifest.manifest), operator_)), "");
  EXPECT_EQ(Said(Sign(Retract({TestRecord(2)}, manifest.manifest), operator_)), "");
  // What is in the log is answered, withheld or not.
  EXPECT_EQ(Said(SignPublication(text, operator_)), "replay of 3");
  Log(Sign(Withhold(manifest.manifest, EventIndex{4}, false), operator_));
  EXPECT_TRUE(Reader()->Content(manifest.manifest).ok());
  EXPECT_EQ(Said(SignPublication(text, attester_)), "");
}

// Replays of detached statements, whose payload is compared with what is kept as content.
TEST_F(AdmissionTypesTest, ReplaysOfWhatIsDetached) {
  const PublishItem note = Sign(Note(TestRecord(1)), attester_);
  const Digest envelope = Sha256(note.envelope);
  EXPECT_EQ(Log(note), 3u);
  EXPECT_EQ(Said(note), "replay of 3");
  EXPECT_TRUE(PublishOne(note)->replayed);
  // Rule 23: withheld it answers no replay, and is not taken in again either.
  Log(Sign(Withhold(envelope, kNoEvent), operator_));
  EXPECT_EQ(Said(note), reason::kWithheld);
  EXPECT_EQ(ReasonOf(Reader()->Content(envelope).status()), reason::kWithheld);
  Log(Sign(Withhold(envelope, EventIndex{4}, false), operator_));
  EXPECT_EQ(Said(note), "replay of 3");
}

}  // namespace
}  // namespace stele::store
