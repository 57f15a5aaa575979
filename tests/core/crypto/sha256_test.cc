#include "core/crypto/sha256.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace stele {
namespace {

// FIPS 180-4 examples.
constexpr char kEmpty[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr char kAbc[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr char kTwoBlocks[] = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
constexpr char kMillion[] = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

TEST(Sha256, KnownAnswers) {
  EXPECT_EQ(Sha256("").ToHex(), kEmpty);
  EXPECT_EQ(Sha256("abc").ToHex(), kAbc);
  EXPECT_EQ(Sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq").ToHex(), kTwoBlocks);
  EXPECT_EQ(Sha256(std::string(1000000, 'a')).ToHex(), kMillion);
}

TEST(Sha256, PartsAreTheirConcatenation) {
  EXPECT_EQ(Sha256({}).ToHex(), kEmpty);
  EXPECT_EQ(Sha256({"a", "", "bc"}).ToHex(), kAbc);
}

TEST(Sha256, StreamOfAnyCutIsTheSame) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) bytes += static_cast<char>(i);
  for (size_t cut = 0; cut <= bytes.size(); ++cut) {
    Sha256Stream stream;
    stream.Update(std::string_view(bytes).substr(0, cut));
    Sha256Stream moved(std::move(stream));
    moved.Update(std::string_view(bytes).substr(cut));
    EXPECT_EQ(moved.Finish(), Sha256(bytes)) << cut;
  }
}

TEST(Sha256, StreamsAndOneShotsDoNotMix) {
  Sha256Stream stream;
  stream.Update("a");
  EXPECT_EQ(Sha256("abc").ToHex(), kAbc);
  Sha256Stream other;
  other.Update("abc");
  stream.Update("bc");
  EXPECT_EQ(other.Finish().ToHex(), kAbc);
  EXPECT_EQ(stream.Finish().ToHex(), kAbc);
}

TEST(Sha256, ThreadsDoNotShareState) {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&wrong, t] {
      for (int i = 0; i < 2000; ++i) wrong[t] += Sha256("abc").ToHex() != kAbc;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

}  // namespace
}  // namespace stele
