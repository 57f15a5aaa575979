// A golden log with its index, and the replay of the same entries to hold it against.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "store/index/index_queries.h"
#include "store/index/memory_index.h"
#include "store/indexer/applier.h"
#include "tests/support/golden_log.h"
#include "tests/support/replay/golden_said.h"
#include "tests/support/replay/replay_source.h"
#include "tests/support/store/golden_store.h"

namespace stele::store::testing {

// Every row of an index but its position.
inline IndexRows AllRows(const IndexSnapshot& snapshot) {
  IndexRows rows;
  const auto cursor = snapshot.NewCursor();
  for (cursor->Seek("A"); cursor->valid(); cursor->Next()) {
    rows.emplace(cursor->key(), cursor->value());
  }
  EXPECT_EQ(cursor->status(), absl::OkStatus());
  return rows;
}

class IndexOfLog {
 public:
  explicit IndexOfLog(std::string_view name)
      : log_(stele::testing::LoadGoldenLog(name)),
        read_(stele::testing::ReadGoldenEntries(log_)),
        store_(log_),
        source_([this](const Digest& digest) { return log_.Content(digest.ToHex()); }) {}

  size_t entries() const { return read_.size(); }
  size_t size() const { return size_; }
  const std::vector<ReadEntry>& read() const { return read_; }
  const stele::testing::GoldenLog& log() const { return log_; }
  const stele::testing::ReplaySource& source() const { return source_; }
  const SnapshotReader& reader() const { return store_.reader(); }
  IndexStore& index() { return *index_; }
  std::shared_ptr<const IndexSnapshot> rows() const { return *index_->GetSnapshot(); }

  // The next entry, into the log and the replay.
  void Append() {
    store_.Add(read_[size_]);
    source_.Add(read_[size_].said).IgnoreError();
    ++size_;
  }
  // The index up to the log's head.
  void Apply() {
    IndexApplier applier(*index_, rows()->position(), nullptr);
    while (applier.position().applied < reader().head().size) {
      ASSERT_EQ(applier.ApplyBatch(reader().snapshot()), absl::OkStatus());
    }
  }
  void AppendAll() {
    while (size_ < entries()) Append();
  }
  std::shared_ptr<const Queries> queries() const {
    auto made = MakeQueries(std::shared_ptr<const Reader>(std::shared_ptr<void>(), &reader()),
                            rows(), IndexState::kFollowing);
    EXPECT_TRUE(made.ok()) << made.status();
    return *std::move(made);
  }

 private:
  const stele::testing::GoldenLog log_;
  const std::vector<ReadEntry> read_;
  GoldenStore store_;
  stele::testing::ReplaySource source_;
  std::unique_ptr<IndexStore> index_ = MakeMemoryIndex();
  size_t size_ = 0;
};

}  // namespace stele::store::testing
