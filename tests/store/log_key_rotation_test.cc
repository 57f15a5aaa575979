// A log key is replaced: who signs when, and what a server does that lacks a key.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/tlog/checkpoint.h"
#include "tests/support/store/store_test_base.h"

namespace stele::store {
namespace {

using testing::AddLogKey;
using testing::SignPublication;
using testing::TestKey;
using testing::TestManifest;
using testing::TestVkey;
using Names = std::vector<std::string>;

class RotationTest : public testing::StoreTestBase,
                     public ::testing::WithParamInterface<testing::Engine> {
 protected:
  RotationTest() : StoreTestBase(GetParam()) {}

  void OpenWith(const Names& further) {
    Close();
    OpenOptions options = testing::StoreHome::Options();
    for (const std::string& name : further) options.further_log_keys.push_back(TestKey(name));
    options.log = [this](std::string_view severity, std::string_view message) {
      MutexLock lock(mutex_);
      if (severity != "info") said_.emplace_back(message);
    };
    Open(std::move(options));
  }
  // "appended at N", "replay of N", or the reason.
  std::string Said(const absl::StatusOr<Receipt>& result) {
    if (!result.ok()) return ReasonOf(result.status());
    return (result->replayed ? "replay of " : "appended at ") +
           std::to_string(result->index.value());
  }
  // The receipt is verified with the key of this name, the server's own if it is empty.
  std::string Say(const PublishItem& item, std::string_view signer = {}) {
    if (signer.empty()) return Said(PublishOne(item));
    const auto sink =
        std::make_shared<testing::CollectSink>(*NoteVerifier::FromVkey(TestVkey(signer)));
    store_->Publish({item}, sink);
    const std::string said = Said(sink->Wait(1).front().result);
    EXPECT_EQ(sink->fault(), absl::OkStatus());
    return said;
  }
  std::string SayOne(int n, std::string_view signer = {}) {
    return Say(SignPublication(TestManifest(n), operator_), signer);
  }
  // Who signed the head.
  Names Signers() const {
    std::vector<NoteVerifier> all;
    const Names names = {"log", "new log key", "third log key"};
    for (const std::string& name : names) all.push_back(*NoteVerifier::FromVkey(TestVkey(name)));
    const auto opened = OpenCheckpoint(Reader()->head().checkpoint, all);
    EXPECT_TRUE(opened.ok()) << opened.status();
    Names signers;
    for (const std::string& name : names) {
      for (const std::string& vkey : opened->signers) {
        if (vkey == TestVkey(name)) signers.push_back(name);
      }
    }
    return signers;
  }
  // Was this vkey named to the operator?
  bool WasNamed(std::string_view name) {
    MutexLock lock(mutex_);
    for (const std::string& line : said_) {
      if (line.find(TestVkey(name)) != std::string::npos) return true;
    }
    return false;
  }
  // At index 1: both keys sign at size 6, from 7 on the new one alone.
  void Rotate() {
    ASSERT_EQ(
        Say(testing::Sign(AddLogKey("new log key", TreeSize{6}, {{TestVkey("log"), TreeSize{6}}}),
                          operator_)),
        "appended at 1");
  }

  Mutex mutex_;
  Names said_ STELE_GUARDED_BY(mutex_);
};

TEST_P(RotationTest, EveryKeyThatIsDueSigns) {
  OpenWith({"new log key"});
  Rotate();
  EXPECT_FALSE(WasNamed("new log key"));
  for (int n = 2; n < 8; ++n) {
    EXPECT_EQ(SayOne(n), "appended at " + std::to_string(n));
    EXPECT_EQ(Signers(), n < 5    ? Names{"log"}
                         : n == 5 ? (Names{"log", "new log key"})
                                  : Names{"new log key"});
    EXPECT_EQ(store_->log_verifier().ToVkey(), TestVkey(n < 5 ? "log" : "new log key"));
  }
  OpenWith({"new log key"});
  EXPECT_EQ(SayOne(8), "appended at 8");
  EXPECT_EQ(Signers(), Names{"new log key"});
}

TEST_P(RotationTest, WithoutTheNewKeyPublishingEndsBeforeItWouldCountForNothing) {
  OpenWith({});
  Rotate();
  EXPECT_TRUE(WasNamed("new log key"));
  EXPECT_EQ(SayOne(2), "appended at 2");
  EXPECT_EQ(SayOne(3), "appended at 3");
  EXPECT_TRUE(store_->write_state().ok());
  // What there is room for goes in, also if it comes with more.
  Names said;
  for (const auto& [tag, result] : Publish({SignPublication(TestManifest(4), operator_, 0),
                                            SignPublication(TestManifest(5), operator_, 1),
                                            SignPublication(TestManifest(6), operator_, 2)})) {
    said.push_back(Said(result));
  }
  std::sort(said.begin(), said.end());
  EXPECT_EQ(said, (Names{"LOG_KEY_MISSING", "appended at 4", "appended at 5"}));
  EXPECT_EQ(ReasonOf(store_->write_state()), reason::kLogKeyMissing);
  EXPECT_EQ(SayOne(7), "LOG_KEY_MISSING");
  EXPECT_EQ(SayOne(2), "replay of 2");
  EXPECT_EQ(TreeSizeNow(), 6u);
  EXPECT_EQ(Signers(), Names{"log"});
  // A restart says the same at once, and with the key it goes on.
  OpenWith({});
  EXPECT_EQ(ReasonOf(store_->write_state()), reason::kLogKeyMissing);
  EXPECT_EQ(SayOne(7), "LOG_KEY_MISSING");
  OpenWith({"new log key"});
  EXPECT_TRUE(store_->write_state().ok());
  EXPECT_EQ(SayOne(7, "new log key"), "appended at 6");
  EXPECT_EQ(Signers(), Names{"new log key"});
}

// The statement that brings in a key that is held is signed by it.
TEST_P(RotationTest, AKeyThatIsHeldComesToTheRescue) {
  OpenWith({"third log key"});
  Rotate();
  for (int n = 2; n < 6; ++n) EXPECT_EQ(SayOne(n), "appended at " + std::to_string(n));
  EXPECT_EQ(SayOne(6), "LOG_KEY_MISSING");
  EXPECT_EQ(Say(testing::Sign(AddLogKey("third log key", TreeSize{7}), operator_), "third log key"),
            "appended at 6");
  EXPECT_EQ(Signers(), Names{"third log key"});
  EXPECT_TRUE(store_->write_state().ok());
  OpenWith({"third log key", "new log key"});
  EXPECT_EQ(SayOne(6), "appended at 7");
  EXPECT_EQ(Signers(), (Names{"new log key", "third log key"}));
}

INSTANTIATE_TEST_SUITE_P(Engines, RotationTest,
                         ::testing::Values(testing::Engine::kMemory, testing::Engine::kRocksDb),
                         [](const auto& info) {
                           return std::string(testing::EngineName(info.param));
                         });

}  // namespace
}  // namespace stele::store
