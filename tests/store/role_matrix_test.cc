// Every predicate by a key of every role, at every moment of that key's life: what the store says,
// and what an auditor says who sees the log alone.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "core/crypto/sha256.h"
#include "store/log/genesis.h"
#include "tests/store/audited_story.h"

namespace stele::store::testing {
namespace {

using stele::testing::AddLogKey;
using stele::testing::ForeignPayload;
using stele::testing::Grant;
using stele::testing::Introduce;
using stele::testing::kOrigin;
using stele::testing::Note;
using stele::testing::OpenPolicy;
using stele::testing::Reproduce;
using stele::testing::Retract;
using stele::testing::Revoke;
using stele::testing::Sign;
using stele::testing::SignPayload;
using stele::testing::SignPublication;
using stele::testing::TestKey;
using stele::testing::TestManifest;
using stele::testing::TestRecord;
using stele::testing::Verify;
using stele::testing::Withhold;

// In the order of the columns below.
enum Actor { kOperator, kRunner, kPublisher, kAttester, kGuest, kRecovery, kUnknown };
constexpr std::array<std::string_view, 7> kActors = {
    "Operator", "Runner", "Publisher", "Attester", "Guest", "Recovery", "Unknown"};
// When the statement is made: while the key has its role, before it gets it, after it lost it; or
// while it has it, and then it is revoked, or said to have been stolen since before.
enum Moment { kHas, kGrantedAfter, kRevokedBefore, kRevokedAfter, kCompromisedSince };
constexpr std::array<std::string_view, 5> kMoments = {"Has", "GrantedAfter", "RevokedBefore",
                                                      "RevokedAfter", "CompromisedSince"};

// Which statement; made with the key that speaks and the log as it is then (see Matrix::Make).
enum What {
  kGenesis,
  kKeyGrant,
  kKeyRevoke,
  kLogKey,
  kPolicy,
  kIntroduction,
  kPublication,
  kVerification,
  kReproduction,
  kNote,
  kRetraction,
  kWithholding,
  kForeign
};

struct Row {
  What what;
  std::string_view name;
  // While the key has its role, and so also if it is revoked afterwards.
  std::array<std::string_view, 7> has;
  std::string_view granted_after, revoked_before;
};

constexpr std::string_view kOk = "valid", kRole = "ROLE", kNobody = "UNKNOWN_KEY", kGen = "GENESIS",
                           kKnown = "KEY_KNOWN", kNotOwner = "NOT_OWNER", kAgain = "REPLAYED";

// clang-format off
constexpr Row kRows[] = {
    //                                  operator   runner     publisher  attester   guest      recovery   unknown    granted    revoked
    //                                                                                                               after      before
    {kGenesis,      "genesis",         {kGen,      kGen,      kGen,      kGen,      kGen,      kGen,      kNobody},  kNobody,   kGen},
    {kKeyGrant,     "key-grant",       {kOk,       kRole,     kRole,     kRole,     kRole,     kRole,     kNobody},  kNobody,   kRole},
    {kKeyRevoke,    "key-revoke",      {kOk,       kRole,     kRole,     kRole,     kRole,     kRole,     kNobody},  kNobody,   kRole},
    {kLogKey,       "log-key",         {kOk,       kRole,     kRole,     kRole,     kRole,     kRole,     kNobody},  kNobody,   kRole},
    {kPolicy,       "policy",          {kOk,       kRole,     kRole,     kRole,     kRole,     kRole,     kNobody},  kNobody,   kRole},
    {kIntroduction, "introduction",    {kKnown,    kKnown,    kKnown,    kKnown,    kAgain,    kKnown,    kOk},      kOk,       kKnown},
    {kPublication,  "publication",     {kOk,       kOk,       kOk,       kRole,     kRole,     kRole,     kNobody},  kNobody,   kRole},
    {kVerification, "verification",    {kOk,       kOk,       kRole,     kRole,     kRole,     kRole,     kNobody},  kNobody,   kRole},
    {kReproduction, "reproduction",    {kOk,       kOk,       kOk,       kOk,       kOk,       kRole,     kNobody},  kNobody,   kRole},
    {kNote,         "note",            {kOk,       kOk,       kOk,       kOk,       kOk,       kRole,     kNobody},  kNobody,   kRole},
    {kRetraction,   "retraction",      {kOk,       kNotOwner, kNotOwner, kRole,     kRole,     kRole,     kNobody},  kNobody,   kRole},
    {kWithholding,  "withholding",     {kOk,       kRole,     kRole,     kRole,     kRole,     kRole,     kNobody},  kNobody,   kRole},
    {kForeign,      "foreign",         {kOk,       kOk,       kOk,       kOk,       kOk,       kRole,     kNobody},  kNobody,   kRole},
};
// clang-format on

std::string_view Expected(const Row& row, Actor actor, Moment moment) {
  if (moment == kGrantedAfter) return row.granted_after;
  if (moment != kRevokedBefore) return row.has[actor];
  // A guest's introduction is his grant, and in the log.
  return row.what == kIntroduction && actor == kGuest ? kAgain : row.revoked_before;
}

class Matrix : public AuditedStory,
               public ::testing::WithParamInterface<std::tuple<Actor, Moment, Row>> {
 protected:
  // 1 a record by the operator, 2 the policy is open, 3 a publisher whom somebody may revoke.
  void SetUp() override {
    AuditedStory::SetUp();
    Log(SignPublication(TestManifest(1), operator_));
    policy_ = Log(Sign(OpenPolicy(kNoEvent), operator_));
    other_event_ = Log(Sign(Grant(other_.public_key(), Role::kPublisher, kNoEvent), operator_));
  }

  EventIndex Event(uint64_t index) const { return EventIndex(static_cast<int64_t>(index)); }

  // An introduction if it is a guest's.
  void GetRole(Actor actor) {
    const PublicKey& key = speaker_.public_key();
    event_ = Log(actor == kGuest ? Sign(Introduce(key), speaker_)
                                 : Sign(Grant(key, static_cast<Role>(actor), kNoEvent), operator_));
  }
  void Lose(std::optional<uint64_t> since = {}) {
    const auto index = since ? std::optional(EntryIndex{*since}) : std::nullopt;
    Log(Sign(Revoke(speaker_.public_key().id(), Event(event_), index), operator_));
  }

  PublishItem Make(What what) const {
    switch (what) {
      case kGenesis:
        return SignPayload(MakeGenesis({.origin = kOrigin,
                                        .log_key = TestKey("log"),
                                        .operator_key = speaker_,
                                        .recovery_keys = {},
                                        .now = TimeMs{0}})
                               ->payload,
                           speaker_);
      case kKeyGrant:
        return Sign(Grant(TestKey("new").public_key(), Role::kPublisher, kNoEvent), speaker_);
      case kKeyRevoke:
        return Sign(Revoke(other_.public_key().id(), Event(other_event_)), speaker_);
      case kLogKey:
        return Sign(AddLogKey("new log key", TreeSize{1000}), speaker_);
      case kPolicy:
        return Sign(OpenPolicy(Event(policy_)), speaker_);
      case kIntroduction:
        return Sign(Introduce(speaker_.public_key()), speaker_);
      case kPublication:
        return SignPublication(TestManifest(2), speaker_);
      case kVerification:
        return Sign(Verify(TestRecord(1), TestRecord(2)), speaker_);
      case kReproduction:
        return Sign(Reproduce(TestRecord(1)), speaker_);
      case kNote:
        return Sign(Note(TestRecord(1)), speaker_);
      case kRetraction:
        return Sign(Retract({TestRecord(1)}), speaker_);
      case kWithholding:
        return Sign(Withhold(Sha256("secret"), kNoEvent), speaker_);
      case kForeign:
        return SignPayload(ForeignPayload({TestRecord(1)}), speaker_);
    }
    return {};
  }

  PrivateKey speaker_ = TestKey("speaker");
  const PrivateKey other_ = TestKey("other");
  uint64_t policy_ = 0, other_event_ = 0, event_ = 0;
};

TEST_P(Matrix, IsTheSameForTheStoreAndTheAuditor) {
  const auto& [actor, moment, row] = GetParam();
  if (actor == kRecovery) speaker_ = TestKey("recovery");  // of genesis
  const bool gets_role = actor != kRecovery && actor != kUnknown;
  if (gets_role && moment != kGrantedAfter) GetRole(actor);
  if (moment == kRevokedBefore) Lose();
  const uint64_t index = NextIndex();
  EXPECT_EQ(Say(Make(row.what)), Expected(row, actor, moment));
  const bool logged = NextIndex() > index;
  // Whom an introduction brought in is known by then.
  if (moment == kGrantedAfter && row.what != kIntroduction) GetRole(actor);
  if (moment == kRevokedAfter) Lose();
  if (moment == kCompromisedSince) Lose(index);
  Audit();
  if (logged) EXPECT_EQ(Counts(index), moment != kCompromisedSince);
}

std::vector<std::tuple<Actor, Moment, Row>> Cells() {
  std::vector<std::tuple<Actor, Moment, Row>> cells;
  for (const Row& row : kRows) {
    for (int actor = kOperator; actor <= kUnknown; ++actor) {
      // Recovery keys are never granted and never revoked, and strangers stay strangers.
      const bool fixed = actor == kRecovery || actor == kUnknown;
      for (int moment = kHas; moment <= (fixed ? kHas : kCompromisedSince); ++moment) {
        cells.emplace_back(static_cast<Actor>(actor), static_cast<Moment>(moment), row);
      }
    }
  }
  return cells;
}

std::string NameOf(const ::testing::TestParamInfo<std::tuple<Actor, Moment, Row>>& info) {
  const auto& [actor, moment, row] = info.param;
  std::string name = std::string(row.name) + "_" + std::string(kActors[actor]) + "_" +
                     std::string(kMoments[moment]);
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cells, Matrix, ::testing::ValuesIn(Cells()), NameOf);

}  // namespace
}  // namespace stele::store::testing
