// What a commit costs: 64 records of 1 KiB through the backend, against a synchronised RocksDB
// batch of the same bytes. Both on the folder of $TMPDIR; the number that counts is their ratio.

#include <benchmark/benchmark.h>
#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "core/crypto/sha256.h"
#include "core/tlog/tree_edge.h"
#include "store/backend/memory_backend.h"
#include "store/backend/rocksdb/rocksdb_backend.h"

namespace stele::store {
namespace {

namespace fs = std::filesystem;

constexpr int kRecords = 64;
constexpr size_t kRecordBytes = 1024;
constexpr size_t kLeafBytes = kRecords * 300;  // one publication of 64 subjects, as base64

class Folder {
 public:
  Folder() {
    std::string name = fs::temp_directory_path() / "stele-bench-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path = name;
  }
  ~Folder() { fs::remove_all(path); }
  fs::path path;
};

// Bytes that no compression shortens.
std::string Noise(uint64_t seed, size_t length) {
  std::string bytes;
  bytes.reserve(length + Digest::kBytes);
  for (Digest next = Sha256(std::to_string(seed)); bytes.size() < length;
       next = Sha256(next.bytes())) {
    bytes += next.bytes();
  }
  bytes.resize(length);
  return bytes;
}

// One publication of 64 records after the other.
class Plans {
 public:
  CommitPlan Next() {
    const uint64_t index = edge_.size().value();
    CommitPlan plan;
    plan.base_size = edge_.size();
    plan.base_root = edge_.Root();
    const std::string leaf = Noise(index, kLeafBytes);
    plan.entries.push_back({EntryIndex(index), leaf, LeafHash(leaf)});
    const KeyId signer = Sha256("signer");
    for (uint64_t i = 0; i < kRecords; ++i) {
      std::string bytes = Noise((index << 16) + i + 1, kRecordBytes);
      const Digest digest = Sha256(bytes);
      plan.content.push_back({digest, std::move(bytes)});
      plan.publications.push_back({.record = digest,
                                   .index = EntryIndex(index),
                                   .signer = signer,
                                   .manifest = digest,
                                   .authority = EventIndex(0)});
    }
    plan.replays.push_back({{Sha256(leaf), signer}, EntryIndex(index)});
    edge_.Append(plan.entries[0].leaf_hash);
    for (const auto& tile : edge_.finished()) {
      plan.tiles.push_back({tile.id.level, tile.id.number, tile.bytes});
    }
    edge_.ForgetFinished();
    plan.head = {.origin = "stele.example/bench",
                 .size = edge_.size(),
                 .root = edge_.Root(),
                 .last_logged = TimeMs(0),
                 .checkpoint = Noise(index, 250)};
    return plan;
  }

 private:
  TreeEdge edge_;
};

void Count(benchmark::State& state) {
  state.counters["records"] = benchmark::Counter(static_cast<double>(state.iterations()) * kRecords,
                                                 benchmark::Counter::kIsRate);
}

void CommitTo(Backend& backend, benchmark::State& state) {
  Plans plans;
  for (auto _ : state) {
    state.PauseTiming();
    const CommitPlan plan = plans.Next();
    state.ResumeTiming();
    if (!backend.Commit(plan).ok()) state.SkipWithError("commit failed");
  }
  Count(state);
}

void BM_RocksDbCommit(benchmark::State& state) {
  Folder folder;
  RocksDbOptions options{.dir = folder.path / "db", .create = true};
  auto backend = OpenRocksDb(options, nullptr);
  if (!backend.ok()) return state.SkipWithError(backend.status().ToString().c_str());
  CommitTo(**backend, state);
}
BENCHMARK(BM_RocksDbCommit)->Unit(benchmark::kMicrosecond)->UseRealTime();

void BM_MemoryCommit(benchmark::State& state) {
  MemoryBackend backend;
  CommitTo(backend, state);
}
BENCHMARK(BM_MemoryCommit)->Unit(benchmark::kMicrosecond)->UseRealTime();

// The same bytes in one batch of a RocksDB with its own defaults.
void BM_RawSynchronisedBatch(benchmark::State& state) {
  Folder folder;
  rocksdb::Options options;
  options.create_if_missing = true;
  rocksdb::DB* opened = nullptr;
  const std::string dir = folder.path / "raw";
  if (!rocksdb::DB::Open(options, dir, &opened).ok()) return state.SkipWithError("open failed");
  const std::unique_ptr<rocksdb::DB> db(opened);
  Plans plans;
  for (auto _ : state) {
    state.PauseTiming();
    const CommitPlan plan = plans.Next();
    state.ResumeTiming();
    rocksdb::WriteBatch batch;
    bool good = true;
    for (const ContentRow& row : plan.content) {
      const std::string_view key = row.digest.bytes();
      good = good && batch.Put({key.data(), key.size()}, row.bytes).ok();
    }
    good = good &&
           batch.Put("leaf " + std::to_string(plan.base_size.value()), plan.entries[0].leaf).ok();
    rocksdb::WriteOptions write;
    write.sync = true;
    if (!good || !db->Write(write, &batch).ok()) state.SkipWithError("write failed");
  }
  Count(state);
}
BENCHMARK(BM_RawSynchronisedBatch)->Unit(benchmark::kMicrosecond)->UseRealTime();

// One record read back, of a store of 64,000.
void BM_RocksDbContent(benchmark::State& state) {
  Folder folder;
  RocksDbOptions options{.dir = folder.path / "db", .create = true};
  auto backend = OpenRocksDb(options, nullptr);
  if (!backend.ok()) return state.SkipWithError(backend.status().ToString().c_str());
  Plans plans;
  std::vector<Digest> digests;
  for (int i = 0; i < 1000; ++i) {
    const CommitPlan plan = plans.Next();
    for (const ContentRow& row : plan.content) digests.push_back(row.digest);
    if (!(*backend)->Commit(plan).ok()) return state.SkipWithError("commit failed");
  }
  size_t at = 0;
  for (auto _ : state) {
    auto snapshot = (*backend)->GetSnapshot();
    auto content = (*snapshot)->Content(digests[at = (at + 7919) % digests.size()]);
    if (!content.ok()) state.SkipWithError("read failed");
    benchmark::DoNotOptimize(content);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_RocksDbContent)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace stele::store
