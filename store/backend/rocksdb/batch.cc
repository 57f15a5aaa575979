#include "store/backend/rocksdb/batch.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "store/backend/rocksdb/wal_chain.h"
#include "store/codec/keys.h"
#include "store/codec/rows.h"

namespace stele::store {
namespace {

// Puts rows until the first error; RocksDB's batches only fail by growing over their limit.
class Putter {
 public:
  Putter(const Database& database, rocksdb::WriteBatch& batch)
      : database_(database), batch_(batch) {}

  void Put(Family family, std::string_view key, std::string_view value) {
    if (!status.ok()) return;
    status = batch_.Put(database_.family(family), {key.data(), key.size()},
                        {value.data(), value.size()});
  }

  void Delete(Family family, std::string_view key) {
    if (status.ok()) status = batch_.Delete(database_.family(family), {key.data(), key.size()});
  }

  rocksdb::Status status;

 private:
  const Database& database_;
  rocksdb::WriteBatch& batch_;
};

// Rows in the order of their keys. Digests come in any order, and a memtable takes a row up quickly
// when it belongs near the one before.
template <class Row, class KeyOf>
std::vector<const Row*> InOrder(const std::vector<Row>& rows, KeyOf key) {
  std::vector<const Row*> order;
  order.reserve(rows.size());
  for (const Row& row : rows) order.push_back(&row);
  std::sort(order.begin(), order.end(),
            [&](const Row* a, const Row* b) { return key(*a) < key(*b); });
  return order;
}

void PutKeyEvents(const std::vector<KeyEvent>& events, Putter& out) {
  uint32_t ordinal = 0;
  for (size_t i = 0; i < events.size(); ++i) {
    ordinal = i > 0 && events[i].index == events[i - 1].index ? ordinal + 1 : 0;
    out.Put(Family::kKeyEvents, KeyEventKey(events[i].index, ordinal),
            EncodeKeyEvent(events[i], ordinal));
  }
}

}  // namespace

size_t RoughBytes(const CommitPlan& plan) {
  constexpr size_t kRow = 256;  // keys, frames and rows of hashes
  size_t bytes = kRow * (plan.content.size() + plan.entries.size() + plan.replays.size() +
                         plan.publications.size() + plan.subjects.size());
  for (const ContentRow& row : plan.content) bytes += row.bytes.size();
  for (const EntryRow& row : plan.entries) bytes += row.leaf.size();
  return bytes;
}

rocksdb::Status FillBatch(const CommitPlan& plan, const std::vector<StagedArtifact>& staged,
                          const Database& database, rocksdb::WriteBatch& batch) {
  Putter out(database, batch);
  out.status = MarkBatch(plan.base_size, plan.head.size, batch);
  const auto digest = [](const ContentRow& row) -> const Digest& { return row.digest; };
  for (const ContentRow* row : InOrder(plan.content, digest)) {
    out.Put(Family::kContent, row->digest.bytes(), row->bytes);
  }
  for (const StagedArtifact& row : staged) {
    out.Put(Family::kArtifacts, row.digest.bytes(),
            EncodeArtifact({row.digest, row.size, row.chunk_digests}));
    out.Delete(Family::kStaged, row.digest.bytes());
  }
  for (const EntryRow& row : plan.entries) {
    out.Put(Family::kEntries, EntryKey(row.index), EncodeEntry(row));
  }
  for (const TileRow& row : plan.tiles) {
    out.Put(Family::kTiles, TileKey(row.level, row.number), EncodeTile(row));
  }
  const auto replay = [](const ReplayRow& row) -> const ReplayKey& { return row.key; };
  for (const ReplayRow* row : InOrder(plan.replays, replay)) {
    out.Put(Family::kReplays, ReplayRowKey(row->key), EncodeReplay(*row));
  }
  const auto record = [](const PublicationRow& row) { return std::tie(row.record, row.index); };
  for (const PublicationRow* row : InOrder(plan.publications, record)) {
    out.Put(Family::kPublications, PublicationKey(row->record, row->index),
            EncodePublication(*row));
  }
  const auto subject = [](const SubjectRow& row) { return std::tie(row.subject, row.index); };
  for (const SubjectRow* row : InOrder(plan.subjects, subject)) {
    out.Put(Family::kSubjects, SubjectKey(row->subject, row->index), EncodeSubject(*row));
  }
  PutKeyEvents(plan.key_events, out);
  out.Put(Family::kMeta, kHeadKey, EncodeHead(plan.head));
  return out.status;
}

}  // namespace stele::store
