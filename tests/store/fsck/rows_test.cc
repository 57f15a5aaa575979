// Damage that RocksDB's checksums do not notice: rows that are well written and wrong. Each is
// named.

#include "store/codec/rows.h"

#include "core/base/concat.h"
#include "core/crypto/sha256.h"
#include "core/record/manifest.h"
#include "store/codec/keys.h"
#include "store/log/guard.h"
#include "tests/store/fsck/rows_fixture.h"
#include "tests/support/shared.h"

namespace stele::store::testing {
namespace {

using ::stele::testing::TestManifest;

class Rows : public RowsTest {
 protected:
  void SetUp() override {
    RowsTest::SetUp();
    Fill(300, 3);  // more than a tile
    ExpectClean(size_);
  }

  static Manifest ManifestOf(int n) {
    return *ParseManifest(TestManifest(n, n % 2 == 0 ? "a title" : "", n % 2 == 0 ? 700 : 0));
  }
};

TEST_F(Rows, ContentWithOtherBytes) {
  const Digest digest = ManifestOf(4).manifest;
  Put(Family::kContent, std::string(digest.bytes()), std::string(900, 'x'));
  ExpectOnly("content", digest.ToText());
}

TEST_F(Rows, ContentThatIsMissing) {
  const Digest digest = ManifestOf(7).record;
  Delete(Family::kContent, std::string(digest.bytes()));
  ExpectOnly("content", digest.ToText());
}

TEST_F(Rows, ContentThatNoEntryNames) {
  const Digest digest = Sha256("nobody");
  Put(Family::kContent, std::string(digest.bytes()), "somebody");
  ExpectOnly("content", digest.ToText());
}

TEST_F(Rows, AnEntryThatIsMissing) {
  Delete(Family::kEntries, EntryKey(EntryIndex{5}));
  ExpectOnly("entry", "5");
}

TEST_F(Rows, AnEntryWithAnotherLeaf) {
  EntryRow row = *Now()->Entry(EntryIndex{5});
  row.leaf = Now()->Entry(EntryIndex{6})->leaf;
  Put(Family::kEntries, EntryKey(EntryIndex{5}), EncodeEntry(row));
  ExpectOnly("entry", "5");
}

// Well formed, hashed, and not what the tree has there.
TEST_F(Rows, AnEntryOfAnotherHistory) {
  EntryRow row = *Now()->Entry(EntryIndex{300});
  row.index = EntryIndex{5};
  Put(Family::kEntries, EntryKey(EntryIndex{5}), EncodeEntry(row));
  Check();
  EXPECT_TRUE(Found("root")) << AllFound();
  EXPECT_TRUE(Found("tile", "0/0")) << AllFound();
}

TEST_F(Rows, ATileWithAnotherHash) {
  std::string bytes = *Now()->Tile(0, 0);
  bytes[100] = static_cast<char>(bytes[100] ^ 1);
  Put(Family::kTiles, TileKey(0, 0), EncodeTile({.level = 0, .number = 0, .bytes = bytes}));
  ExpectOnly("tile", "0/0");
}

TEST_F(Rows, TilesThatAreMissingOrTooMany) {
  Delete(Family::kTiles, TileKey(1, 0));
  Put(Family::kTiles, TileKey(2, 7),
      EncodeTile({.level = 2, .number = 7, .bytes = std::string(32, 'h')}));
  Check();
  EXPECT_TRUE(Found("tile", "1/0")) << AllFound();
  EXPECT_TRUE(Found("tile", "2/7")) << AllFound();
  EXPECT_EQ(found_.size(), 2u) << AllFound();
}

TEST_F(Rows, AFrameThatIsCut) {
  const std::string frame = EncodeTile({.level = 1, .number = 0, .bytes = *Now()->Tile(1, 0)});
  Put(Family::kTiles, TileKey(1, 0), frame.substr(0, frame.size() - 8));
  Check();
  EXPECT_TRUE(Found("tile", "1/0")) << AllFound();
}

TEST_F(Rows, ReplayRows) {
  const auto rows = All<ReplayRow>(RowKind::kReplay);
  ASSERT_EQ(rows.size(), size_);
  Delete(Family::kReplays, ReplayRowKey(rows[3].key));
  ExpectOnly("replay row",
             Concat(rows[3].key.payload.ToText(), " by ", rows[3].key.signer.ToText()));
  Put(Family::kReplays, ReplayRowKey(rows[3].key), EncodeReplay(rows[3]));
  ExpectClean(size_);
  const ReplayRow other{.key = {Sha256("nothing"), rows[0].key.signer}, .index = EntryIndex{9}};
  Put(Family::kReplays, ReplayRowKey(other.key), EncodeReplay(other));
  ExpectOnly("replay row", Concat(other.key.payload.ToText(), " by ", other.key.signer.ToText()));
}

TEST_F(Rows, PublicationRows) {
  PublicationRow row = All<PublicationRow>(RowKind::kPublication).at(10);
  const std::string name = Concat(row.record.ToText(), " at ", row.index.value());
  row.manifest = Sha256("another");
  Put(Family::kPublications, PublicationKey(row.record, row.index), EncodePublication(row));
  ExpectOnly("publication row", name);
  Delete(Family::kPublications, PublicationKey(row.record, row.index));
  ExpectOnly("publication row", name);
}

TEST_F(Rows, SubjectRows) {
  const SubjectRow row{.subject = Sha256("something"),
                       .index = EntryIndex{5},
                       .type = StatementType::kNote,
                       .signer = Sha256("somebody"),
                       .authority = EventIndex(1)};
  Put(Family::kSubjects, SubjectKey(row.subject, row.index), EncodeSubject(row));
  ExpectOnly("subject row", Concat(row.subject.ToText(), " at 5"));
  Delete(Family::kSubjects, SubjectKey(row.subject, row.index));
  ExpectClean(size_);
}

TEST_F(Rows, KeyEvents) {
  KeyEvent event = All<KeyEvent>(RowKind::kKeyEvent).back();
  event.role = Role::kOperator;
  Put(Family::kKeyEvents, KeyEventKey(event.index, 0), EncodeKeyEvent(event, 0));
  ExpectOnly("key event", Concat("at ", event.index.value()));
}

TEST_F(Rows, AHeadOfAnotherMoment) {
  Head head = *Now()->head();
  head.last_logged = TimeMs(head.last_logged.value() + 1);
  Put(Family::kMeta, std::string(kHeadKey), EncodeHead(head));
  ExpectOnly("head", "");
}

TEST_F(Rows, ACheckpointOfNobody) {
  Head head = *Now()->head();
  head.checkpoint[head.checkpoint.size() - 20] ^= 1;
  Put(Family::kMeta, std::string(kHeadKey), EncodeHead(head));
  Check();
  EXPECT_TRUE(Found("checkpoint")) << AllFound();
}

TEST_F(Rows, AShorterHistory) {
  const Head head = *Now()->head();
  {
    auto opened = Guard::Open(guard());
    ASSERT_TRUE(opened.ok());
    ASSERT_TRUE((*opened)->Record({TreeSize(head.size.value() + 1), Sha256("later")}).ok());
  }
  ExpectOnly("head", "size");
}

TEST_F(Rows, AnotherHistoryThanTheGuards) {
  const Head head = *Now()->head();
  std::filesystem::remove(guard());
  const Hash genesis = LeafHash(Now()->Entry(EntryIndex{0})->leaf);
  ASSERT_TRUE(
      Guard::Create(guard(), {head.origin, genesis}, {TreeSize(7), Sha256("another")}).ok());
  ExpectOnly("root", "7");
}

TEST_F(Rows, TheGuardOfAnotherStore) {
  const Head head = *Now()->head();
  std::filesystem::remove(guard());
  ASSERT_TRUE(
      Guard::Create(guard(), {"other.example/log", Sha256("genesis")}, {head.size, head.root})
          .ok());
  ExpectOnly("guard", guard().string());
}

TEST_F(Rows, TheKeyOfAnotherLog) {
  WriteFile(dir() / "log.key", ::stele::testing::TestKey("another").ToPem());
  ExpectOnly("key", "log.key");
  std::filesystem::remove(dir() / "log.key");
  ExpectOnly("key", "log.key");
}

// Beside a server that goes on writing: no lock, no false alarm.
class Beside : public FsckTest {};

TEST_F(Beside, ARunningServer) {
  Fill(30, 1);
  for (int round = 0; round < 8; ++round) {
    Publish(1000 + 40 * round, 40);
    FsckOptions options = Options();
    options.dir = home_.dir();
    options.guard = home_.guard();
    std::string said;
    options.found = [&](const Finding& finding) { said += finding.Text() + "\n"; };
    const auto report = Fsck(options);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(said, "");
    EXPECT_EQ(report->log.size.value(), TreeSizeNow());
  }
}

TEST_F(Beside, NoStoreIsNoDamage) {
  FsckOptions options;
  options.dir = copy_ / "nothing";
  EXPECT_TRUE(absl::IsNotFound(Fsck(options).status()));
}

}  // namespace
}  // namespace stele::store::testing
