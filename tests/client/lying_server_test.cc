// Every call of the client against a server that lies: each lie must be found (DATA_LOSS), and an
// honest answer must pass on the same way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/pins.h"
#include "core/crypto/sha256.h"
#include "tests/client/served_log.h"

namespace stele::client {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class LyingServerTest : public ServedLogTest {
 protected:
  // The log's own key signs another head: what only a misbehaving operator can do.
  std::string Forge(uint64_t size, std::string_view root) const {
    const NoteVerifier verifier =
        *NoteVerifier::Make("test.example/log", world_->log_key->public_key());
    return *SignCheckpoint({"test.example/log", TreeSize(size), Sha256(root), {}}, verifier,
                           *world_->log_key);
  }
  const tools::PublicationPtr record_ = TestPublication(1);
};

void FlipLast(std::string* bytes) { bytes->back() = static_cast<char>(bytes->back() ^ 1); }

TEST_F(LyingServerTest, HonestAnswersPass) {
  EXPECT_TRUE(fetcher_->GetHead().ok());
  EXPECT_EQ(Sha256(*fetcher_->GetContent(record_->record)), record_->record);
  EXPECT_EQ(*fetcher_->GetContent(record_->manifest), record_->canonical);
  EXPECT_TRUE(fetcher_->GetEntry(EntryIndex(0)).ok());
  EXPECT_EQ(fetcher_->GetEntry(EntryIndex(1'000'000)).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(fetcher_->GetContent(Sha256("absent")).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(fetcher_->ListKeys()->size(), 2u);
}

TEST_F(LyingServerTest, ContentThatIsNotItsDigest) {
  lies().content = [](v1::GetContentResponse& r) { FlipLast(r.mutable_content()); };
  EXPECT_TRUE(absl::IsDataLoss(fetcher_->GetContent(record_->record).status()));
  lies().content = [](v1::GetContentResponse& r) { r.clear_content(); };
  EXPECT_TRUE(absl::IsDataLoss(fetcher_->GetContent(record_->record).status()));
}

TEST_F(LyingServerTest, StreamedContentThatIsNotItsDigest) {
  std::vector<Digest> digests;
  for (int n = 0; n < 12; ++n) digests.push_back(TestPublication(n).get()->record);
  digests.push_back(Sha256("absent"));
  size_t found = 0;
  const auto visit = [&](const Digest& digest, absl::StatusOr<std::string> content) {
    if (content.ok()) {
      EXPECT_EQ(Sha256(*content), digest);
      ++found;
    } else {
      EXPECT_TRUE(absl::IsNotFound(content.status()));
    }
    return absl::OkStatus();
  };
  EXPECT_TRUE(fetcher_->FetchContent(digests, visit).ok());
  EXPECT_EQ(found, 12u);
  int answers = 0;
  lies().fetched = [&](v1::FetchContentResponse& r) {
    if (++answers == 5) FlipLast(r.mutable_content());
  };
  EXPECT_TRUE(absl::IsDataLoss(fetcher_->FetchContent(digests, visit)));
  lies().fetched = [&](v1::FetchContentResponse& r) { FlipLast(r.mutable_digest()); };
  EXPECT_TRUE(absl::IsDataLoss(fetcher_->FetchContent(digests, visit)));
  lies().fetched = [&](v1::FetchContentResponse& r) { r.clear_content(); };
  EXPECT_TRUE(absl::IsDataLoss(fetcher_->FetchContent(digests, visit)));
}

TEST_F(LyingServerTest, AVisitorCanEndTheStream) {
  const std::vector<Digest> digests(2000, record_->record);
  size_t visited = 0;
  const absl::Status ended =
      fetcher_->FetchContent(digests, [&](const Digest&, absl::StatusOr<std::string>) {
        return ++visited == 700 ? absl::CancelledError("enough") : absl::OkStatus();
      });
  EXPECT_TRUE(absl::IsCancelled(ended));
  EXPECT_EQ(visited, 700u);
}

TEST_F(LyingServerTest, HeadsThatAreNotTheLogs) {
  lies().head = [](v1::GetHeadResponse& r) { FlipLast(r.mutable_checkpoint()); };
  EXPECT_TRUE(absl::IsDataLoss(fetcher_->GetHead().status()));
  lies().head = [&](v1::GetHeadResponse& r) { r.set_checkpoint(Forge(1, "old")); };
  EXPECT_TRUE(absl::IsDataLoss(fetcher_->GetHead().status())) << "smaller than what was seen";
  lies().head = [&](v1::GetHeadResponse& r) {
    r.set_checkpoint(Forge(verifier_->newest().value(), "another"));
  };
  EXPECT_TRUE(absl::IsDataLoss(fetcher_->GetHead().status())) << "two trees of one size";
  lies().head = nullptr;
  EXPECT_TRUE(fetcher_->GetHead().ok());
}

TEST_F(LyingServerTest, EntriesThatAreNotProven) {
  v1::GetEntryResponse first;
  lies().entry = [&](v1::GetEntryResponse& r) { first = r; };
  ASSERT_TRUE(fetcher_->GetEntry(EntryIndex(2)).ok());
  lies().entry = [&](v1::GetEntryResponse& r) { r = first; };
  EXPECT_TRUE(absl::IsDataLoss(fetcher_->GetEntry(EntryIndex(3)).status())) << "another entry";
  lies().entry = [](v1::GetEntryResponse& r) { FlipLast(r.mutable_leaf()); };
  EXPECT_TRUE(absl::IsDataLoss(fetcher_->GetEntry(EntryIndex(2)).status()));
  for (int i = 0; i < first.proof_size(); ++i) {
    lies().entry = [i](v1::GetEntryResponse& r) { FlipLast(r.mutable_proof(i)); };
    EXPECT_TRUE(absl::IsDataLoss(fetcher_->GetEntry(EntryIndex(2)).status())) << i;
  }
  lies().entry = [](v1::GetEntryResponse& r) { r.mutable_proof()->RemoveLast(); };
  EXPECT_TRUE(absl::IsDataLoss(fetcher_->GetEntry(EntryIndex(2)).status()));
  lies().entry = [](v1::GetEntryResponse& r) { r.mutable_proof(0)->pop_back(); };
  EXPECT_TRUE(absl::IsDataLoss(fetcher_->GetEntry(EntryIndex(2)).status()));
  lies().entry = [&](v1::GetEntryResponse& r) { r.set_checkpoint(Forge(1000, "x")); };
  EXPECT_TRUE(absl::IsDataLoss(fetcher_->GetEntry(EntryIndex(2)).status()));
  lies().Clear();  // what the lies use goes now
}

TEST_F(LyingServerTest, RangesThatAreNotTheLog) {
  std::vector<std::string> leaves;
  const auto keep = [&](EntryIndex index, std::string_view leaf) {
    EXPECT_EQ(index.value(), 1 + leaves.size());
    leaves.emplace_back(leaf);
    return absl::OkStatus();
  };
  ASSERT_TRUE(fetcher_->ListEntries(EntryIndex(1), 3, keep).ok());
  EXPECT_EQ(leaves.size(), 3u);
  leaves.clear();
  ASSERT_TRUE(fetcher_->ListEntries(EntryIndex(1), 0, keep).ok());
  EXPECT_EQ(leaves.size(), verifier_->newest().value() - 1);
  const auto never = [](EntryIndex, std::string_view) -> absl::Status {
    ADD_FAILURE() << "an entry was shown that is not proven";
    return absl::OkStatus();
  };
  const auto fails = [&] {
    return absl::IsDataLoss(fetcher_->ListEntries(EntryIndex(1), 3, never));
  };
  lies().entries = [](v1::ListEntriesResponse& r) { FlipLast(r.mutable_leaves(1)); };
  EXPECT_TRUE(fails());
  lies().entries = [](v1::ListEntriesResponse& r) { r.mutable_leaves()->SwapElements(0, 1); };
  EXPECT_TRUE(fails());
  lies().entries = [](v1::ListEntriesResponse& r) { r.mutable_leaves()->DeleteSubrange(0, 1); };
  EXPECT_TRUE(fails());
  lies().entries = [](v1::ListEntriesResponse& r) { r.add_leaves("more"); };
  EXPECT_TRUE(fails());
  lies().entries = [](v1::ListEntriesResponse& r) { r.set_start(2); };
  EXPECT_TRUE(fails());
  lies().entries = [](v1::ListEntriesResponse& r) { r.clear_leaves(); };
  EXPECT_TRUE(fails());
  lies().entries = [](v1::ListEntriesResponse& r) { FlipLast(r.mutable_checkpoint()); };
  EXPECT_TRUE(fails());
}

TEST_F(LyingServerTest, PublicationsThatAreNotThere) {
  const PublicKey& signer = world_->publisher->public_key();
  const tools::PublicationPtr other = TestPublication(9999);
  const std::vector<PublicationKey> keys{{record_->record, record_->manifest, signer.id()},
                                         {other->record, other->manifest, signer.id()}};
  absl::StatusOr<std::vector<std::optional<EntryIndex>>> there =
      fetcher_->CheckPublications(signer, keys);
  ASSERT_TRUE(there.ok()) << there.status();
  ASSERT_TRUE((*there)[0].has_value());
  EXPECT_FALSE((*there)[1].has_value());
  const uint64_t index = (*there)[0]->value();
  for (uint64_t claimed : {index, uint64_t{0}, uint64_t{1}}) {
    lies().publications = [claimed](v1::CheckPublicationsResponse& r) {
      r.mutable_items(1)->set_published(true);
      r.mutable_items(1)->set_index(claimed);
    };
    EXPECT_TRUE(absl::IsDataLoss(fetcher_->CheckPublications(signer, keys).status())) << claimed;
  }
  lies().publications = [](v1::CheckPublicationsResponse& r) { r.mutable_items()->RemoveLast(); };
  EXPECT_TRUE(absl::IsDataLoss(fetcher_->CheckPublications(signer, keys).status()));
}

TEST_F(LyingServerTest, RecordsThatWereNotPublishedSo) {
  const auto prove = [&] {
    absl::StatusOr<RecordPublications> publications = fetcher_->GetRecord(record_->record);
    if (!publications.ok()) return publications.status();
    EXPECT_EQ(publications->owner, world_->publisher->public_key().id());
    return fetcher_->ProvePublication(record_->record, publications->rows.at(0));
  };
  EXPECT_TRUE(prove().ok()) << prove();
  lies().record = [](v1::GetRecordResponse& r) {
    FlipLast(r.mutable_publications(0)->mutable_manifest());
  };
  EXPECT_TRUE(absl::IsDataLoss(prove()));
  lies().record = [](v1::GetRecordResponse& r) { r.mutable_publications(0)->set_index(0); };
  EXPECT_TRUE(absl::IsDataLoss(prove()));
  lies().record = [](v1::GetRecordResponse& r) {
    FlipLast(r.mutable_publications(0)->mutable_signer());
  };
  EXPECT_TRUE(absl::IsDataLoss(prove()));
  lies().record = [](v1::GetRecordResponse& r) {
    r.mutable_publications(0)->mutable_signer()->pop_back();
  };
  EXPECT_TRUE(absl::IsDataLoss(prove()));
  lies().Clear();
  EXPECT_TRUE(absl::IsNotFound(fetcher_->GetRecord(Sha256("absent")).status()));
}

TEST_F(LyingServerTest, KeysAndPrefixesThatAreNone) {
  lies().keys = [](v1::ListKeysResponse& r) { FlipLast(r.mutable_keys(0)->mutable_spki()); };
  EXPECT_TRUE(absl::IsDataLoss(fetcher_->ListKeys().status()));
  lies().keys = [](v1::ListKeysResponse& r) { r.set_next_page_token("again"); };
  EXPECT_FALSE(fetcher_->ListKeys().ok());
  const std::string hex = record_->record.ToHex().substr(0, 10);
  EXPECT_EQ(fetcher_->ResolvePrefix(hex)->digests.at(0), record_->record);
  lies().prefix = [](v1::ResolvePrefixResponse& r) {
    r.set_digests(0, std::string(Sha256("other").bytes()));
  };
  EXPECT_TRUE(absl::IsDataLoss(fetcher_->ResolvePrefix(hex).status()));
}

TEST_F(LyingServerTest, ReceiptsThatProveNothing) {
  const auto publish = [&] {
    const Answers answers = Publish({StatementOf(0, 4)});
    EXPECT_TRUE(answers.by_tag[0].has_value());
    EXPECT_EQ(answers.by_tag[0]->status().code(), answers.flushed.code());
    return answers.flushed;
  };
  EXPECT_TRUE(publish().ok());
  v1::PublishResponse other;
  lies().published = [&](v1::PublishResponse& r) { other = r; };
  ASSERT_TRUE(Publish({StatementOf(4, 8)}).flushed.ok());
  lies().published = [&](v1::PublishResponse& r) {
    r.set_checkpoint(other.checkpoint());
    *r.mutable_results(0)->mutable_receipt() = other.results(0).receipt();
  };
  EXPECT_TRUE(absl::IsDataLoss(publish())) << "a valid receipt for another statement";
  lies().published = [](v1::PublishResponse& r) {
    FlipLast(r.mutable_results(0)->mutable_receipt()->mutable_leaf());
  };
  EXPECT_TRUE(absl::IsDataLoss(publish()));
  lies().published = [](v1::PublishResponse& r) {
    FlipLast(r.mutable_results(0)->mutable_receipt()->mutable_proof());
  };
  EXPECT_TRUE(absl::IsDataLoss(publish()));
  lies().published = [](v1::PublishResponse& r) {
    r.mutable_results(0)->mutable_receipt()->mutable_proof()->pop_back();
  };
  EXPECT_TRUE(absl::IsDataLoss(publish())) << "not whole hashes";
  lies().published = [](v1::PublishResponse& r) {
    r.mutable_results(0)->mutable_receipt()->mutable_proof()->append(32, 'x');
  };
  EXPECT_TRUE(absl::IsDataLoss(publish())) << "a hash too many";
  lies().published = [](v1::PublishResponse& r) {
    r.mutable_results(0)->mutable_receipt()->set_index(1);
  };
  EXPECT_TRUE(absl::IsDataLoss(publish()));
  lies().published = [](v1::PublishResponse& r) { r.clear_checkpoint(); };
  EXPECT_TRUE(absl::IsDataLoss(publish()));
  lies().published = [&](v1::PublishResponse& r) { r.set_checkpoint(Forge(1, "x")); };
  EXPECT_TRUE(absl::IsDataLoss(publish()));
  lies().published = [](v1::PublishResponse& r) { r.mutable_results(0)->set_tag(77); };
  EXPECT_TRUE(absl::IsDataLoss(publish()));
  lies().Clear();  // what the lies use goes now
}

class FirstContactTest : public LyingServerTest {
 protected:
  absl::Status Contact(const std::string& state) const {
    TrustOptions trust;
    trust.state_dir = world_->folder.path() / state;
    return MakeContact(*connection_, trust).status();
  }
  absl::Status ContactWithPolicy() const { return Reach(*connection_).status(); }
};

TEST_F(FirstContactTest, PinsOnlyWhatIsProven) {
  lies().info = [](v1::GetServerInfoResponse& r) { FlipLast(r.mutable_genesis_leaf_hash()); };
  EXPECT_TRUE(absl::IsDataLoss(Contact("liar")));
  lies().info = [](v1::GetServerInfoResponse& r) { r.set_genesis_leaf_hash("short"); };
  EXPECT_TRUE(absl::IsDataLoss(Contact("liar")));
  const PrivateKey other = *PrivateKey::Generate(KeyAlgorithm::kEd25519);
  const std::string vkey = NoteVerifier::Make("test.example/log", other.public_key())->ToVkey();
  lies().info = [&](v1::GetServerInfoResponse& r) { r.set_log_vkey(vkey); };
  EXPECT_TRUE(absl::IsDataLoss(Contact("liar")));
  lies().info = [](v1::GetServerInfoResponse& r) { r.set_origin("other.example"); };
  EXPECT_TRUE(absl::IsDataLoss(Contact("liar")));
  EXPECT_TRUE(absl::IsDataLoss(ContactWithPolicy()));
  lies().Clear();
  lies().entry = [](v1::GetEntryResponse& r) { FlipLast(r.mutable_proof(0)); };
  EXPECT_TRUE(absl::IsDataLoss(Contact("liar")));
  EXPECT_FALSE(std::filesystem::exists(world_->folder.path() / "liar" / "pins"));
  lies().Clear();
  EXPECT_TRUE(Contact("honest").ok());
  EXPECT_TRUE(std::filesystem::exists(world_->folder.path() / "honest" / "pins"));
  lies().Clear();  // what the lies use goes now
}

TEST_F(FirstContactTest, AnotherEntryIsNoGenesis) {
  // Key and checkpoint are the log's own; only entry 0 is another one, with its true proof.
  v1::GetEntryResponse second;
  lies().entry = [&](v1::GetEntryResponse& r) { second = r; };
  ASSERT_TRUE(fetcher_->GetEntry(EntryIndex(1)).ok());
  lies().entry = [&](v1::GetEntryResponse& r) { r = second; };
  lies().info = [&](v1::GetServerInfoResponse& r) {
    r.set_genesis_leaf_hash(std::string(LeafHash(second.leaf()).bytes()));
  };
  EXPECT_TRUE(absl::IsDataLoss(Contact("liar2")));
  lies().Clear();  // what the lies use goes now
}

TEST_F(FirstContactTest, APinnedServerMayNotChange) {
  ASSERT_TRUE(Contact("pinned").ok());
  ASSERT_TRUE(Contact("pinned").ok());
  lies().info = [](v1::GetServerInfoResponse& r) { FlipLast(r.mutable_genesis_leaf_hash()); };
  const absl::Status status = Contact("pinned");
  EXPECT_TRUE(absl::IsDataLoss(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("remove line 1 of "));
}

}  // namespace
}  // namespace stele::client
