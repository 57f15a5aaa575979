#include "client/pins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <thread>

#include "core/crypto/sha256.h"
#include "tests/support/shared.h"
#include "tests/support/store/temp_dir.h"

namespace stele::client {
namespace {

using ::testing::HasSubstr;

std::string Vkey(const std::string& origin, char seed) {
  const PrivateKey key = *PrivateKey::FromEd25519Seed(std::string(32, seed));
  return NoteVerifier::Make(origin, key.public_key())->ToVkey();
}

Pin MakePin(const std::string& address, char seed = 'a') {
  return Pin{address, "log.example/x", Vkey("log.example/x", seed), Sha256(std::string(1, seed))};
}

TEST(PinTest, LineIsInverse) {
  const Pin pin = MakePin("[::1]:7420");
  EXPECT_EQ(ParsePin(FormatPin(pin)), pin);
  const std::string line = FormatPin(pin);
  EXPECT_EQ(ParsePin(line + " "), std::nullopt);
  EXPECT_EQ(ParsePin(" " + line), std::nullopt);
  EXPECT_EQ(ParsePin(line + " more"), std::nullopt);
  EXPECT_EQ(ParsePin(line.substr(0, line.size() - 1)), std::nullopt);
  EXPECT_EQ(ParsePin("a b c d"), std::nullopt);
  EXPECT_EQ(ParsePin(""), std::nullopt);
}

class PinFileTest : public ::testing::Test {
 protected:
  testing::TempDir dir_;
  const std::filesystem::path state_ = dir_.path() / "deep" / "state";
  const PinFile pins_{state_};

  void Write(const std::string& text) {
    std::filesystem::create_directories(state_);
    std::ofstream(pins_.path()) << text;
  }
};

TEST_F(PinFileTest, KeepsTheFirstPinOfAnAddress) {
  EXPECT_FALSE(pins_.Find("a:1")->has_value());
  EXPECT_EQ(pins_.Add(MakePin("a:1"))->line, 1u);
  EXPECT_EQ(pins_.Add(MakePin("b:1"))->line, 2u);
  absl::StatusOr<PinFile::Found> again = pins_.Add(MakePin("a:1", 'z'));
  EXPECT_EQ(again->pin, MakePin("a:1"));
  EXPECT_EQ(again->line, 1u);
  EXPECT_EQ((*pins_.Find("b:1"))->pin, MakePin("b:1"));
  EXPECT_EQ(testing::ReadFile(pins_.path()),
            FormatPin(MakePin("a:1")) + "\n" + FormatPin(MakePin("b:1")) + "\n");
}

TEST_F(PinFileTest, IsForItsOwnerAlone) {
  ASSERT_TRUE(pins_.Add(MakePin("a:1")).ok());
  struct stat info {};
  ASSERT_EQ(::stat(pins_.path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  ASSERT_EQ(::stat(state_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST_F(PinFileTest, CommentsAndMissingNewlines) {
  Write("# by hand\n\n" + FormatPin(MakePin("a:1")));
  EXPECT_EQ((*pins_.Find("a:1"))->line, 3u);
  EXPECT_EQ(pins_.Add(MakePin("b:1"))->line, 4u);
}

TEST_F(PinFileTest, ALineThatIsNoPinIsNamed) {
  Write(FormatPin(MakePin("a:1")) + "\nnonsense\n");
  EXPECT_TRUE(pins_.Find("a:1")->has_value());
  const absl::Status status = pins_.Find("b:1").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr(pins_.path().string() + ":2"));
}

TEST_F(PinFileTest, ManyAtOnceWriteOnePin) {
  std::vector<std::thread> threads;
  for (char seed = 'a'; seed < 'i'; ++seed) {
    threads.emplace_back([this, seed] { EXPECT_TRUE(pins_.Add(MakePin("a:1", seed)).ok()); });
  }
  for (std::thread& thread : threads) thread.join();
  const std::string text = testing::ReadFile(pins_.path());
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
}

TEST_F(PinFileTest, AMismatchNamesTheLineToRemove) {
  absl::StatusOr<PinFile::Found> pinned = pins_.Add(MakePin("a:1"));
  EXPECT_TRUE(CheckPin(pins_, *pinned, MakePin("a:1")).ok());
  Pin other_genesis = MakePin("a:1");
  other_genesis.genesis = Sha256("other");
  Pin other_key = MakePin("a:1");
  other_key.vkey = Vkey("log.example/x", 'z');
  Pin other_origin = MakePin("a:1");
  other_origin.origin = "log.example/y";
  for (const Pin& seen : {other_genesis, other_key, other_origin}) {
    const absl::Status status = CheckPin(pins_, *pinned, seen);
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("remove line 1 of " + pins_.path().string()));
  }
}

TEST(StateDirTest, FollowsTheEnvironment) {
  const char* xdg = std::getenv("XDG_STATE_HOME");
  const std::string saved = xdg == nullptr ? "" : xdg;
  ::setenv("XDG_STATE_HOME", "/x/state", 1);
  EXPECT_EQ(DefaultStateDir()->string(), "/x/state/stele");
  ::unsetenv("XDG_STATE_HOME");
  EXPECT_THAT(DefaultStateDir()->string(), HasSubstr("/.local/state/stele"));
  if (!saved.empty()) ::setenv("XDG_STATE_HOME", saved.c_str(), 1);
}

}  // namespace
}  // namespace stele::client
