// The golden proofs of this format, and the public RFC 6962 proofs of transparency-dev/merkle (of
// which everything from size 0 is refused, as formats §5 says).
#include <gtest/gtest.h>

#include <string>

#include "core/base/refusal.h"
#include "core/merkle/frontier.h"
#include "core/merkle/proof.h"
#include "tests/core/merkle/leaf_reader.h"
#include "tests/support/vector_file.h"

namespace stele {
namespace {

using testing::Base64Member;
using testing::FromBase64;
using testing::Text;
using testing::VectorFile;
using Element = simdjson::dom::element;

Hash HashOf(std::string_view base64) {
  const std::optional<Hash> hash = Hash::FromBytes(FromBase64(base64));
  if (!hash) throw std::runtime_error("no hash: " + std::string(base64));
  return *hash;
}

std::vector<Hash> Hashes(Element list) {
  std::vector<Hash> hashes;
  if (list.is_null()) return hashes;
  for (Element hash : simdjson::dom::array(list)) hashes.push_back(HashOf(std::string_view(hash)));
  return hashes;
}

class Golden : public ::testing::Test {
 protected:
  const VectorFile file_{testing::VectorsDir() / "proofs.json"};
  const std::vector<Hash> leaves_ = Hashes(file_.root()["leafHashes"]);
  const std::vector<Hash> roots_ = Hashes(file_.root()["roots"]);
};

TEST_F(Golden, Roots) {
  ASSERT_EQ(leaves_.size(), 70u);
  ASSERT_EQ(roots_.size(), 71u);
  const testing::LeafReader reader(leaves_);
  Frontier frontier;
  for (size_t size = 0;; ++size) {
    EXPECT_EQ(frontier.Root(), roots_[size]) << size;
    EXPECT_EQ(*MakeRoot(reader, TreeSize(size)), roots_[size]) << size;
    if (size == leaves_.size()) break;
    frontier.Append(leaves_[size]);
  }
}

TEST_F(Golden, InclusionProofs) {
  const testing::LeafReader reader(leaves_);
  size_t cases = 0;
  for (Element c : simdjson::dom::array(file_.root()["inclusion"])) {
    const uint64_t index = c.at(0), size = c.at(1);
    const Proof proof = Hashes(c.at(2));
    EXPECT_EQ(*MakeInclusionProof(reader, EntryIndex(index), TreeSize(size)), proof);
    EXPECT_TRUE(
        VerifyInclusion(EntryIndex(index), TreeSize(size), leaves_[index], proof, roots_[size])
            .ok())
        << index << " of " << size;
    ++cases;
  }
  EXPECT_EQ(cases, 70u * 71 / 2);
}

TEST_F(Golden, ConsistencyProofs) {
  const testing::LeafReader reader(leaves_);
  size_t cases = 0;
  for (Element c : simdjson::dom::array(file_.root()["consistency"])) {
    const uint64_t from = c.at(0), to = c.at(1);
    const Proof proof = Hashes(c.at(2));
    EXPECT_EQ(*MakeConsistencyProof(reader, TreeSize(from), TreeSize(to)), proof);
    EXPECT_TRUE(
        VerifyConsistency(TreeSize(from), TreeSize(to), roots_[from], roots_[to], proof).ok())
        << from << " to " << to;
    ++cases;
  }
  EXPECT_EQ(cases, 70u * 71 / 2);
}

absl::Status RefusedCase(Element c) {
  std::vector<std::string> bytes;
  for (Element hash : simdjson::dom::array(c["proof"])) {
    bytes.push_back(FromBase64(std::string_view(hash)));
  }
  const absl::StatusOr<Proof> proof = ProofFromBytes(bytes);
  if (!proof.ok()) return proof.status();
  if (Text(c, "kind") == "inclusion") {
    return VerifyInclusion(EntryIndex(uint64_t(c["index"])), TreeSize(uint64_t(c["size"])),
                           HashOf(Text(c, "leafHash")), *proof, HashOf(Text(c, "root")));
  }
  return VerifyConsistency(TreeSize(uint64_t(c["size1"])), TreeSize(uint64_t(c["size2"])),
                           HashOf(Text(c, "root1")), HashOf(Text(c, "root2")), *proof);
}

TEST_F(Golden, Refused) {
  size_t cases = 0;
  for (Element c : simdjson::dom::array(file_.root()["refused"])) {
    SCOPED_TRACE(Text(c, "name"));
    EXPECT_EQ(ReasonOf(RefusedCase(c)), Text(c, "reason"));
    ++cases;
  }
  EXPECT_GT(cases, 150u);
}

// The public files write some roots as words; any one-to-one map to hashes keeps their meaning.
Hash RootOf(Element object, std::string_view name) {
  const std::string bytes = Base64Member(object, name);
  return Hash::FromBytes(bytes).value_or(LeafHash(bytes));
}

// Runs `verify` on every file below a folder of the public vectors; a case that cannot be read as
// hashes of 32 bytes is as wrong as one that does not verify.
template <class Verify>
void RunPublic(const std::string& kind, size_t at_least, Verify verify) {
  const auto shared = testing::SharedDir();
  if (!shared) GTEST_SKIP() << testing::kNoShared;
  size_t good = 0, cases = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(*shared / "vectors/merkle" / kind)) {
    if (!entry.is_regular_file()) continue;
    SCOPED_TRACE(entry.path());
    const VectorFile file(entry.path());
    bool ok = false;
    try {
      ok = verify(file.root()).ok();
    } catch (const std::runtime_error&) {
      ok = false;
    }
    EXPECT_EQ(ok, !bool(file.root()["wantErr"]));
    good += ok;
    ++cases;
  }
  EXPECT_GE(cases, at_least);
  EXPECT_GE(good, 5u);
}

TEST(PublicVectors, Inclusion) {
  RunPublic("inclusion", 90, [](Element c) {
    return VerifyInclusion(EntryIndex(uint64_t(c["leafIdx"])), TreeSize(uint64_t(c["treeSize"])),
                           HashOf(Text(c, "leafHash")), Hashes(c["proof"]),
                           HashOf(Text(c, "root")));
  });
}

TEST(PublicVectors, Consistency) {
  RunPublic("consistency", 90, [](Element c) {
    return VerifyConsistency(TreeSize(uint64_t(c["size1"])), TreeSize(uint64_t(c["size2"])),
                             RootOf(c, "root1"), RootOf(c, "root2"), Hashes(c["proof"]));
  });
}

}  // namespace
}  // namespace stele
