#include "tests/support/store/golden_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <utility>

#include "store/index/entry_rows.h"
#include "tests/support/shared.h"

namespace stele::store::testing {

using stele::testing::GoldenEntry;
using stele::testing::GoldenLog;
using stele::testing::ReadFile;

GoldenStore::GoldenStore(const GoldenLog& log) : log_(log), state_(EmptyLog(log.origin)) {}

LogState GoldenStore::WithoutWithholdings() const {
  LogState state = state_;
  state.events = without_withholdings_;
  return state;
}

void GoldenStore::TakeIn(const Said& said, CommitPlan& plan) {
  EntryRows rows = RowsOf(said.statement, said.index, said.signer, said.authority, said.payload);
  if (rows.replay) plan.replays.push_back(*rows.replay);
  plan.publications = std::move(rows.publications);
  plan.subjects = std::move(rows.subjects);
  auto ring = std::make_shared<KeyRing>(*state_.ring);
  for (const KeyEvent& event : rows.key_events) ring->Add(event);
  plan.key_events = std::move(rows.key_events);
  auto events = std::make_shared<LogEvents>(*state_.events);
  events->Add({said.index, said.signer, said.authority}, said.statement);
  if (said.statement.type != StatementType::kWithholding) {
    auto others = std::make_shared<LogEvents>(*without_withholdings_);
    others->Add({said.index, said.signer, said.authority}, said.statement);
    without_withholdings_ = std::move(others);
  }
  state_.ring = std::move(ring);
  state_.events = std::move(events);
}

void GoldenStore::Add(const ReadEntry& read) {
  const Said& said = read.said;
  const GoldenEntry& entry = log_.entries[said.index.value()];
  replay_.Add(said).IgnoreError();
  CommitPlan plan{.base_size = state_.head.size, .base_root = state_.head.root};
  if (said.index == EntryIndex{0}) {
    for (const auto& file : std::filesystem::directory_iterator(log_.dir / "content")) {
      plan.content.push_back(
          {*Digest::FromHex(file.path().filename().string()), ReadFile(file.path())});
    }
  }
  plan.entries.push_back({said.index, entry.leaf, LeafHash(entry.leaf)});
  if (entry.verdict == "valid") TakeIn(said, plan);
  auto edge = std::make_shared<TreeEdge>(*state_.edge);
  edge->ForgetFinished();
  edge->Append(LeafHash(entry.leaf));
  state_.frontier.Append(LeafHash(entry.leaf));
  state_.head.size = edge->size();
  state_.head.root = edge->Root();
  state_.head.last_logged = said.logged;
  state_.edge = std::move(edge);
  plan.head = state_.head;
  ASSERT_EQ(backend_.Commit(plan), absl::OkStatus());
  auto reader = SnapshotReader::Make(*backend_.GetSnapshot(), state_.ring, state_.events,
                                     state_.edge, std::make_shared<TileCache>());
  ASSERT_TRUE(reader.ok()) << reader.status();
  reader_ = *std::move(reader);
}

}  // namespace stele::store::testing
