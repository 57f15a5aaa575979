#include "tools/command/key_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/support/shared.h"
#include "tests/support/store/temp_dir.h"
#include "tools/command/exit_code.h"

namespace stele::tools {
namespace {

TEST(KeyFileTest, WritesAPairThatReadsBack) {
  const testing::TempDir dir;
  for (KeyAlgorithm algorithm : {KeyAlgorithm::kEd25519, KeyAlgorithm::kEcdsaP256}) {
    const std::filesystem::path path = dir.path() / std::string(KeyAlgorithmName(algorithm));
    const PrivateKey key = *PrivateKey::Generate(algorithm);
    ASSERT_TRUE(WriteKeyPair(path, key).ok());
    EXPECT_EQ(ReadPrivateKey(path)->public_key().id(), key.public_key().id());
    EXPECT_EQ(ReadPublicKey(PublicKeyPath(path))->id(), key.public_key().id());
    struct stat info {};
    ASSERT_EQ(::stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600u);
  }
}

TEST(KeyFileTest, NeverOverwritesEitherFile) {
  const testing::TempDir dir;
  const PrivateKey key = *PrivateKey::Generate(KeyAlgorithm::kEd25519);
  std::ofstream(dir.path() / "a") << "mine";
  EXPECT_EQ(WriteKeyPair(dir.path() / "a", key).code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(testing::ReadFile(dir.path() / "a"), "mine");
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "a.pub"));
  std::ofstream(dir.path() / "b.pub") << "mine";
  EXPECT_EQ(WriteKeyPair(dir.path() / "b", key).code(), absl::StatusCode::kAlreadyExists);
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "b"));
}

TEST(KeyFileTest, WhatIsNoKeyIsAUsageErrorThatQuotesNothing) {
  const testing::TempDir dir;
  std::ofstream(dir.path() / "secret") << "my password";
  for (const absl::Status& status : {ReadPrivateKey(dir.path() / "secret").status(),
                                     ReadPublicKey(dir.path() / "secret").status(),
                                     ReadPrivateKey(dir.path() / "absent").status()}) {
    EXPECT_EQ(ExitCodeOf(status), 2);
    EXPECT_EQ(std::string(status.message()).find("password"), std::string::npos);
    EXPECT_NE(std::string(status.message()).find(dir.path().string()), std::string::npos);
  }
}

}  // namespace
}  // namespace stele::tools
