// Folders: what is made, what is refused, and that nothing half-made is ever taken for new.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/base/refusal.h"
#include "core/crypto/key.h"
#include "store/log/guard.h"
#include "store/store.h"
#include "store/store_folder.h"
#include "tests/support/store/store_test_base.h"

namespace stele::store {
namespace {

namespace fs = std::filesystem;
using testing::Engine;
using testing::kOrigin;
using testing::SignPublication;
using testing::TempDir;
using testing::TestKey;
using testing::TestManifest;

unsigned ModeOf(const fs::path& path) {
  struct ::stat info {};
  EXPECT_EQ(::stat(path.c_str(), &info), 0) << path;
  return info.st_mode & 07777;
}

std::string Read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

CreateOptions Creation(const fs::path& dir) {
  return {.dir = dir,
          .guard = {},
          .origin = kOrigin,
          .log_key = TestKey("log"),
          .operator_key = TestKey("operator"),
          .recovery_keys = {},
          .clock = {}};
}

absl::StatusOr<std::unique_ptr<Store>> OpenIn(const fs::path& dir, bool accept_no_guard = false,
                                              const fs::path& guard = {}) {
  OpenOptions options = testing::StoreHome::Options();
  options.dir = dir;
  options.guard = guard;
  options.accept_no_guard = accept_no_guard;
  return Store::Open(options);
}

TEST(Folder, WhatIsMade) {
  TempDir temp;
  const fs::path dir = temp.path() / "store";
  ASSERT_EQ(CreateStore(Creation(dir)), absl::OkStatus());
  EXPECT_EQ(ModeOf(dir), 0700u);
  EXPECT_EQ(ModeOf(dir / "log.key"), 0600u);
  EXPECT_EQ(PrivateKey::FromPem(Read(dir / "log.key"))->public_key().id(),
            TestKey("log").public_key().id());
  const auto verifier = NoteVerifier::Make(kOrigin, TestKey("log").public_key());
  EXPECT_EQ(Read(dir / "policy"), "log " + verifier->ToVkey() + "\nquorum none\n");
  EXPECT_TRUE(fs::exists(temp.path() / "store.guard"));
  const auto store = OpenIn(dir);
  ASSERT_TRUE(store.ok()) << store.status();
  EXPECT_EQ((*store)->origin(), kOrigin);
  EXPECT_EQ((*store)->log_verifier().ToVkey(), verifier->ToVkey());
  EXPECT_EQ(testing::CheckStore(**store), absl::OkStatus());
}

TEST(Folder, ATrailingSlashIsTheSameStore) {
  TempDir temp;
  ASSERT_EQ(CreateStore(Creation(temp.path() / "store/")), absl::OkStatus());
  EXPECT_TRUE(fs::exists(temp.path() / "store.guard"));
  EXPECT_TRUE(OpenIn(temp.path() / "store").ok());
  EXPECT_TRUE(OpenIn(temp.path() / "store/").ok());
  EXPECT_TRUE(OpenIn(temp.path() / "store/.").ok());
}

TEST(Folder, NothingThere) {
  TempDir temp;
  EXPECT_TRUE(absl::IsNotFound(OpenIn(temp.path() / "none").status()));
  EXPECT_TRUE(absl::IsNotFound(OpenIn(temp.path()).status()));
  std::ofstream(temp.path() / "letter.txt") << "dear";
  EXPECT_TRUE(absl::IsNotFound(OpenIn(temp.path()).status()));
  EXPECT_TRUE(absl::IsAlreadyExists(CreateStore(Creation(temp.path()))));
  EXPECT_FALSE(fs::exists(temp.path() / "log.key"));
}

TEST(Folder, AStoreIsNeverMadeOverAnother) {
  TempDir temp;
  const fs::path dir = temp.path() / "store";
  ASSERT_EQ(CreateStore(Creation(dir)), absl::OkStatus());
  EXPECT_TRUE(absl::IsAlreadyExists(CreateStore(Creation(dir))));
  fs::remove_all(dir);
  // Its guard says that there was one.
  EXPECT_TRUE(absl::IsAlreadyExists(CreateStore(Creation(dir))));
  EXPECT_FALSE(fs::exists(dir));
  EXPECT_TRUE(OpenIn(temp.path() / "store").status().code() == absl::StatusCode::kNotFound);
}

TEST(Folder, WhatCannotBeIsRefusedBeforeAnythingIsMade) {
  TempDir temp;
  const fs::path dir = temp.path() / "store";
  CreateOptions bad_origin = Creation(dir);
  bad_origin.origin = "a b";
  EXPECT_TRUE(absl::IsInvalidArgument(CreateStore(bad_origin)));
  CreateOptions twice = Creation(dir);
  twice.recovery_keys = {TestKey("operator").public_key()};
  EXPECT_EQ(ReasonOf(CreateStore(twice)), reason::kDuplicateKey);
  CreateOptions ecdsa = Creation(dir);
  ecdsa.log_key = *PrivateKey::Generate(KeyAlgorithm::kEcdsaP256);
  EXPECT_FALSE(CreateStore(ecdsa).ok());
  EXPECT_FALSE(fs::exists(dir));
  EXPECT_TRUE(absl::IsNotFound(CreateStore(Creation(temp.path() / "no" / "such"))));
}

// The steps of creation, undone from the end: what a crash at each of them leaves.
TEST(Folder, ACrashAtAnyStepOfCreationIsNeverTakenForNew) {
  TempDir temp;
  const StorePaths paths = PathsOf(temp.path() / "store", {});
  ASSERT_EQ(CreateStore(Creation(paths.dir)), absl::OkStatus());
  for (const fs::path& last : {paths.format, paths.guard, paths.policy, paths.db}) {
    fs::remove_all(last);
    EXPECT_TRUE(absl::IsFailedPrecondition(OpenIn(paths.dir).status())) << last;
    EXPECT_TRUE(absl::IsFailedPrecondition(OpenIn(paths.dir, true).status())) << last;
    EXPECT_TRUE(absl::IsAlreadyExists(CreateStore(Creation(paths.dir)))) << last;
  }
  fs::remove_all(paths.log_key);
  EXPECT_TRUE(absl::IsNotFound(OpenIn(paths.dir).status()));
  EXPECT_EQ(CreateStore(Creation(paths.dir)), absl::OkStatus());
}

TEST(Folder, AnotherVersionIsRefused) {
  TempDir temp;
  const fs::path dir = temp.path() / "store";
  ASSERT_EQ(CreateStore(Creation(dir)), absl::OkStatus());
  std::ofstream(dir / "format") << "stele store v2\n";
  EXPECT_TRUE(absl::IsFailedPrecondition(OpenIn(dir).status()));
}

TEST(Folder, TheLogsOwnKeyIsNeeded) {
  TempDir temp;
  const fs::path dir = temp.path() / "store";
  ASSERT_EQ(CreateStore(Creation(dir)), absl::OkStatus());
  fs::remove(dir / "log.key");
  EXPECT_TRUE(absl::IsFailedPrecondition(OpenIn(dir).status()));
  std::ofstream(dir / "log.key") << "no key";
  EXPECT_TRUE(absl::IsFailedPrecondition(OpenIn(dir).status()));
  std::ofstream(dir / "log.key") << TestKey("another log").ToPem();
  const absl::Status another = OpenIn(dir).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(another)) << another;
}

TEST(Folder, OnlyOneProcessHoldsAStore) {
  TempDir temp;
  const fs::path dir = temp.path() / "store";
  ASSERT_EQ(CreateStore(Creation(dir)), absl::OkStatus());
  auto first = OpenIn(dir);
  ASSERT_TRUE(first.ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(OpenIn(dir).status()));
  first->reset();
  EXPECT_TRUE(OpenIn(dir).ok());
}

}  // namespace
}  // namespace stele::store
