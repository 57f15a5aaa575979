// What is read about a record: its entries, what a citation of it needs, and what is withheld.
#include "store/read/record_entries.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "core/base/refusal.h"
#include "core/crypto/sha256.h"
#include "core/statement/dsse.h"
#include "core/statement/entry.h"
#include "core/statement/statement.h"
#include "store/backend/memory_backend.h"
#include "store/index/subject_rows.h"
#include "store/read/citation_entries.h"
#include "store/read/snapshot_reader.h"
#include "tests/support/store/statements.h"

namespace stele::store {
namespace {

using stele::testing::TestKey;

// Builds a log entry by entry, each as the planner would have it; readers do not judge.
class RecordEntriesTest : public ::testing::Test {
 protected:
  using Kind = KeyEvent::Kind;

  // An inline entry, or a detached one with its envelope kept as content; its index.
  EntryIndex Entry(const KeyId& signer, int64_t authority, std::string_view detached_type = {},
                   std::string payload = {}) {
    const EntryIndex index(edge_.size().value());
    if (payload.empty()) payload = "payload " + std::to_string(index.value());
    const std::string envelope = FormatEnvelope(payload, signer, std::string(64, 's'));
    absl::StatusOr<std::string> leaf;
    if (detached_type.empty()) {
      leaf = BuildInlineLeaf(EventIndex(authority), envelope, TimeMs(0));
    } else {
      envelopes_[index] = Sha256(envelope);
      plan_.content.push_back({Sha256(envelope), envelope});
      leaf = BuildDetachedLeaf(
          EventIndex(authority),
          {Sha256(envelope), signer, std::string(detached_type), envelope.size()}, TimeMs(0));
    }
    edge_.Append(LeafHash(*leaf));
    plan_.entries.push_back({index, *leaf, LeafHash(*leaf)});
    return index;
  }
  void KeyEventAt(EntryIndex index, Kind kind, const PublicKey& subject, const KeyId& signer,
                  int64_t authority, std::optional<EntryIndex> since = {}) {
    KeyEvent event;
    event.index = index;
    event.kind = kind;
    event.subject = subject.id();
    event.spki = kind == Kind::kRevoke ? "" : subject.spki();
    event.signer = signer;
    event.authority = EventIndex(authority);
    if (kind == Kind::kGrant) event.role = Role::kPublisher;
    event.compromised_since = since;
    ring_.Add(event);
    plan_.key_events.push_back(event);
  }
  void Say(EntryIndex index, StatementType type, const Digest& subject, const KeyId& signer,
           int64_t authority, bool withheld = false) {
    plan_.subjects.push_back({subject, index, type, signer, EventIndex(authority), withheld});
    if (type == StatementType::kWithholding) {
      plan_.subjects.push_back(
          {kWithholdings, index, type, signer, EventIndex(authority), withheld});
      Statement statement;
      statement.type = type;
      statement.predicate =
          Withholding{.after = kNoEvent, .withheld = withheld, .reason = "a test"};
      statement.subjects.emplace_back().digest = subject;
      events_.Add({index, signer, EventIndex(authority)}, statement);
    }
  }
  void Publish(EntryIndex index, const Digest& record, const KeyId& signer, int64_t authority) {
    plan_.publications.push_back(
        {record, index, signer, Sha256("manifest"), EventIndex(authority)});
  }
  std::shared_ptr<const SnapshotReader> Read() {
    plan_.base_size = head_.size;
    plan_.base_root = head_.root;
    head_ = {testing::kOrigin, edge_.size(), edge_.Root(), TimeMs(0), "a checkpoint"};
    plan_.head = head_;
    EXPECT_EQ(backend_.Commit(std::exchange(plan_, {})), absl::OkStatus());
    edge_.ForgetFinished();
    auto reader = SnapshotReader::Make(*backend_.GetSnapshot(), std::make_shared<KeyRing>(ring_),
                                       std::make_shared<LogEvents>(events_),
                                       std::make_shared<const TreeEdge>(edge_),
                                       std::make_shared<TileCache>());
    EXPECT_TRUE(reader.ok()) << reader.status();
    return *reader;
  }
  static std::vector<uint64_t> Numbers(const absl::StatusOr<std::vector<EntryIndex>>& indexes) {
    EXPECT_TRUE(indexes.ok()) << indexes.status();
    std::vector<uint64_t> numbers;
    for (EntryIndex index : *indexes) numbers.push_back(index.value());
    return numbers;
  }

  // 0 genesis, 1 grant of the publisher, 2 the record is published, 3 the policy is open,
  // 4 a guest comes, 5 and notes something, 6 grant of an attester, 7 who says something,
  // 8 which is withheld, 9 another record, 10 a log key, 11 the attester was somebody else since 7,
  // 12 the policy is closed.
  void Story() {
    const KeyId op = operator_.id(), pub = publisher_.id(), guest = guest_.id(),
                att = attester_.id();
    KeyEventAt(Entry(op, 0), Kind::kGenesisOperator, operator_, op, 0);
    KeyEventAt(Entry(op, 0), Kind::kGrant, publisher_, op, 0);
    Publish(Entry(pub, 1), record_, pub, 1);
    Say(Entry(op, 0), StatementType::kPolicy, origin_, op, 0);
    KeyEventAt(Entry(guest, -1), Kind::kIntroduction, guest_, guest, -1);
    Say(Entry(guest, 4, "note"), StatementType::kNote, record_, guest, 4);
    KeyEventAt(Entry(op, 0), Kind::kGrant, attester_, op, 0);
    Say(Entry(att, 6, "foreign"), StatementType::kForeign, record_, att, 6);
    Say(Entry(op, 0), StatementType::kWithholding, envelopes_.at(EntryIndex(7)), op, 0, true);
    Publish(Entry(pub, 1), Sha256("another record"), pub, 1);
    Say(Entry(op, 0), StatementType::kLogKey, origin_, op, 0);
    KeyEventAt(Entry(op, 0), Kind::kRevoke, attester_, op, 0, EntryIndex(7));
    Say(Entry(op, 0), StatementType::kPolicy, origin_, op, 0);
  }

  const Digest record_ = Sha256("record");
  const Digest origin_ = OriginSubject(testing::kOrigin).digest;
  const PublicKey operator_ = TestKey("operator").public_key();
  const PublicKey publisher_ = TestKey("publisher").public_key();
  const PublicKey guest_ = TestKey("guest").public_key();
  const PublicKey attester_ = TestKey("attester").public_key();
  MemoryBackend backend_;
  TreeEdge edge_;
  KeyRing ring_;
  LogEvents events_;
  CommitPlan plan_;
  std::map<EntryIndex, Digest> envelopes_;
  Head head_{testing::kOrigin, TreeSize{0}, EmptyRoot(), TimeMs{0}, ""};
};

TEST_F(RecordEntriesTest, EverythingSaidAboutARecord) {
  Story();
  const auto reader = Read();
  const auto entries = RecordEntries(*reader, record_);
  ASSERT_TRUE(entries.ok()) << entries.status();
  ASSERT_EQ(entries->size(), 3u);
  const auto& [publication, note, foreign] = std::tie((*entries)[0], (*entries)[1], (*entries)[2]);
  EXPECT_EQ(publication.index.value(), 2u);
  EXPECT_EQ(publication.type, StatementType::kPublication);
  EXPECT_FALSE(publication.disputed);
  EXPECT_EQ(note.index.value(), 5u);
  EXPECT_EQ(note.type, StatementType::kNote);
  EXPECT_EQ(note.signer, guest_.id());
  EXPECT_EQ(note.authority, EventIndex(4));
  EXPECT_EQ(foreign.index.value(), 7u);
  EXPECT_TRUE(foreign.disputed);
  EXPECT_TRUE(RecordEntries(*reader, Sha256("nothing"))->empty());
}

TEST_F(RecordEntriesTest, WhatACitationNeeds) {
  Story();
  const auto reader = Read();
  EXPECT_EQ(Numbers(CitationEntries(*reader, record_, 100)),
            (std::vector<uint64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11}));
  EXPECT_EQ(Numbers(CitationEntries(*reader, Sha256("another record"), 100)),
            (std::vector<uint64_t>{0, 1, 9, 10}));
  EXPECT_TRUE(Numbers(CitationEntries(*reader, Sha256("nothing"), 100)).empty());
  EXPECT_EQ(Numbers(CitationEntries(*reader, record_, 11)).size(), 11u);
  EXPECT_TRUE(absl::IsResourceExhausted(CitationEntries(*reader, record_, 10).status()));
}

// Whether the signer may retract them all is a condition on each.
TEST_F(RecordEntriesTest, ARetractionBringsItsSignersPublicationsOfTheOthers) {
  Story();
  Statement retraction;
  retraction.type = StatementType::kRetraction;
  retraction.predicate_type = PredicateTypeOf(retraction.type);
  retraction.log = testing::kOrigin;
  retraction.predicate = Retraction{.reason = "a wrong clock", .superseded_by = {}};
  const Digest other = Sha256("another record");
  for (const Digest& record : {record_, other}) {
    Subject subject = RecordSubject(record, record);
    subject.manifest.reset();
    retraction.subjects.push_back(subject);
  }
  const EntryIndex index = Entry(publisher_.id(), 1, {}, FormatStatement(retraction));
  Say(index, StatementType::kRetraction, record_, publisher_.id(), 1);
  Say(index, StatementType::kRetraction, other, publisher_.id(), 1);
  Publish(Entry(operator_.id(), 0), other, operator_.id(), 0);
  const auto reader = Read();
  EXPECT_EQ(Numbers(CitationEntries(*reader, record_, 100)),
            (std::vector<uint64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13}));
}

TEST_F(RecordEntriesTest, TheWithholdingsOfRecordAndManifest) {
  Story();
  Say(Entry(operator_.id(), 0), StatementType::kWithholding, record_, operator_.id(), 0, true);
  Say(Entry(operator_.id(), 0), StatementType::kWithholding, Sha256("manifest"), operator_.id(), 0,
      true);
  const auto reader = Read();
  const std::vector<uint64_t> numbers = Numbers(CitationEntries(*reader, record_, 100));
  EXPECT_TRUE(std::count(numbers.begin(), numbers.end(), 13));
  EXPECT_TRUE(std::count(numbers.begin(), numbers.end(), 14));
}

TEST_F(RecordEntriesTest, WithheldContentIsNotGivenUntilRestored) {
  Story();
  const Digest envelope = envelopes_.at(EntryIndex(7)), other = envelopes_.at(EntryIndex(5));
  const auto withheld = Read();
  EXPECT_EQ(withheld->WithheldBy(envelope), EntryIndex(8));
  const absl::Status refused = withheld->Content(envelope).status();
  EXPECT_TRUE(absl::IsNotFound(refused)) << refused;
  EXPECT_EQ(ReasonOf(refused), reason::kWithheld);
  EXPECT_NE(std::string(refused.message()).find("entry 8"), std::string::npos);
  EXPECT_EQ(withheld->WithheldBy(other), std::nullopt);
  EXPECT_TRUE(withheld->Content(other).ok());

  Say(Entry(operator_.id(), 0), StatementType::kWithholding, envelope, operator_.id(), 0, false);
  const auto restored = Read();
  EXPECT_EQ(restored->WithheldBy(envelope), std::nullopt);
  EXPECT_TRUE(restored->Content(envelope).ok());
  // A reader of before still withholds.
  EXPECT_FALSE(withheld->Content(envelope).ok());
}

// A withholding by a key that was stolen by then is as if it were not there.
TEST_F(RecordEntriesTest, ADisputedWithholdingWithholdsNothing) {
  const KeyId op = operator_.id(), thief = attester_.id();
  KeyEventAt(Entry(op, 0), Kind::kGenesisOperator, operator_, op, 0);
  KeyEventAt(Entry(op, 0), Kind::kGrant, attester_, op, 0);
  const EntryIndex note = Entry(op, 0, "note");
  Say(note, StatementType::kNote, record_, op, 0);
  Say(Entry(thief, 1), StatementType::kWithholding, envelopes_.at(note), thief, 1, true);
  EXPECT_EQ(Read()->WithheldBy(envelopes_.at(note)), EntryIndex(3));
  KeyEventAt(Entry(op, 0), Kind::kRevoke, attester_, op, 0, EntryIndex(2));
  EXPECT_EQ(Read()->WithheldBy(envelopes_.at(note)), std::nullopt);
}

}  // namespace
}  // namespace stele::store
