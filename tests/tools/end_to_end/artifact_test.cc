// stele artifact put and get, and get, against a real server that is killed in between.
#include <atomic>
#include <filesystem>
#include <thread>

#include "client/artifacts.h"
#include "core/base/artifact_limits.h"
#include "core/crypto/sha256.h"
#include "core/statement/dsse.h"
#include "tests/support/store/artifacts.h"
#include "tests/tools/end_to_end/served_test.h"

namespace stele::tools {
namespace {

namespace fs = std::filesystem;
using testing::ArtifactBytes;
using ::testing::HasSubstr;
using testing::ReadFile;
using testing::RunProgram;
using testing::RunResult;
using Phase = client::RemoteArtifact::Phase;

constexpr size_t kChunk = limits::kArtifactChunkBytes;

class ArtifactTest : public ServedTest {
 protected:
  ArtifactTest()
      : ServedTest({"--artifact-bytes", "24MiB", "--staged-bytes", "32MiB",
                    // So that most of what came is on the disk at any time.
                    "--write-buffer-bytes", "1MiB"}) {}
  ~ArtifactTest() override {
    EXPECT_EQ(steled_.Stop(), 0);
    const RunResult fsck = RunProgram("stele", {"fsck", steled_.data().string()});
    EXPECT_EQ(fsck.exit_code, 0) << fsck.out << fsck.err;
    steled_.Start();
  }

  RunResult Put(const std::string& path, std::vector<std::string> flags = {}) const {
    flags.insert(flags.begin(), {"artifact", "put", path, "--signer", publisher_});
    return steled_.Stele(flags);
  }
  RunResult Get(const std::string& digest, const std::string& out) const {
    return steled_.Stele({"artifact", "get", digest, "-o", out});
  }
  // The upload of `bytes` as a client of our own, which can be watched.
  client::OutgoingArtifact Outgoing(const std::string& bytes) const {
    const PrivateKey key = *PrivateKey::FromPem(ReadFile(publisher_));
    const std::string payload = FormatStatement(testing::ArtifactPublication({bytes}));
    return {Sha256(bytes), bytes.size(), key.public_key().id(),
            FormatEnvelope(payload, key.public_key().id(), *key.Sign(Pae(payload)))};
  }
  client::ConnectOptions Options() const {
    client::ConnectOptions options;
    options.address = steled_.address();
    options.timeout = std::chrono::minutes(2);
    return options;
  }
  // From a server that was started anew: the connection notices with its first call.
  static absl::StatusOr<client::RemoteArtifact> FindAgain(const client::Connection& connection,
                                                          const Digest& digest) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    for (;;) {
      auto found = client::FindArtifact(connection, digest);
      if (!absl::IsUnavailable(found.status())) return found;
      if (std::chrono::steady_clock::now() > deadline) return found;
    }
  }
  static client::ReadPiece Reading(const std::string& bytes) {
    return [&bytes](uint64_t offset, size_t most) { return bytes.substr(offset, most); };
  }
};

TEST_F(ArtifactTest, PutAndGet) {
  for (size_t size : {size_t{0}, size_t{5}, kChunk + 1, 10 * 1024 * 1024 + size_t{3}}) {
    const std::string bytes = ArtifactBytes(size, size);
    const std::string digest = Sha256(bytes).ToText();
    const std::string path = Write("in", bytes), out = Path("out" + std::to_string(size));
    const RunResult put = Put(path, {"--media-type", "application/x-samples"});
    ASSERT_EQ(put.exit_code, 0) << put.err;
    EXPECT_EQ(put.out, digest + "\n");
    const uint64_t entries = Entries();
    const RunResult again = Put(path, {"--media-type", "application/x-samples", "--json"});
    ASSERT_EQ(again.exit_code, 0) << again.err;
    EXPECT_THAT(again.out, HasSubstr(R"("alreadyThere":true)"));
    EXPECT_THAT(again.out, HasSubstr(digest));
    EXPECT_EQ(Entries(), entries);
    const RunResult get = Get(digest, out);
    ASSERT_EQ(get.exit_code, 0) << get.err;
    EXPECT_EQ(get.out, digest + "\n");
    EXPECT_TRUE(ReadFile(out) == bytes);
    EXPECT_FALSE(fs::exists(out + ".part"));
    // To standard output, whatever the size; by a prefix too.
    const RunResult shown = steled_.Stele({"get", digest.substr(7, 12)});
    ASSERT_EQ(shown.exit_code, 0) << shown.err;
    EXPECT_TRUE(shown.out == bytes);
    EXPECT_EQ(Get(digest, out).exit_code, 0);  // there already
  }
  const std::string policy = (steled_.data() / "policy").string();
  for (const std::string& source : {steled_.address(), "http://" + steled_.http_address()}) {
    const RunResult audit = RunProgram("stele", {"audit", source, "--policy", policy});
    EXPECT_EQ(audit.exit_code, 0) << audit.out << audit.err;
  }
}

TEST_F(ArtifactTest, GetGoesOnWithWhatIsThere) {
  const std::string bytes = ArtifactBytes(1, 9 * 1024 * 1024 + 7);
  const std::string digest = Sha256(bytes).ToText(), out = Path("out");
  ASSERT_EQ(Put(Write("in", bytes)).exit_code, 0);
  std::string wrong = bytes.substr(0, 3 * kChunk);
  wrong[17] ^= 1;
  for (const std::string& part :
       {bytes.substr(0, 3 * kChunk + 100), bytes, wrong, bytes + "and more", std::string()}) {
    Write("out.part", part);
    const RunResult get = Get(digest, out);
    ASSERT_EQ(get.exit_code, 0) << get.err;
    EXPECT_TRUE(ReadFile(out) == bytes) << part.size();
    EXPECT_FALSE(fs::exists(out + ".part"));
    fs::remove(out);
  }
  Write("out", "something else");
  const RunResult refused = Get(digest, out);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("is there already"));
  EXPECT_EQ(ReadFile(out), "something else");
}

TEST_F(ArtifactTest, WhatIsRefusedIsSaid) {
  const std::string large = Write("large", ArtifactBytes(1, 24 * 1024 * 1024 + 1));
  const RunResult too_large = Put(large);
  EXPECT_EQ(too_large.exit_code, 1);
  EXPECT_THAT(too_large.err, HasSubstr("TOO_LARGE"));
  const std::string small = Write("small", "x");
  EXPECT_EQ(Put(Path("nowhere")).exit_code, 2);
  EXPECT_EQ(Put(dir_.path().string()).exit_code, 2);
  EXPECT_EQ(Put(small, {"--media-type", "application/vnd.stele.key.v1"}).exit_code, 1);
  const std::string attester = steled_.NewKey("attester", "attester");
  const RunResult role = steled_.Stele({"artifact", "put", small, "--signer", attester});
  EXPECT_EQ(role.exit_code, 1);
  EXPECT_THAT(role.err, HasSubstr("ROLE"));
  const RunResult nowhere = Get("sha256:" + std::string(64, '7'), Path("out"));
  EXPECT_EQ(nowhere.exit_code, 1);
  EXPECT_THAT(nowhere.err, HasSubstr("NOT_FOUND"));
  EXPECT_FALSE(fs::exists(Path("out")));
  EXPECT_FALSE(fs::exists(Path("out.part")));
  EXPECT_EQ(Get("7", Path("out")).exit_code, 2);
  EXPECT_EQ(Put(small).exit_code, 0);
}

// The server is killed in the middle: nothing is visible, and the same call goes on and completes.
TEST_F(ArtifactTest, AKilledServerGoesOnWhereItWas) {
  const std::string bytes = ArtifactBytes(1, 24 * 1024 * 1024 - 5);
  const Digest digest = Sha256(bytes);
  client::Connection connection(Options());
  std::atomic<bool> killed{false};
  std::atomic<uint64_t> resumed_from{0};
  uint64_t before = 0;
  const client::TransferHooks hooks{
      .progress =
          [&](uint64_t done, uint64_t) {
            if (done >= bytes.size() / 2 && !killed.exchange(true)) steled_.Kill();
            if (done <= before && resumed_from == 0) resumed_from = done;
            before = done;
          },
      .on_trouble =
          [&, restarted = false](const absl::Status&) mutable {
            if (std::exchange(restarted, true)) return;
            const RunResult fsck = RunProgram("stele", {"fsck", steled_.data().string()});
            EXPECT_EQ(fsck.exit_code, 0) << fsck.out << fsck.err;
            steled_.Start();
            EXPECT_EQ(steled_.Stele({"get", digest.ToText()}).exit_code, 1);
            const auto held = FindAgain(connection, digest);
            ASSERT_TRUE(held.ok()) << held.status();
            EXPECT_EQ(held->phase, Phase::kPartial);
            EXPECT_GT(held->held, 0u);
          }};
  const auto state = client::UploadArtifact(connection, Outgoing(bytes), Reading(bytes), hooks);
  ASSERT_TRUE(state.ok()) << state.status();
  EXPECT_TRUE(killed);
  EXPECT_GT(resumed_from, kChunk);  // not from the beginning
  EXPECT_EQ(state->phase, Phase::kStaged);
  EXPECT_EQ(steled_.Stele({"get", digest.ToText()}).exit_code, 1);
  steled_.Kill();  // what is staged whole is on the disk
  steled_.Start();
  const auto staged = FindAgain(connection, digest);
  ASSERT_TRUE(staged.ok()) << staged.status();
  EXPECT_EQ(staged->phase, Phase::kStaged);
  const RunResult put = Put(Write("in", bytes));
  ASSERT_EQ(put.exit_code, 0) << put.err;
  const std::string out = Path("out");
  ASSERT_EQ(Get(digest.ToText(), out).exit_code, 0);
  EXPECT_TRUE(ReadFile(out) == bytes);
}

// What another one left of other bytes costs one more try, and nobody's word.
TEST_F(ArtifactTest, OtherBytesLeftBehindAreReplaced) {
  const std::string bytes = ArtifactBytes(1, 8 * kChunk);
  std::string wrong = bytes;
  wrong[5] ^= 1;
  client::Connection connection(Options());
  int pieces = 0;
  const client::ReadPiece breaks_off = [&](uint64_t offset,
                                           size_t most) -> absl::StatusOr<std::string> {
    if (++pieces > 4) return absl::AbortedError("gone");
    return wrong.substr(offset, most);
  };
  EXPECT_EQ(client::UploadArtifact(connection, Outgoing(bytes), breaks_off, {}).status().code(),
            absl::StatusCode::kAborted);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (std::chrono::steady_clock::now() < deadline) {
    const auto held = client::FindArtifact(connection, Sha256(bytes));
    if (held.ok() && held->held > 0) break;
    std::this_thread::yield();
  }
  const auto state = client::UploadArtifact(connection, Outgoing(bytes), Reading(bytes), {});
  ASSERT_TRUE(state.ok()) << state.status();
  EXPECT_EQ(state->phase, Phase::kStaged);
  // Bytes that never were those: told, not tried for ever.
  const std::string other = ArtifactBytes(2, 3 * kChunk);
  std::string changed = other;
  changed[0] ^= 1;
  const absl::Status never =
      client::UploadArtifact(connection, Outgoing(other), Reading(changed), {}).status();
  EXPECT_EQ(never.code(), absl::StatusCode::kInvalidArgument) << never;
  EXPECT_TRUE(absl::IsNotFound(client::FindArtifact(connection, Sha256(other)).status()));
}

// A second store of the same log with a damaged artifact, and this server as its source.
TEST_F(ArtifactTest, IsRepairedFromAServer) {
  const std::string bytes = ArtifactBytes(1, 12 * kChunk), whole = ArtifactBytes(2, 5 * kChunk);
  for (const std::string& artifact : {bytes, whole}) {
    ASSERT_EQ(Put(Write("in", artifact)).exit_code, 0);
  }
  ASSERT_EQ(steled_.Stop(), 0);
  const fs::path copy = Path("copy");
  fs::copy(steled_.data(), copy, fs::copy_options::recursive);
  fs::copy(steled_.data().string() + ".guard", copy.string() + ".guard");
  steled_.Start();
  bool flipped = false;
  for (const auto& file : fs::directory_iterator(copy / "db")) {
    if (file.path().extension() != ".blob" || fs::file_size(file) < 3 * kChunk) continue;
    std::string blob = ReadFile(file.path());
    const size_t at = blob.find(bytes.substr(0, 64));
    if (at == std::string::npos) continue;
    blob[at + 100] ^= 1;
    std::ofstream(file.path(), std::ios::binary) << blob;
    flipped = true;
  }
  ASSERT_TRUE(flipped);
  const RunResult damaged = RunProgram("stele", {"fsck", copy.string()});
  EXPECT_EQ(damaged.exit_code, 1);
  EXPECT_THAT(damaged.out, HasSubstr("artifact " + Sha256(bytes).ToText() + " chunk 0"));
  const RunResult repaired =
      steled_.Stele({"fsck", copy.string(), "--repair-from", steled_.address()});
  EXPECT_EQ(repaired.exit_code, 0) << repaired.out << repaired.err;
  EXPECT_EQ(RunProgram("stele", {"fsck", copy.string()}).exit_code, 0);
}

}  // namespace
}  // namespace stele::tools
