// Proofs of an honest server pass; each change of an answer is found.
#include "client/proofs.h"

#include <gtest/gtest.h>

#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/crypto/sha256.h"
#include "tests/client/served_log.h"

namespace stele::client {
namespace {

void Flip(std::string* bytes) { bytes->back() = static_cast<char>(bytes->back() ^ 1); }

class ProofsTest : public ServedLogTest {
 protected:
  void SetUp() override {
    ServedLogTest::SetUp();
    head_ = fetcher_->GetHead()->checkpoint;
  }
  // The log's own key signs another head.
  std::string Forge(uint64_t size, std::string_view root) const {
    const NoteVerifier verifier =
        *NoteVerifier::Make("test.example/log", world_->log_key->public_key());
    return *SignCheckpoint({"test.example/log", TreeSize(size), Sha256(root), {}}, verifier,
                           *world_->log_key);
  }
  Proofs proofs() const { return Proofs(*connection_, *verifier_); }
  void PublishOne() {
    const int n = Fresh();
    ASSERT_TRUE(Publish({StatementOf(n, n + 1)}).flushed.ok());
  }
  // Both of an older tree and of the newest.
  bool InclusionFails() const {
    return absl::IsDataLoss(proofs().GetInclusion(EntryIndex(2), TreeSize(4)).status());
  }
  bool ConsistencyFails() const {
    return absl::IsDataLoss(proofs().GetConsistency(TreeSize(3), TreeSize(4)).status());
  }

  Checkpoint head_;
};

TEST_F(ProofsTest, EveryEntryAndTreeOfAnHonestServer) {
  const uint64_t size = head_.size.value();
  ASSERT_GE(size, 5u);
  for (uint64_t tree = 1; tree <= size; ++tree) {
    const auto inclusion = proofs().GetInclusion(EntryIndex(tree - 1), TreeSize(tree));
    ASSERT_TRUE(inclusion.ok()) << inclusion.status();
    EXPECT_EQ(inclusion->tree.size.value(), tree);
    const auto consistency = proofs().GetConsistency(TreeSize(tree), TreeSize(size));
    ASSERT_TRUE(consistency.ok()) << consistency.status();
    EXPECT_EQ(consistency->from_root, inclusion->tree.root);
    EXPECT_EQ(consistency->tree.root, head_.root);
  }
  EXPECT_EQ(proofs().GetInclusion(EntryIndex(0))->tree.size, head_.size);
  EXPECT_EQ(proofs().GetConsistency(TreeSize(1))->tree.size, head_.size);
  EXPECT_TRUE(absl::IsNotFound(proofs().GetInclusion(EntryIndex(size)).status()));
  EXPECT_TRUE(
      absl::IsOutOfRange(proofs().GetInclusion(EntryIndex(0), TreeSize(size + 1)).status()));
  EXPECT_EQ(ReasonOf(proofs().GetConsistency(TreeSize(0)).status()), reason::kProofIndex);
  EXPECT_EQ(ReasonOf(proofs().GetConsistency(TreeSize(4), TreeSize(3)).status()),
            reason::kProofIndex);
}

TEST_F(ProofsTest, InclusionsThatAreNot) {
  v1::GetInclusionProofResponse honest, newest;
  lies().inclusion = [&](v1::GetInclusionProofResponse& r) { honest = r; };
  ASSERT_FALSE(InclusionFails());
  lies().inclusion = [](v1::GetInclusionProofResponse& r) { Flip(r.mutable_leaf_hash()); };
  EXPECT_TRUE(InclusionFails());
  lies().inclusion = [](v1::GetInclusionProofResponse& r) { r.mutable_leaf_hash()->pop_back(); };
  EXPECT_TRUE(InclusionFails());
  for (int i = 0; i < honest.proof_size(); ++i) {
    lies().inclusion = [i](v1::GetInclusionProofResponse& r) { Flip(r.mutable_proof(i)); };
    EXPECT_TRUE(InclusionFails()) << i;
  }
  for (int i = 0; i < honest.tree().to_head_size(); ++i) {
    lies().inclusion = [i](v1::GetInclusionProofResponse& r) {
      Flip(r.mutable_tree()->mutable_to_head(i));
    };
    EXPECT_TRUE(InclusionFails()) << i;
  }
  lies().inclusion = [](v1::GetInclusionProofResponse& r) { r.mutable_proof()->RemoveLast(); };
  EXPECT_TRUE(InclusionFails());
  lies().inclusion = [](v1::GetInclusionProofResponse& r) {
    Flip(r.mutable_tree()->mutable_root());
  };
  EXPECT_TRUE(InclusionFails());
  lies().inclusion = [](v1::GetInclusionProofResponse& r) { r.clear_tree(); };
  EXPECT_TRUE(InclusionFails());
  lies().inclusion = [&](v1::GetInclusionProofResponse& r) {
    r.mutable_tree()->set_checkpoint(Forge(1, "old"));
  };
  EXPECT_TRUE(InclusionFails());
  // A true proof about another tree than the one asked for.
  lies().inclusion = [&](v1::GetInclusionProofResponse& r) { newest = r; };
  ASSERT_TRUE(proofs().GetInclusion(EntryIndex(2)).ok());
  lies().inclusion = [&](v1::GetInclusionProofResponse& r) { r = newest; };
  EXPECT_TRUE(InclusionFails());
  lies().Clear();  // what the lies use goes now
}

TEST_F(ProofsTest, ConsistenciesThatAreNot) {
  v1::GetConsistencyProofResponse honest;
  lies().consistency = [&](v1::GetConsistencyProofResponse& r) { honest = r; };
  ASSERT_FALSE(ConsistencyFails());
  lies().consistency = [](v1::GetConsistencyProofResponse& r) { Flip(r.mutable_from_root()); };
  EXPECT_TRUE(ConsistencyFails());
  for (int i = 0; i < honest.proof_size(); ++i) {
    lies().consistency = [i](v1::GetConsistencyProofResponse& r) { Flip(r.mutable_proof(i)); };
    EXPECT_TRUE(ConsistencyFails()) << i;
  }
  for (int i = 0; i < honest.tree().to_head_size(); ++i) {
    lies().consistency = [i](v1::GetConsistencyProofResponse& r) {
      Flip(r.mutable_tree()->mutable_to_head(i));
    };
    EXPECT_TRUE(ConsistencyFails()) << i;
  }
  lies().consistency = [](v1::GetConsistencyProofResponse& r) {
    r.mutable_tree()->set_tree_size(5);
  };
  EXPECT_TRUE(ConsistencyFails());
  lies().consistency = [](v1::GetConsistencyProofResponse& r) {
    Flip(r.mutable_tree()->mutable_checkpoint());
  };
  EXPECT_TRUE(ConsistencyFails());
  lies().consistency = [](v1::GetConsistencyProofResponse& r) {
    r.add_proof(std::string(32, 'x'));
  };
  EXPECT_TRUE(ConsistencyFails());
  lies().Clear();  // what the lies use goes now
}

TEST_F(ProofsTest, EntriesInOneTree) {
  const std::vector<EntryIndex> indexes = {EntryIndex(3), EntryIndex(0), EntryIndex(2)};
  std::vector<EntryWithProof> entries;
  const auto keep = [&](EntryWithProof entry) {
    entries.push_back(std::move(entry));
    return absl::OkStatus();
  };
  const auto tree = proofs().GetEntries(indexes, TreeSize(4), keep);
  ASSERT_TRUE(tree.ok()) << tree.status();
  EXPECT_EQ(tree->size.value(), 4u);
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].index.value(), 3u);
  EXPECT_EQ(entries[2].leaf, fetcher_->GetEntry(EntryIndex(2))->leaf);
  EXPECT_EQ(proofs().GetEntries(indexes, {}, keep)->size, head_.size);

  const auto fails = [&] {
    return absl::IsDataLoss(proofs().GetEntries(indexes, TreeSize(4), keep).status());
  };
  using Page = v1::GetProvenEntriesResponse;
  lies().proven = [](Page& r) { Flip(r.mutable_entries(1)->mutable_leaf()); };
  EXPECT_TRUE(fails());
  lies().proven = [](Page& r) { Flip(r.mutable_entries(1)->mutable_proof(0)); };
  EXPECT_TRUE(fails());
  lies().proven = [](Page& r) { r.mutable_entries()->SwapElements(0, 1); };
  EXPECT_TRUE(fails());
  lies().proven = [](Page& r) { r.mutable_entries()->RemoveLast(); };
  EXPECT_TRUE(fails());
  lies().proven = [](Page& r) { *r.add_entries() = r.entries(0); };
  EXPECT_TRUE(fails());
  lies().proven = [](Page& r) { r.mutable_entries(0)->set_detached("no such envelope"); };
  EXPECT_TRUE(fails());
  lies().proven = [](Page& r) { r.clear_tree(); };
  EXPECT_TRUE(fails());
  lies().proven = nullptr;
  const auto enough = [](EntryWithProof) { return absl::CancelledError("enough"); };
  EXPECT_TRUE(absl::IsCancelled(proofs().GetEntries(indexes, {}, enough).status()));
}

TEST_F(ProofsTest, PartsOfACitation) {
  const tools::PublicationPtr record = TestPublication(1);
  const auto parts = proofs().GetCitation(record->record);
  ASSERT_TRUE(parts.ok()) << parts.status();
  EXPECT_EQ(Sha256(*parts->identity), record->record);
  EXPECT_EQ(*parts->manifest, record->canonical);
  EXPECT_TRUE(parts->tree.to_head.empty());
  ASSERT_EQ(parts->entries.size(), 3u);  // genesis, the publisher's grant, the publication
  EXPECT_EQ(parts->entries[0].index.value(), 0u);
  EXPECT_EQ(parts->entries[1].index.value(), 1u);
  EXPECT_TRUE(absl::IsNotFound(proofs().GetCitation(Sha256("absent")).status()));

  const auto fails = [&] {
    return absl::IsDataLoss(proofs().GetCitation(record->record).status());
  };
  using Response = v1::GetCitationResponse;
  lies().citation = [](Response& r) { Flip(r.mutable_identity()); };
  EXPECT_TRUE(fails());
  lies().citation = [](Response& r) { r.set_manifest(R"({"apiVersion":"v1"})"); };
  EXPECT_TRUE(fails());
  lies().citation = [](Response& r) { r.mutable_indexes()->SwapElements(0, 1); };
  EXPECT_TRUE(fails());
  lies().citation = [](Response& r) { r.clear_indexes(); };
  EXPECT_TRUE(fails());
  lies().citation = [](Response& r) { Flip(r.mutable_tree()->mutable_root()); };
  EXPECT_TRUE(fails());
}

TEST_F(ProofsTest, WatchedHeads) {
  std::vector<WatchedHead> heads;
  const auto three = [&](const WatchedHead& head) {
    heads.push_back(head);
    if (heads.size() == 3) return absl::CancelledError("enough");
    PublishOne();
    return absl::OkStatus();
  };
  EXPECT_TRUE(absl::IsCancelled(proofs().Watch(std::nullopt, three)));
  ASSERT_EQ(heads.size(), 3u);
  EXPECT_LT(heads[0].checkpoint.size, heads[1].checkpoint.size);
  EXPECT_LT(heads[1].checkpoint.size, heads[2].checkpoint.size);

  const auto fails = [&] {
    return absl::IsDataLoss(proofs().Watch(heads[0].checkpoint, [](const WatchedHead&) {
      return absl::CancelledError("a head was shown");
    }));
  };
  EXPECT_FALSE(fails());
  using Head = v1::WatchHeadResponse;
  lies().watched = [](Head& r) { Flip(r.mutable_checkpoint()); };
  EXPECT_TRUE(fails());
  lies().watched = [](Head& r) { Flip(r.mutable_proof(0)); };
  EXPECT_TRUE(fails());
  lies().watched = [](Head& r) { r.clear_proof(); };
  EXPECT_TRUE(fails());
  lies().watched = [&](Head& r) { r.set_checkpoint(heads[0].note); };
  EXPECT_TRUE(fails()) << "the head went back";
  lies().watched = [&](Head& r) {
    r.set_checkpoint(Forge(heads[2].checkpoint.size.value() + 1, "another history"));
  };
  EXPECT_TRUE(fails());
}

}  // namespace
}  // namespace stele::client
