// Rows of detached statements, and what of them is left when an envelope is withheld: they stay
// where they were written, and nothing tells any more whether they follow.
#include "core/base/concat.h"
#include "core/crypto/sha256.h"
#include "store/index/subject_rows.h"
#include "tests/store/fsck/rows_fixture.h"

namespace stele::store::testing {
namespace {

using ::stele::testing::ForeignPayload;
using ::stele::testing::Grant;
using ::stele::testing::Note;
using ::stele::testing::Reproduce;
using ::stele::testing::Sign;
using ::stele::testing::SignPayload;
using ::stele::testing::SignPublication;
using ::stele::testing::TestKey;
using ::stele::testing::TestManifest;
using ::stele::testing::TestRecord;
using ::stele::testing::Withhold;

class Detached : public RowsTest {
 protected:
  // 1 an attester, 2 a record, 3 a note, 4 a reproduction, 5 a foreign statement about it.
  void SetUp() override {
    RowsTest::SetUp();
    Log(Sign(Grant(attester_.public_key(), Role::kAttester, kNoEvent), operator_));
    Log(SignPublication(TestManifest(1), operator_));
    Log(note_);
    Log(Sign(Reproduce(TestRecord(1)), attester_));
    Log(SignPayload(ForeignPayload({TestRecord(1), Sha256("elsewhere"), TestRecord(1)}),
                    attester_));
  }
  void Log(const PublishItem& item) {
    const auto receipt = PublishOne(item);
    ASSERT_TRUE(receipt.ok()) << receipt.status();
  }
  void WithholdTheNote() { Log(Sign(Withhold(envelope_, kNoEvent), operator_)); }
  void TakeCopy() {
    Close();
    Open();  // what stood in the log goes to tables
    Copy();
  }
  // The rows of the note: about the record, and as a copy.
  std::vector<SubjectRow> RowsOfTheNote() {
    std::vector<SubjectRow> rows;
    for (const SubjectRow& row : All<SubjectRow>(RowKind::kSubject)) {
      if (row.index == EntryIndex{3}) rows.push_back(row);
    }
    EXPECT_EQ(rows.size(), 2u);
    return rows;
  }
  void DropTheEnvelope() { Delete(Family::kContent, std::string(envelope_.bytes())); }

  const PrivateKey attester_ = TestKey("attester");
  const PublishItem note_ = Sign(Note(TestRecord(1)), attester_);
  const Digest envelope_ = Sha256(note_.envelope);
};

TEST_F(Detached, TheirRowsFollowFromTheirEnvelopes) {
  TakeCopy();
  ExpectClean(size_);
  const std::vector<SubjectRow> rows = RowsOfTheNote();
  for (const SubjectRow& row : rows) {
    const std::string name = Concat(row.subject.ToText(), " at 3");
    Delete(Family::kSubjects, SubjectKey(row.subject, row.index));
    ExpectOnly("subject row", name);
    SubjectRow other = row;
    other.type = StatementType::kForeign;
    Put(Family::kSubjects, SubjectKey(row.subject, row.index), EncodeSubject(other));
    ExpectOnly("subject row", name);
    Put(Family::kSubjects, SubjectKey(row.subject, row.index), EncodeSubject(row));
    ExpectClean(size_);
  }
}

TEST_F(Detached, AnEnvelopeThatIsMissingIsNamedOnce) {
  TakeCopy();
  DropTheEnvelope();
  ExpectOnly("entry", "3");
}

TEST_F(Detached, AnEnvelopeWithOtherBytesIsNamed) {
  TakeCopy();
  Put(Family::kContent, std::string(envelope_.bytes()), "other bytes");
  Check();
  EXPECT_TRUE(Found("entry", "3")) << AllFound();
  EXPECT_TRUE(Found("content", envelope_.ToText())) << AllFound();
  EXPECT_EQ(found_.size(), 2u) << AllFound();
}

// With its bytes, without them, and in a copy that never had them and so no rows.
TEST_F(Detached, WithheldTheyAreNeitherExpectedNorWrong) {
  WithholdTheNote();
  TakeCopy();
  ExpectClean(size_);
  DropTheEnvelope();
  ExpectClean(size_);
  for (const SubjectRow& row : RowsOfTheNote()) {
    Delete(Family::kSubjects, SubjectKey(row.subject, row.index));
    ExpectClean(size_);
  }
}

// What the leaf itself says they have to agree with.
TEST_F(Detached, WithheldTheyAgreeWithTheLeaf) {
  WithholdTheNote();
  TakeCopy();
  DropTheEnvelope();
  const SubjectRow row = RowsOfTheNote().front();
  const auto expect_wrong = [&](const SubjectRow& wrong) {
    Put(Family::kSubjects, SubjectKey(row.subject, row.index), EncodeSubject(wrong));
    ExpectOnly("subject row", Concat(row.subject.ToText(), " at 3"));
  };
  SubjectRow wrong = row;
  wrong.signer = Sha256("somebody");
  expect_wrong(wrong);
  wrong = row;
  wrong.authority = EventIndex(0);
  expect_wrong(wrong);
  wrong = row;
  wrong.type = StatementType::kReproduction;
  expect_wrong(wrong);
  Put(Family::kSubjects, SubjectKey(row.subject, row.index), EncodeSubject(row));
  ExpectClean(size_);
}

// Restored, everything has to be there again.
TEST_F(Detached, RestoredTheyAreExpectedAgain) {
  WithholdTheNote();
  Log(Sign(Withhold(envelope_, EventIndex(6), false), operator_));
  TakeCopy();
  ExpectClean(size_);
  const SubjectRow row = RowsOfTheNote().front();
  Delete(Family::kSubjects, SubjectKey(row.subject, row.index));
  ExpectOnly("subject row", Concat(row.subject.ToText(), " at 3"));
}

// A withheld entry is still found with its record, and by the store's own eyes nothing changed.
TEST_F(Detached, TheStoreStillKnowsWhatAWithheldEntryWasAbout) {
  WithholdTheNote();
  const auto subjects = Reader()->SubjectsOf(TestRecord(1));
  ASSERT_TRUE(subjects.ok());
  EXPECT_EQ(subjects->rows.front().index, EntryIndex{3});
  EXPECT_EQ(ReasonOf(Reader()->Content(envelope_).status()), reason::kWithheld);
}

}  // namespace
}  // namespace stele::store::testing
