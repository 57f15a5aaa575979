#include "store/index/subject_rows.h"

#include <gtest/gtest.h>

#include "core/crypto/sha256.h"
#include "store/index/entry_rows.h"
#include "tests/support/store/statements.h"

namespace stele::store {
namespace {

const KeyId kSigner = Sha256("signer");

Statement About(StatementType type, Predicate predicate, std::vector<Digest> subjects) {
  Statement statement;
  statement.type = type;
  statement.predicate = std::move(predicate);
  for (const Digest& digest : subjects) {
    Subject subject;
    subject.digest = digest;
    statement.subjects.push_back(subject);
  }
  return statement;
}

std::vector<SubjectRow> RowsOf(const Statement& statement) {
  return SubjectRowsOf(statement, EntryIndex(7), kSigner, EventIndex(3));
}

SubjectRow Row(StatementType type, const Digest& subject, bool withheld = false) {
  return {subject, EntryIndex(7), type, kSigner, EventIndex(3), withheld};
}

TEST(SubjectRowsTest, OneForEachSubject) {
  const Digest a = Sha256("a"), b = Sha256("b");
  for (auto [type, predicate] : std::vector<std::pair<StatementType, Predicate>>{
           {StatementType::kVerification, Verification{}},
           {StatementType::kReproduction, Reproduction{}},
           {StatementType::kNote, NoteStatement{}},
           {StatementType::kRetraction, Retraction{}},
           {StatementType::kPolicy, Policy{}},
           {StatementType::kForeign, Foreign{}}}) {
    EXPECT_EQ(RowsOf(About(type, predicate, {a, b})),
              (std::vector<SubjectRow>{Row(type, a), Row(type, b)}));
  }
}

// Keys have their events, records of publications their own rows.
TEST(SubjectRowsTest, NotWhatStandsElsewhere) {
  const PrivateKey key = testing::TestKey("k");
  EXPECT_TRUE(RowsOf(testing::Grant(key.public_key(), Role::kPublisher, kNoEvent)).empty());
  EXPECT_TRUE(RowsOf(testing::Revoke(key.public_key().id(), EventIndex(1))).empty());
  Statement publication = testing::Publication({testing::TestManifest(1)});
  EXPECT_TRUE(RowsOf(publication).empty());
  Subject artifact;
  artifact.kind = Subject::Kind::kArtifact;
  artifact.digest = Sha256("samples");
  publication.subjects.push_back(artifact);
  EXPECT_EQ(RowsOf(publication),
            (std::vector<SubjectRow>{Row(StatementType::kPublication, artifact.digest)}));
}

TEST(SubjectRowsTest, AWithholdingIsFoundWithoutItsDigest) {
  const Digest secret = Sha256("secret");
  for (bool withheld : {true, false}) {
    Withholding withholding;
    withholding.withheld = withheld;
    EXPECT_EQ(RowsOf(About(StatementType::kWithholding, withholding, {secret})),
              (std::vector<SubjectRow>{Row(StatementType::kWithholding, secret, withheld),
                                       Row(StatementType::kWithholding, kWithholdings, withheld)}));
  }
}

// A row stands under digest and index: a digest that is named twice has one.
TEST(SubjectRowsTest, ADigestThatIsNamedTwiceHasOneRow) {
  const Digest a = Sha256("a"), b = Sha256("b");
  EXPECT_EQ(
      RowsOf(About(StatementType::kForeign, Foreign{}, {a, b, a})),
      (std::vector<SubjectRow>{Row(StatementType::kForeign, a), Row(StatementType::kForeign, b)}));
  Withholding withholding;
  withholding.withheld = true;
  EXPECT_EQ(RowsOf(About(StatementType::kWithholding, withholding, {kWithholdings})),
            (std::vector<SubjectRow>{Row(StatementType::kWithholding, kWithholdings, true)}));
}

TEST(EntryRowsTest, InlineStatementsHaveAReplayRowDetachedOnesACopy) {
  const Digest a = Sha256("a"), payload = Sha256("payload");
  for (auto [type, predicate] : std::vector<std::pair<StatementType, Predicate>>{
           {StatementType::kReproduction, Reproduction{}},
           {StatementType::kNote, NoteStatement{}},
           {StatementType::kForeign, Foreign{}}}) {
    const EntryRows rows = stele::store::RowsOf(About(type, predicate, {a}), EntryIndex(7), kSigner,
                                                EventIndex(3), payload);
    EXPECT_FALSE(rows.replay.has_value());
    EXPECT_EQ(rows.subjects,
              (std::vector<SubjectRow>{Row(type, a), Row(type, CopiesOf({payload, kSigner}))}));
  }
  const EntryRows rows =
      stele::store::RowsOf(About(StatementType::kVerification, Verification{}, {a}), EntryIndex(7),
                           kSigner, EventIndex(3), payload);
  ASSERT_TRUE(rows.replay.has_value());
  EXPECT_EQ(rows.replay->key, (ReplayKey{payload, kSigner}));
  EXPECT_EQ(rows.replay->index, EntryIndex(7));
  EXPECT_EQ(rows.subjects.size(), 1u);
}

}  // namespace
}  // namespace stele::store
