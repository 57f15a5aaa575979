#include "store/admit/admission.h"

#include <gtest/gtest.h>

#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/crypto/sha256.h"
#include "core/record/manifest.h"
#include "core/statement/dsse.h"
#include "store/log/genesis.h"
#include "tests/support/store/stage_over.h"
#include "tests/support/store/store_test_base.h"

namespace stele::store {
namespace {

using testing::Grant;
using testing::Publication;
using testing::Sign;
using testing::SignPayload;
using testing::SignPublication;
using testing::TestKey;
using testing::TestManifest;

class AdmissionTest : public testing::StoreTestBase {
 protected:
  AdmissionTest() : StoreTestBase(testing::Engine::kMemory) {}

  void SetUp() override {
    StoreTestBase::SetUp();
    stage_ = testing::StageOver([this] { return home_.memory(); });
  }

  Admitted Run(PublishItem item) const {
    const auto reader = Reader();
    return Admit(item, dynamic_cast<const SnapshotReader&>(*reader), guests_, clock_, *stage_);
  }
  absl::Status Refusal(PublishItem item) const {
    Admitted admitted = Run(std::move(item));
    const auto* status = std::get_if<absl::Status>(&admitted);
    return status == nullptr ? absl::OkStatus() : *status;
  }
  std::unique_ptr<AdmittedStatement> Statement(PublishItem item) const {
    Admitted admitted = Run(std::move(item));
    auto* statement = std::get_if<std::unique_ptr<AdmittedStatement>>(&admitted);
    EXPECT_NE(statement, nullptr);
    return statement == nullptr ? nullptr : std::move(*statement);
  }
  mutable GuestQuota guests_{GuestLimits()};
  const Clock clock_ = [] { return TimeMs{0}; };
  // Reason and place of a publication of `manifests` that is sent with `sent`.
  std::pair<std::string, std::string> Fault(const std::vector<std::string>& manifests,
                                            std::vector<std::string> sent) const {
    const absl::Status status =
        Refusal(Sign(Publication(manifests), operator_, 0, std::move(sent)));
    return {ReasonOf(status), PointerOf(status)};
  }

  std::unique_ptr<ArtifactStage> stage_;
};

using Place = std::pair<std::string, std::string>;

TEST_F(AdmissionTest, WhatIsAdmitted) {
  const std::string text = TestManifest(1, "a title");
  const Manifest manifest = *ParseManifest(text);
  const PublishItem item = SignPublication(text, operator_);
  const auto admitted = Statement(item);
  ASSERT_NE(admitted, nullptr);
  EXPECT_EQ(admitted->signer, operator_.public_key().id());
  EXPECT_EQ(admitted->envelope, item.envelope);
  EXPECT_EQ(admitted->payload_digest, Sha256(admitted->payload));
  ASSERT_EQ(admitted->content.size(), 2u);
  EXPECT_EQ(admitted->content[0].digest, manifest.manifest);
  EXPECT_EQ(admitted->content[0].bytes, manifest.canonical);
  EXPECT_EQ(admitted->content[1].digest, manifest.record);
  EXPECT_EQ(admitted->content[1].bytes, manifest.identity);
  // Without metadata the two are one.
  EXPECT_EQ(Statement(SignPublication(TestManifest(2), operator_))->content.size(), 1u);
  EXPECT_TRUE(Statement(Sign(Grant(publisher_.public_key(), Role::kPublisher, kNoEvent), operator_))
                  ->content.empty());
}

TEST_F(AdmissionTest, AnyFormOfAManifestAndOfAnEnvelope) {
  const std::string text = TestManifest(1, "a title");
  PublishItem item = SignPublication(text, operator_);
  item.manifests = {
      "\n {\"spec\": {\"text\": \"\", \"number\": 1.0},\n\"kind\":\"Sample\", "
      "\"metadata\":{\"title\":\"a\\u0020title\"},"
      "\"apiVersion\":\"test.example/v1\"}  "};
  const std::string canonical_envelope = item.envelope;
  item.envelope.insert(item.envelope.size() - 1, ",\"note\":\"dropped\"");
  const auto admitted = Statement(item);
  ASSERT_NE(admitted, nullptr);
  EXPECT_EQ(admitted->content[0].bytes, ParseManifest(text)->canonical);
  EXPECT_EQ(admitted->envelope, canonical_envelope);
}

TEST_F(AdmissionTest, Envelopes) {
  PublishItem item = SignPublication(TestManifest(1), operator_);
  PublishItem broken = item;
  broken.envelope = "{";
  EXPECT_EQ(ReasonOf(Refusal(broken)), reason::kSyntax);
  EXPECT_EQ(PointerOf(Refusal(broken)).substr(0, 9), "/envelope");
  broken.envelope.assign(limits::kEnvelopeBytes + 1, ' ');
  EXPECT_EQ(ReasonOf(Refusal(broken)), reason::kTooLarge);
  broken.envelope =
      R"({"payload":"","payloadType":"application/vnd.in-toto+json","signatures":[]})";
  EXPECT_EQ(Refusal(broken).code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(AdmissionTest, Keys) {
  PublishItem item = SignPublication(TestManifest(1), operator_);
  for (size_t size : {0u, 31u, 33u}) {
    item.key_id = std::string(size, 'k');
    EXPECT_EQ(ReasonOf(Refusal(item)), reason::kWrongValue);
  }
  item.key_id = std::string(publisher_.public_key().id().bytes());
  EXPECT_EQ(ReasonOf(Refusal(item)), reason::kUnknownKey);
  EXPECT_TRUE(absl::IsNotFound(Refusal(item)));
  // Only the key that the request names is tried.
  item.key_id = std::string(TestKey("recovery").public_key().id().bytes());
  EXPECT_EQ(ReasonOf(Refusal(item)), reason::kBadSignature);
}

TEST_F(AdmissionTest, EveryFlippedBitOfASignature) {
  const std::string payload = FormatStatement(Publication({TestManifest(1)}));
  const std::string signature = *operator_.Sign(Pae(payload));
  PublishItem item = SignPublication(TestManifest(1), operator_);
  for (size_t bit = 0; bit < signature.size() * 8; bit += 7) {
    std::string flipped = signature;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    item.envelope = FormatEnvelope(payload, operator_.public_key().id(), flipped);
    EXPECT_EQ(ReasonOf(Refusal(item)), reason::kBadSignature) << bit;
  }
}

TEST_F(AdmissionTest, TypesAndForms) {
  auto genesis = MakeGenesis({.origin = testing::kOrigin,
                              .log_key = TestKey("log"),
                              .operator_key = operator_,
                              .recovery_keys = {},
                              .now = TimeMs{1}});
  const absl::Status second = Refusal(SignPayload(genesis->payload, operator_));
  EXPECT_EQ(ReasonOf(second), reason::kGenesis);
  EXPECT_EQ(second.code(), absl::StatusCode::kInvalidArgument);

  stele::Statement unknown = testing::OpenPolicy(kNoEvent);
  std::string payload = FormatStatement(unknown);
  payload.replace(payload.find("policy:v1"), 9, "policy:v9");
  EXPECT_EQ(ReasonOf(Refusal(SignPayload(payload, operator_))), reason::kUnknownType);

  stele::Statement elsewhere = Publication({TestManifest(1)});
  elsewhere.log = "another.example/log";
  EXPECT_EQ(ReasonOf(Refusal(Sign(elsewhere, operator_, 0, {TestManifest(1)}))), reason::kWrongLog);
  const std::string spaced = FormatStatement(Publication({TestManifest(1)})) + " ";
  EXPECT_EQ(ReasonOf(Refusal(SignPayload(spaced, operator_))), reason::kNotCanonical);
}

TEST_F(AdmissionTest, ManifestsAndSubjects) {
  const std::string one = TestManifest(1, "a title"), two = TestManifest(2);
  EXPECT_EQ(Fault({one, two}, {two, one}), Place());
  EXPECT_EQ(Fault({one, two}, {one}), Place(reason::kMissingContent, "/subject/1"));
  EXPECT_EQ(Fault({one, two}, {}), Place(reason::kMissingContent, "/subject/0"));
  EXPECT_EQ(Fault({one}, {one, two}), Place(reason::kContentMismatch, "/manifests/1"));
  EXPECT_EQ(Fault({one}, {two, one}), Place(reason::kContentMismatch, "/manifests/1"));
  EXPECT_EQ(Fault({one, two}, {one, one}), Place(reason::kContentMismatch, "/manifests/1"));
  // Another title is another manifest of the same record.
  EXPECT_EQ(Fault({one}, {TestManifest(1, "another")}),
            Place(reason::kMissingContent, "/subject/0"));
  EXPECT_EQ(Fault({one, two}, {one, R"({"kind":1})"}),
            Place(reason::kMissingMember, "/manifests/1/apiVersion"));

  stele::Statement swapped = Publication({one, two});
  std::swap(swapped.subjects[0].manifest, swapped.subjects[1].manifest);
  const absl::Status mismatch = Refusal(Sign(swapped, operator_, 0, {one, two}));
  EXPECT_EQ(ReasonOf(mismatch), reason::kContentMismatch);
  EXPECT_EQ(PointerOf(mismatch), "/subject/0");

  const absl::Status with_grant = Refusal(
      Sign(Grant(publisher_.public_key(), Role::kPublisher, kNoEvent), operator_, 0, {one}));
  EXPECT_EQ(ReasonOf(with_grant), reason::kContentMismatch);
}

TEST_F(AdmissionTest, ManifestsTooLargeInAll) {
  std::vector<std::string> manifests;
  for (int n = 0; n < 17; ++n) manifests.push_back(TestManifest(n, {}, 1000 * 1000));
  const absl::Status status = Refusal(Sign(Publication(manifests), operator_, 0, manifests));
  EXPECT_EQ(ReasonOf(status), reason::kTooLarge);
  EXPECT_EQ(PointerOf(status), "/manifests");
  manifests.resize(16);
  EXPECT_TRUE(Refusal(Sign(Publication(manifests), operator_, 0, manifests)).ok());
  const std::string large = TestManifest(1, {}, limits::kManifestBytes);
  EXPECT_EQ(Fault({TestManifest(1)}, {large}), Place(reason::kTooLarge, "/manifests/0"));
}

TEST_F(AdmissionTest, ArtifactsMustBeStored) {
  const std::string stored = TestManifest(1);
  ASSERT_TRUE(PublishOne(SignPublication(stored, operator_)).ok());
  stele::Statement artifact = Publication({TestManifest(2)});
  artifact.subjects = {{.kind = Subject::Kind::kArtifact,
                        .digest = Sha256(stored),
                        .media_type = "application/json",
                        .manifest = {},
                        .size = stored.size()}};
  EXPECT_TRUE(Refusal(Sign(artifact, operator_)).ok());
  artifact.subjects[0].size += 1;
  EXPECT_EQ(ReasonOf(Refusal(Sign(artifact, operator_))), reason::kContentMismatch);
  artifact.subjects[0].digest = Sha256("nowhere");
  const absl::Status missing = Refusal(Sign(artifact, operator_));
  EXPECT_EQ(ReasonOf(missing), reason::kMissingContent);
  EXPECT_EQ(PointerOf(missing), "/subject/0");
}

TEST_F(AdmissionTest, AReplayIsAnsweredWhateverElseIsWrong) {
  const PublishItem item = SignPublication(TestManifest(1), operator_);
  ASSERT_TRUE(PublishOne(item).ok());
  PublishItem again = item;
  again.manifests = {"no manifest at all"};
  Admitted admitted = Run(again);
  const auto* receipt = std::get_if<Receipt>(&admitted);
  ASSERT_NE(receipt, nullptr);
  EXPECT_EQ(receipt->index, EntryIndex{1});
  EXPECT_TRUE(receipt->replayed);
  // But not with a signature that is wrong.
  again.envelope = FormatEnvelope(FormatStatement(Publication({TestManifest(1)})),
                                  operator_.public_key().id(), std::string(64, 's'));
  EXPECT_EQ(ReasonOf(Refusal(again)), reason::kBadSignature);
}

}  // namespace
}  // namespace stele::store
