// What is kept between runs, and what it is held against: trees in memory, the files real.
#include "client/checkpoint_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "core/base/client_limits.h"
#include "core/crypto/sha256.h"
#include "tests/core/merkle/leaf_reader.h"
#include "tests/support/shared.h"
#include "tests/support/store/temp_dir.h"

namespace stele::client {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kOrigin[] = "log.example/x";
constexpr size_t kLeaves = 300;

// A log that signs every one of its trees, and a server of it.
struct TestLog {
  explicit TestLog(char seed = 'l', size_t forked_at = kLeaves)
      : key(*PrivateKey::FromEd25519Seed(std::string(32, seed))),
        verifier(*NoteVerifier::Make(kOrigin, key.public_key())),
        leaves(testing::TestLeafHashes(kLeaves)) {
    for (size_t i = forked_at; i < kLeaves; ++i) leaves[i] = Sha256("another history");
  }
  Checkpoint At(uint64_t size) const {
    return {kOrigin, TreeSize(size), testing::TreeHash(leaves, 0, size), {}};
  }
  std::string NoteAt(uint64_t size) const { return *SignCheckpoint(At(size), verifier, key); }
  absl::StatusOr<Proof> Prove(TreeSize from, TreeSize to) const {
    if (to.value() > served) return absl::OutOfRangeError("the log is not that large");
    return MakeConsistencyProof(testing::LeafReader(leaves), from, to);
  }

  PrivateKey key;
  NoteVerifier verifier;
  std::vector<Hash> leaves;
  uint64_t served = kLeaves;
};

class CheckpointHistoryTest : public ::testing::Test {
 protected:
  using History = std::unique_ptr<CheckpointHistory>;

  absl::StatusOr<History> TryOpen(const TestLog& log) {
    return CheckpointHistory::Open(
        files_, {log.verifier},
        [this, &log](TreeSize from, TreeSize to) -> absl::StatusOr<Proof> {
          ++proofs_;
          if (!trouble_.ok()) return trouble_;
          return log.Prove(from, to);
        },
        [this](std::string_view sentence) { said_.emplace_back(sentence); });
  }
  History Open(const TestLog& log) {
    absl::StatusOr<History> history = TryOpen(log);
    EXPECT_TRUE(history.ok()) << history.status();
    return *std::move(history);
  }
  static absl::Status Join(const History& history, const TestLog& log, uint64_t size) {
    return history->Join(log.NoteAt(size), log.At(size));
  }
  std::vector<uint64_t> Kept() const {
    std::vector<uint64_t> sizes;
    const auto kept = files_.Load();
    EXPECT_TRUE(kept.ok()) << kept.status();
    for (const KeptCheckpoint& one : *kept) sizes.push_back(one.size.value());
    return sizes;
  }
  // The one text about a contradiction that was put aside.
  std::string Aside() const {
    std::string text;
    std::error_code error;
    for (const auto& entry :
         std::filesystem::directory_iterator(state_ / "contradictions", error)) {
      if (entry.path().extension() == ".txt") text += testing::ReadFile(entry.path());
    }
    return text;
  }
  // The refusal has both notes, and so has the file.
  void ExpectContradiction(const absl::Status& status, const std::string& kept,
                           const std::string& shown) const {
    EXPECT_TRUE(absl::IsDataLoss(status)) << status;
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr(kept), HasSubstr(shown), HasSubstr(files_.folder().string())));
    EXPECT_THAT(Aside(), AllOf(HasSubstr(kept), HasSubstr(shown)));
  }

  testing::TempDir dir_;
  const std::filesystem::path state_ = dir_.path() / "state";
  const CheckpointFiles files_{state_, kOrigin};
  const TestLog log_;
  int proofs_ = 0;
  absl::Status trouble_;
  std::vector<std::string> said_;
};

TEST_F(CheckpointHistoryTest, TheFirstCheckpointIsKeptAsItCame) {
  EXPECT_TRUE(Join(Open(log_), log_, 5).ok());
  EXPECT_EQ(proofs_, 0);
  EXPECT_EQ(testing::ReadFile(state_ / "checkpoints" / Sha256(kOrigin).ToHex() / "5"),
            log_.NoteAt(5));
  EXPECT_THAT(said_, IsEmpty());
}

TEST_F(CheckpointHistoryTest, ALaterRunProvesGrowth) {
  for (const uint64_t size : {1u, 5u, 5u, 8u, 255u, 256u, 300u}) {
    EXPECT_TRUE(Join(Open(log_), log_, size).ok()) << size;
  }
  EXPECT_EQ(proofs_, 5);
  EXPECT_THAT(Kept(), ElementsAre(1, 5, 8, 255, 256, 300));
  EXPECT_THAT(said_, IsEmpty());
}

TEST_F(CheckpointHistoryTest, WhatOneRunMeetsIsKeptByItsEnd) {
  {
    const History history = Open(log_);
    for (uint64_t size = 10; size < 20; ++size) EXPECT_TRUE(Join(history, log_, size).ok());
  }
  EXPECT_EQ(Kept().back(), 19u);
}

TEST_F(CheckpointHistoryTest, AForkIsRefusedWithBothSides) {
  ASSERT_TRUE(Join(Open(log_), log_, 100).ok());
  const TestLog fork('l', 99);
  for (const uint64_t size : {100u, 101u, 300u}) {
    ExpectContradiction(Join(Open(fork), fork, size), log_.NoteAt(100), fork.NoteAt(size));
  }
  EXPECT_THAT(Kept(), ElementsAre(100));
  // The log itself is as good as before.
  EXPECT_TRUE(Join(Open(log_), log_, 101).ok());
}

TEST_F(CheckpointHistoryTest, AForkWithinOneRunIsRefused) {
  const TestLog fork('l', 99);
  const History history = Open(fork);
  ASSERT_TRUE(Join(history, log_, 100).ok());
  EXPECT_TRUE(absl::IsDataLoss(Join(history, fork, 150)));
  EXPECT_TRUE(absl::IsDataLoss(Join(history, fork, 100)));
  EXPECT_TRUE(Join(history, log_, 100).ok());
}

TEST_F(CheckpointHistoryTest, AnOlderHeadIsStaleWhereItIsProvenToBeABeginning) {
  ASSERT_TRUE(Join(Open(log_), log_, 100).ok());
  {
    const History history = Open(log_);
    EXPECT_TRUE(Join(history, log_, 70).ok());
    EXPECT_TRUE(Join(history, log_, 71).ok());
  }
  ASSERT_EQ(said_.size(), 1u) << "told once";
  EXPECT_THAT(said_[0], AllOf(HasSubstr("stale"), HasSubstr(" 70 entries"), HasSubstr("100 were")));
  EXPECT_THAT(Kept(), ElementsAre(100)) << "the larger one stays";
  const TestLog fork('l', 60);
  ExpectContradiction(Join(Open(fork), fork, 70), log_.NoteAt(100), fork.NoteAt(70));
}

// A server that was put back has not the larger tree: only what was kept says that its head is old.
TEST_F(CheckpointHistoryTest, AServerThatWasPutBackIsStaleAtAHeadThatWasKept) {
  ASSERT_TRUE(Join(Open(log_), log_, 70).ok());
  ASSERT_TRUE(Join(Open(log_), log_, 100).ok());
  TestLog old;
  old.served = 70;
  EXPECT_TRUE(Join(Open(old), old, 70).ok());
  ASSERT_EQ(said_.size(), 1u);
  EXPECT_THAT(said_[0], HasSubstr("stale"));
  old.served = 71;
  ExpectContradiction(Join(Open(old), old, 71), log_.NoteAt(100), old.NoteAt(71));
}

TEST_F(CheckpointHistoryTest, AFalseProofIsNone) {
  ASSERT_TRUE(Join(Open(log_), log_, 100).ok());
  const auto history = CheckpointHistory::Open(
      files_, {log_.verifier},
      [&](TreeSize from, TreeSize to) -> absl::StatusOr<Proof> {
        Proof proof = *log_.Prove(from, to);
        proof.pop_back();
        return proof;
      },
      nullptr);
  ASSERT_TRUE(history.ok());
  EXPECT_TRUE(absl::IsDataLoss(Join(*history, log_, 150)));
  EXPECT_THAT(Kept(), ElementsAre(100));
}

TEST_F(CheckpointHistoryTest, WhatCannotBeProvenNowIsNeitherKeptNorALie) {
  ASSERT_TRUE(Join(Open(log_), log_, 100).ok());
  const History history = Open(log_);
  for (const absl::Status& trouble :
       {absl::UnavailableError("gone"), absl::DeadlineExceededError("late"),
        absl::ResourceExhaustedError("busy")}) {
    trouble_ = trouble;
    EXPECT_EQ(Join(history, log_, 150), trouble);
  }
  EXPECT_THAT(Kept(), ElementsAre(100));
  trouble_ = absl::UnimplementedError("no proofs here");
  EXPECT_TRUE(absl::IsDataLoss(Join(history, log_, 150)));
  trouble_ = absl::OkStatus();
  EXPECT_TRUE(Join(history, log_, 150).ok());
}

TEST_F(CheckpointHistoryTest, OnlyTheNewestAreKept) {
  for (uint64_t size = 1; size <= limits::kKeptCheckpoints + 10; ++size) {
    ASSERT_TRUE(Join(Open(log_), log_, size).ok());
  }
  const std::vector<uint64_t> kept = Kept();
  EXPECT_EQ(kept.size(), limits::kKeptCheckpoints);
  EXPECT_EQ(kept.back(), limits::kKeptCheckpoints + 10);
}

// Each process opened before the other one kept anything.
TEST_F(CheckpointHistoryTest, OfTwoProcessesTheLargerOneStays) {
  ASSERT_TRUE(Join(Open(log_), log_, 50).ok());
  const History one = Open(log_);
  const History two = Open(log_);
  ASSERT_TRUE(Join(one, log_, 200).ok());
  EXPECT_TRUE(Join(two, log_, 100).ok());
  EXPECT_THAT(Kept(), ElementsAre(50, 200));
  EXPECT_TRUE(Join(two, log_, 100).ok());
}

TEST_F(CheckpointHistoryTest, ASplitViewBetweenTwoProcessesIsFound) {
  ASSERT_TRUE(Join(Open(log_), log_, 50).ok());
  const TestLog fork('l', 60);
  const History one = Open(log_);
  const History two = Open(fork);
  ASSERT_TRUE(Join(one, log_, 100).ok());
  EXPECT_TRUE(absl::IsDataLoss(Join(two, fork, 120)));
  EXPECT_THAT(Kept(), ElementsAre(50, 100));
}

TEST_F(CheckpointHistoryTest, ManyThreadsOneHistory) {
  {
    const History history = Open(log_);
    std::vector<std::thread> threads;
    for (uint64_t first = 1; first <= 4; ++first) {
      threads.emplace_back([&, first] {
        for (uint64_t size = first; size <= 40; size += 4) {
          EXPECT_TRUE(Join(history, log_, size).ok());
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(Kept().back(), 40u);
}

TEST_F(CheckpointHistoryTest, WhatIsKeptMustBeTheLogs) {
  ASSERT_TRUE(Join(Open(log_), log_, 100).ok());
  const TestLog other('o');
  const absl::Status another = TryOpen(other).status();
  EXPECT_TRUE(absl::IsDataLoss(another));
  EXPECT_THAT(std::string(another.message()), HasSubstr(files_.folder().string()));
  // A file under another size, and one that is damaged.
  std::ofstream(files_.PathOf(TreeSize(101)), std::ios::binary) << log_.NoteAt(100);
  EXPECT_TRUE(absl::IsFailedPrecondition(TryOpen(log_).status()));
  std::ofstream(files_.PathOf(TreeSize(101)), std::ios::binary) << log_.NoteAt(101).substr(0, 40);
  const absl::Status damaged = TryOpen(log_).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(damaged));
  EXPECT_THAT(std::string(damaged.message()), HasSubstr(files_.PathOf(TreeSize(101)).string()));
}

TEST_F(CheckpointHistoryTest, WhatCannotBeKeptIsTold) {
  std::filesystem::create_directories(state_);
  std::ofstream(state_ / "checkpoints") << "a file where the folder should be";
  // Not even read: then nothing is known of what was kept.
  EXPECT_FALSE(TryOpen(log_).ok());
  std::filesystem::remove(state_ / "checkpoints");
  const History history = Open(log_);
  std::ofstream(state_ / "checkpoints") << "a file where the folder should be";
  EXPECT_TRUE(Join(history, log_, 5).ok());
  ASSERT_EQ(said_.size(), 1u);
  EXPECT_THAT(said_[0], HasSubstr("not kept"));
}

}  // namespace
}  // namespace stele::client
