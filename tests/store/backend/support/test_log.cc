#include "tests/store/backend/support/test_log.h"

#include <gtest/gtest.h>

#include <map>

#include "core/base/concat.h"
#include "core/crypto/sha256.h"

namespace stele::store::testing {
namespace {

std::string Bytes(std::string_view name, uint64_t i, size_t length) {
  std::string bytes = Concat(name, ' ', i, ' ');
  Digest more = Sha256(bytes);
  while (bytes.size() < length) {
    bytes += more.bytes();
    more = Sha256(more.bytes());
  }
  return bytes;
}

void AppendTiles(const TreeEdge& edge, CommitPlan& plan) {
  for (const TreeEdge::FinishedTile& tile : edge.finished()) {
    plan.tiles.push_back({tile.id.level, tile.id.number, tile.bytes});
  }
  for (size_t level = 1; level < edge.levels(); ++level) {
    if (edge.unfinished(level).empty()) continue;
    TileRow row{.level = static_cast<int>(level), .number = 0, .bytes = {}};
    row.number = edge.size().value() >> (8 * (level + 1));
    for (const Hash& hash : edge.unfinished(level)) row.bytes += hash.bytes();
    plan.tiles.push_back(std::move(row));
  }
}

void ExpectSame(const KeyEvent& got, const KeyEvent& want) {
  EXPECT_EQ(got.index, want.index);
  EXPECT_EQ(got.kind, want.kind);
  EXPECT_EQ(got.subject, want.subject);
  EXPECT_EQ(got.signer, want.signer);
  EXPECT_EQ(got.authority, want.authority);
  EXPECT_EQ(got.role, want.role);
  EXPECT_EQ(got.spki, want.spki);
  EXPECT_EQ(got.name, want.name);
  EXPECT_EQ(got.reason, want.reason);
  EXPECT_EQ(got.compromised_since, want.compromised_since);
}

void AuditRows(const Snapshot& snapshot, uint64_t i) {
  const std::string content = ContentOf(i);
  const auto bytes = snapshot.Content(Sha256(content));
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  EXPECT_EQ(*bytes, content);
  const auto has = snapshot.HasContent(Sha256(content));
  ASSERT_TRUE(has.ok()) << has.status();
  EXPECT_TRUE(*has);
  const auto entry = snapshot.Entry(EntryIndex(i));
  ASSERT_TRUE(entry.ok()) << entry.status();
  EXPECT_EQ(entry->leaf, LeafOf(i));
  EXPECT_EQ(entry->leaf_hash, LeafHash(LeafOf(i)));
  const auto replay = snapshot.FindReplay(ReplayOf(i).key);
  ASSERT_TRUE(replay.ok()) << replay.status();
  EXPECT_EQ(*replay, EntryIndex(i));
}

void AuditAbsent(const Snapshot& snapshot, uint64_t i) {
  EXPECT_TRUE(absl::IsNotFound(snapshot.Content(Sha256(ContentOf(i))).status()));
  EXPECT_TRUE(absl::IsNotFound(snapshot.Entry(EntryIndex(i)).status()));
  const auto replay = snapshot.FindReplay(ReplayOf(i).key);
  ASSERT_TRUE(replay.ok()) << replay.status();
  EXPECT_EQ(*replay, std::nullopt);
}

void AuditPublications(const Snapshot& snapshot, uint64_t size) {
  std::map<Digest, std::vector<PublicationRow>> want;
  for (uint64_t i = 0; i < size; ++i) {
    for (const PublicationRow& row : PublicationsOf(i)) want[row.record].push_back(row);
  }
  for (const auto& [record, rows] : want) {
    const auto got = snapshot.Publications(record);
    ASSERT_TRUE(got.ok()) << got.status();
    EXPECT_EQ(*got, rows);
  }
}

void AuditSubjects(const Snapshot& snapshot, uint64_t size) {
  std::map<Digest, std::vector<SubjectRow>> want;
  for (uint64_t i = 0; i < size; ++i) {
    for (const SubjectRow& row : SubjectsOf(i)) want[row.subject].push_back(row);
  }
  for (const auto& [subject, rows] : want) {
    const auto got = snapshot.Subjects(subject);
    ASSERT_TRUE(got.ok()) << got.status();
    EXPECT_EQ(*got, rows);
  }
  for (const SubjectRow& row : SubjectsOf(size)) {
    const auto got = snapshot.Subjects(row.subject);
    ASSERT_TRUE(got.ok()) << got.status();
    EXPECT_TRUE(got->empty() || got->back().index < EntryIndex(size));
  }
}

void AuditKeyEvents(const Snapshot& snapshot, uint64_t size) {
  std::vector<KeyEvent> want;
  for (uint64_t i = 0; i < size; ++i) {
    for (KeyEvent& event : KeyEventsOf(i)) want.push_back(std::move(event));
  }
  const auto got = snapshot.KeyEvents();
  ASSERT_TRUE(got.ok()) << got.status();
  ASSERT_EQ(got->size(), want.size());
  for (size_t i = 0; i < want.size(); ++i) ExpectSame((*got)[i], want[i]);
}

// Tiles as a plan for the whole log at once would write them.
void AuditTiles(const Snapshot& snapshot, uint64_t size) {
  TestLog log;
  for (const TileRow& want : log.Next(size).tiles) {
    const auto got = snapshot.Tile(want.level, want.number);
    ASSERT_TRUE(got.ok()) << got.status();
    EXPECT_EQ(*got, want.bytes) << "level " << want.level << " number " << want.number;
  }
  EXPECT_TRUE(absl::IsNotFound(snapshot.Tile(0, size / 256).status()));
  EXPECT_TRUE(absl::IsNotFound(snapshot.Tile(1, size / 65536 + 1).status()));
}

}  // namespace

std::string ContentOf(uint64_t i) { return Bytes("content", i, (i * 617) % 2048); }
std::string LeafOf(uint64_t i) { return Bytes("leaf", i, (i * 131) % 1024); }
KeyId SignerOf(uint64_t i) { return Sha256(Concat("signer ", i % 3)); }

ReplayRow ReplayOf(uint64_t i) {
  return {.key = {.payload = Sha256(Concat("payload ", i)), .signer = SignerOf(i)},
          .index = EntryIndex(i)};
}

std::vector<PublicationRow> PublicationsOf(uint64_t i) {
  std::vector<PublicationRow> rows;
  auto add = [&](uint64_t record) {
    rows.push_back({.record = Sha256(ContentOf(record)),
                    .index = EntryIndex(i),
                    .signer = SignerOf(i),
                    .manifest = Sha256(Concat("manifest ", i)),
                    .authority = EventIndex(static_cast<int64_t>(i) - 1)});
  };
  add(i);
  if (i % 5 == 0 && i > 0) add(i / 5);  // somebody publishes an older record again
  return rows;
}

std::vector<SubjectRow> SubjectsOf(uint64_t i) {
  constexpr StatementType kTypes[] = {StatementType::kLogKey,      StatementType::kPolicy,
                                      StatementType::kPublication, StatementType::kVerification,
                                      StatementType::kNote,        StatementType::kReproduction,
                                      StatementType::kRetraction,  StatementType::kForeign};
  std::vector<SubjectRow> rows;
  auto add = [&](const Digest& subject, StatementType type, bool withheld) {
    rows.push_back({.subject = subject,
                    .index = EntryIndex(i),
                    .type = type,
                    .signer = SignerOf(i),
                    .authority = EventIndex(static_cast<int64_t>(i) - 1),
                    .withheld = withheld});
  };
  if (i % 3 == 0) add(Sha256(ContentOf(i / 7)), kTypes[i % 8], false);
  if (i % 11 == 0) add(Digest(), StatementType::kWithholding, i % 2 == 0);
  return rows;
}

std::vector<KeyEvent> KeyEventsOf(uint64_t i) {
  KeyEvent event{.index = EntryIndex(i),
                 .kind = KeyEvent::Kind::kGrant,
                 .subject = Sha256(Concat("subject ", i)),
                 .signer = SignerOf(i),
                 .authority = kNoEvent,
                 .role = Role::kPublisher,
                 .spki = Bytes("spki", i, 91),
                 .name = Concat("name ", i, " \xc3\xa9\xe2\x82\xac ", std::string(1, '\0'), "end"),
                 .reason = {},
                 .compromised_since = std::nullopt};
  if (i == 0) {
    event.kind = KeyEvent::Kind::kGenesisOperator;
    event.role = std::nullopt;
    KeyEvent first = event, second = event;
    first.kind = second.kind = KeyEvent::Kind::kGenesisRecovery;
    first.subject = Sha256("first recovery key");
    second.subject = Sha256("second recovery key");
    return {event, first, second};
  }
  if (i % 7 == 3) return {event};
  if (i % 7 != 5) return {};
  event.kind = i % 2 == 0 ? KeyEvent::Kind::kRevoke : KeyEvent::Kind::kIntroduction;
  event.role = std::nullopt;
  event.authority = EventIndex(static_cast<int64_t>(i) / 2);
  event.spki.clear();
  event.reason = Bytes("reason", i, 80);
  event.compromised_since = EntryIndex(i / 2);
  return {event};
}

TestLog::TestLog(uint64_t size) {
  for (uint64_t i = 0; i < size; ++i) edge_.Append(LeafHash(LeafOf(i)));
  edge_.ForgetFinished();
}

CommitPlan TestLog::Next(uint64_t entries) {
  CommitPlan plan;
  plan.base_size = edge_.size();
  plan.base_root = edge_.Root();
  for (uint64_t i = size(), end = size() + entries; i < end; ++i) {
    plan.content.push_back({Sha256(ContentOf(i)), ContentOf(i)});
    plan.entries.push_back({EntryIndex(i), LeafOf(i), LeafHash(LeafOf(i))});
    plan.replays.push_back(ReplayOf(i));
    for (PublicationRow& row : PublicationsOf(i)) plan.publications.push_back(row);
    for (SubjectRow& row : SubjectsOf(i)) plan.subjects.push_back(row);
    for (KeyEvent& event : KeyEventsOf(i)) plan.key_events.push_back(std::move(event));
    edge_.Append(plan.entries.back().leaf_hash);
  }
  AppendTiles(edge_, plan);
  edge_.ForgetFinished();
  plan.head = {.origin = "stele.example/test",
               .size = edge_.size(),
               .root = edge_.Root(),
               .last_logged = TimeMs(static_cast<int64_t>(1000 * size())),
               .checkpoint = Concat("checkpoint of size ", size(), "\n")};
  return plan;
}

Head HeadOf(uint64_t size) {
  TestLog log;
  return log.Next(size).head;
}

void Audit(const Snapshot& snapshot, uint64_t size) {
  ASSERT_TRUE(snapshot.head().has_value());
  EXPECT_EQ(*snapshot.head(), HeadOf(size));
  for (uint64_t i = 0; i < size; ++i) {
    AuditRows(snapshot, i);
    if (::testing::Test::HasFatalFailure()) return;
  }
  AuditAbsent(snapshot, size);
  AuditPublications(snapshot, size);
  AuditSubjects(snapshot, size);
  AuditKeyEvents(snapshot, size);
  AuditTiles(snapshot, size);
  TreeEdge tree;
  const absl::Status visited =
      snapshot.VisitEntries(EntryIndex(0), EntryIndex(size), [&](EntryRow row) {
        EXPECT_EQ(row.index.value(), tree.size().value());
        tree.Append(LeafHash(row.leaf));
        return true;
      });
  EXPECT_TRUE(visited.ok()) << visited;
  EXPECT_EQ(tree.Root(), snapshot.head()->root);
}

void Audit(const Backend& backend, uint64_t size) {
  const auto snapshot = backend.GetSnapshot();
  ASSERT_TRUE(snapshot.ok()) << snapshot.status();
  Audit(**snapshot, size);
}

}  // namespace stele::store::testing
