// Rows survive the way to disk and back, and nothing else is taken for one.

#include "store/codec/rows.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <vector>

#include "core/base/hex.h"
#include "core/base/refusal.h"
#include "core/crypto/sha256.h"
#include "store/codec/frame.h"
#include "tests/store/backend/support/test_artifact.h"
#include "tests/store/backend/support/test_log.h"

namespace stele::store::testing {
namespace {

KeyEvent SomeKeyEvent() { return KeyEventsOf(12)[0]; }
TileRow SomeTile() { return {.level = 1, .number = 7, .bytes = std::string(96, 'h')}; }
ArtifactRow SomeArtifact() { return TestArtifact(1, limits::kArtifactChunkBytes + 1).row(); }
StagedArtifact SomeStaged() { return TestArtifact(2, 77).whole(); }
EntryRow SomeEntry() { return {EntryIndex(5), LeafOf(5), LeafHash(LeafOf(5))}; }

// The example of docs/formats/disk.md. If this fails, stores that exist cannot be read any more.
TEST(Rows, AsDocumented) {
  const std::string frame = EncodeTile({.level = 1, .number = 0, .bytes = std::string(32, 'h')});
  EXPECT_EQ(HexEncode(frame),
            "537403014800000023eda4f4d64fa5ac"
            "0000000008000000000000000200010001000000000000000000000000000000"
            "0100000002010000" +
                HexEncode(std::string(32, 'h')));
}

// One frame of each type, how it is read under its own key, and how its errors call it.
struct Sample {
  std::string name;
  std::string frame;
  std::function<absl::Status(std::string_view)> read;
};

std::vector<Sample> Samples() {
  const PublicationRow publication = PublicationsOf(9)[0];
  const SubjectRow subject = SubjectsOf(9)[0];
  const ArtifactRow artifact = SomeArtifact();
  const StagedArtifact staged = SomeStaged();
  return {
      {"the head", EncodeHead(HeadOf(4)),
       [](std::string_view frame) { return DecodeHead(frame).status(); }},
      {"entry 5", EncodeEntry(SomeEntry()),
       [](std::string_view frame) { return DecodeEntry(frame, EntryIndex(5)).status(); }},
      {"tile 7 of level 1", EncodeTile(SomeTile()),
       [](std::string_view frame) { return DecodeTile(frame, 1, 7).status(); }},
      {"the replay row of", EncodeReplay(ReplayOf(3)),
       [](std::string_view frame) { return DecodeReplay(frame, ReplayOf(3).key).status(); }},
      {"the publication of", EncodePublication(publication),
       [=](std::string_view frame) {
         return DecodePublication(frame, publication.record, publication.index).status();
       }},
      {"what is said about", EncodeSubject(subject),
       [=](std::string_view frame) {
         return DecodeSubject(frame, subject.subject, subject.index).status();
       }},
      {"the artifact", EncodeArtifact(artifact),
       [=](std::string_view frame) { return DecodeArtifact(frame, artifact.digest).status(); }},
      {"the staged artifact", EncodeStaged(staged),
       [=](std::string_view frame) { return DecodeStaged(frame, staged.digest).status(); }},
      {"key event 2 of index 12", EncodeKeyEvent(SomeKeyEvent(), 2),
       [](std::string_view frame) { return DecodeKeyEvent(frame, EntryIndex(12), 2).status(); }},
  };
}

void ExpectDamaged(const absl::Status& status, const std::string& name, const std::string& how) {
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << name << ", " << how << ": " << status;
  EXPECT_EQ(ReasonOf(status), reason::kDamaged) << name << ", " << how;
  EXPECT_NE(status.ToString().find(name), std::string::npos) << status;
}

// Reads at every alignment: pinned values of a database stand anywhere.
absl::Status ReadAt(const Sample& sample, const std::string& frame, size_t shift) {
  std::vector<uint64_t> room(frame.size() / 8 + 2);
  char* at = reinterpret_cast<char*>(room.data()) + shift;
  std::memcpy(at, frame.data(), frame.size());
  return sample.read({at, frame.size()});
}

TEST(Rows, ReadAtEveryAlignment) {
  for (const Sample& sample : Samples()) {
    for (size_t shift = 0; shift < 8; ++shift) {
      EXPECT_TRUE(ReadAt(sample, sample.frame, shift).ok()) << sample.name << " +" << shift;
    }
  }
}

TEST(Rows, EveryFlippedBitIsNoticed) {
  for (const Sample& sample : Samples()) {
    for (size_t bit = 0; bit < sample.frame.size() * 8; ++bit) {
      std::string flipped = sample.frame;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
      ExpectDamaged(sample.read(flipped), sample.name, "bit " + std::to_string(bit));
    }
  }
}

TEST(Rows, EveryCutAndEveryExtensionIsNoticed) {
  for (const Sample& sample : Samples()) {
    for (size_t keep = 0; keep < sample.frame.size(); ++keep) {
      ExpectDamaged(sample.read(sample.frame.substr(0, keep)), sample.name,
                    "cut to " + std::to_string(keep));
    }
    for (size_t more : {1, 7, 8, 64}) {
      ExpectDamaged(sample.read(sample.frame + std::string(more, '\0')), sample.name, "longer");
    }
  }
}

TEST(Rows, AFrameOfAnotherTypeIsNoticed) {
  for (const Sample& sample : Samples()) {
    for (const Sample& other : Samples()) {
      if (&sample != &other && sample.name != other.name) {
        ExpectDamaged(sample.read(other.frame), sample.name, "holds " + other.name);
      }
    }
  }
}

// A whole and intact row that stands under another one's key.
TEST(Rows, ARowOfAnotherKeyIsNoticed) {
  const std::string entry = EncodeEntry(SomeEntry());
  ExpectDamaged(DecodeEntry(entry, EntryIndex(6)).status(), "entry 6", "entry 5");
  const std::string tile = EncodeTile(SomeTile());
  ExpectDamaged(DecodeTile(tile, 0, 7).status(), "tile 7 of level 0", "level");
  ExpectDamaged(DecodeTile(tile, 1, 8).status(), "tile 8 of level 1", "number");
  const std::string replay = EncodeReplay(ReplayOf(3));
  ReplayKey key = ReplayOf(3).key;
  key.signer = SignerOf(4);
  ExpectDamaged(DecodeReplay(replay, key).status(), "the replay row", "signer");
  ExpectDamaged(DecodeReplay(replay, ReplayOf(6).key).status(), "the replay row", "payload");
  const PublicationRow row = PublicationsOf(9)[0];
  const std::string publication = EncodePublication(row);
  ExpectDamaged(DecodePublication(publication, row.record, EntryIndex(8)).status(),
                "the publication", "index");
  ExpectDamaged(DecodePublication(publication, row.manifest, row.index).status(), "the publication",
                "record");
  const SubjectRow said = SubjectsOf(9)[0];
  const std::string subject = EncodeSubject(said);
  ExpectDamaged(DecodeSubject(subject, said.subject, EntryIndex(8)).status(), "what is said about",
                "index");
  ExpectDamaged(DecodeSubject(subject, said.signer, said.index).status(), "what is said about",
                "subject");
  const std::string event = EncodeKeyEvent(SomeKeyEvent(), 2);
  ExpectDamaged(DecodeKeyEvent(event, EntryIndex(12), 1).status(), "key event 1", "ordinal");
  ExpectDamaged(DecodeKeyEvent(event, EntryIndex(13), 2).status(), "key event 2", "index");
}

TEST(Rows, ArtifactsHaveADigestForEachChunk) {
  for (uint64_t size : {uint64_t{0}, uint64_t{1}, uint64_t{limits::kArtifactChunkBytes},
                        uint64_t{3 * limits::kArtifactChunkBytes + 1}}) {
    const TestArtifact artifact(size, size);
    EXPECT_EQ(*DecodeArtifact(EncodeArtifact(artifact.row()), artifact.digest()), artifact.row());
    EXPECT_EQ(*DecodeStaged(EncodeStaged(artifact.whole()), artifact.digest()), artifact.whole());
    EXPECT_EQ(*DecodeStaged(EncodeStaged(artifact.begun()), artifact.digest()), artifact.begun());
    ArtifactRow wrong = artifact.row();
    wrong.chunk_digests += std::string(32, 'x');
    ExpectDamaged(DecodeArtifact(EncodeArtifact(wrong), artifact.digest()).status(), "the artifact",
                  "one digest too many");
    StagedArtifact begun = artifact.begun();
    begun.chunk_digests = std::string(32, 'x');
    ExpectDamaged(DecodeStaged(EncodeStaged(begun), artifact.digest()).status(),
                  "the staged artifact", "digests of what is not whole");
  }
  ExpectDamaged(DecodeArtifact(EncodeArtifact(SomeArtifact()), Sha256("x")).status(),
                "the artifact", "digest");
  ExpectDamaged(DecodeStaged(EncodeStaged(SomeStaged()), Sha256("x")).status(),
                "the staged artifact", "digest");
}

// Version 2 of a frame, intact by the rules of its header.
TEST(Rows, ANewerVersionIsSaid) {
  for (const Sample& sample : Samples()) {
    std::string newer = sample.frame;
    SealFrame(static_cast<RowType>(newer[2]), newer, 2);
    const absl::Status status = sample.read(newer);
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
    EXPECT_NE(status.ToString().find("version 2"), std::string::npos) << status;
    EXPECT_NE(status.ToString().find(sample.name), std::string::npos) << status;
  }
}

// Bodies that no writer of ours makes, under a checksum that fits: Cap'n Proto's own checks.
TEST(Rows, ForeignBodiesAreDamage) {
  for (const Sample& sample : Samples()) {
    const auto type = static_cast<RowType>(sample.frame[2]);
    const std::string body = sample.frame.substr(kFrameHeaderBytes);
    std::vector<std::string> bodies = {"", std::string(8, '\0'), std::string(64, '\xff'),
                                       body + std::string(8, '\0'),
                                       body.substr(0, body.size() - 8)};
    for (size_t word = 0; word < body.size() / 8; ++word) {
      std::string wild = body;
      std::memset(wild.data() + 8 * word, 0xfe, 8);
      bodies.push_back(std::move(wild));
    }
    for (const std::string& foreign : bodies) {
      std::string frame = std::string(kFrameHeaderBytes, '\0') + foreign;
      SealFrame(type, frame);
      const absl::Status status = sample.read(frame);
      // Some words are plain data: then it is another value, never a crash.
      if (!status.ok()) ExpectDamaged(status, sample.name, "a foreign body");
    }
    std::string odd = sample.frame + "x";
    SealFrame(type, odd);
    ExpectDamaged(sample.read(odd), sample.name, "half a word");
  }
}

TEST(Rows, RoundTrips) {
  for (uint64_t i : {0, 1, 3, 5, 12, 19, 257}) {
    const EntryRow entry{EntryIndex(i), LeafOf(i), LeafHash(LeafOf(i))};
    EXPECT_EQ(*DecodeEntry(EncodeEntry(entry), entry.index), entry);
    for (const PublicationRow& row : PublicationsOf(i)) {
      EXPECT_EQ(*DecodePublication(EncodePublication(row), row.record, row.index), row);
    }
    EXPECT_EQ(DecodeReplay(EncodeReplay(ReplayOf(i)), ReplayOf(i).key)->index, EntryIndex(i));
    EXPECT_EQ(*DecodeHead(EncodeHead(HeadOf(i + 1))), HeadOf(i + 1));
  }
  Head extreme{.origin = {},
               .size = TreeSize(UINT64_MAX),
               .root = Sha256("root"),
               .last_logged = TimeMs(INT64_MIN),
               .checkpoint = {}};
  EXPECT_EQ(*DecodeHead(EncodeHead(extreme)), extreme);
  for (size_t size : {size_t{0}, size_t{1}, size_t{65535}}) {
    const EntryRow entry{EntryIndex(1), std::string(size, '\xff'), Sha256("x")};
    EXPECT_EQ(*DecodeEntry(EncodeEntry(entry), EntryIndex(1)), entry);
  }
  const TileRow full{.level = 7, .number = UINT64_MAX, .bytes = std::string(8192, 'x')};
  EXPECT_EQ(DecodeTile(EncodeTile(full), 7, UINT64_MAX)->bytes, full.bytes);
}

TEST(Rows, SubjectsOfEveryType) {
  for (uint64_t i = 0; i < 100; ++i) {
    for (const SubjectRow& row : SubjectsOf(i)) {
      const auto read = DecodeSubject(EncodeSubject(row), row.subject, row.index);
      ASSERT_TRUE(read.ok()) << read.status();
      EXPECT_EQ(*read, row);
    }
  }
}

TEST(Rows, KeyEventsOfEveryKindAndRole) {
  KeyEvent event = SomeKeyEvent();
  event.spki = std::string(91, '\x30');
  for (auto kind :
       {KeyEvent::Kind::kGenesisOperator, KeyEvent::Kind::kGenesisRecovery, KeyEvent::Kind::kGrant,
        KeyEvent::Kind::kRevoke, KeyEvent::Kind::kIntroduction}) {
    for (std::optional<Role> role :
         {std::optional<Role>(), std::optional(Role::kOperator), std::optional(Role::kRunner),
          std::optional(Role::kPublisher), std::optional(Role::kAttester),
          std::optional(Role::kGuest), std::optional(Role::kRecovery)}) {
      for (auto since : {std::optional<EntryIndex>(), std::optional(EntryIndex(0)),
                         std::optional(EntryIndex(99))}) {
        event.kind = kind;
        event.role = role;
        event.compromised_since = since;
        const auto read = DecodeKeyEvent(EncodeKeyEvent(event, 0), event.index, 0);
        ASSERT_TRUE(read.ok()) << read.status();
        EXPECT_EQ(read->kind, kind);
        EXPECT_EQ(read->role, role);
        EXPECT_EQ(read->compromised_since, since);
        EXPECT_EQ(read->subject, event.subject);
        EXPECT_EQ(read->signer, event.signer);
        EXPECT_EQ(read->authority, event.authority);
        EXPECT_EQ(read->spki, event.spki);
        EXPECT_EQ(read->name, event.name);
        EXPECT_EQ(read->reason, event.reason);
      }
    }
  }
}

}  // namespace
}  // namespace stele::store::testing
