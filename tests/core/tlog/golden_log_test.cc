// The golden log of 300 entries: every tile rebuilt from its entries is the file byte for byte, and
// the root is what its checkpoint says, signed by its log key.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "core/base/base64.h"
#include "core/base/refusal.h"
#include "core/merkle/proof.h"
#include "core/tlog/checkpoint.h"
#include "core/tlog/entry_bundle.h"
#include "core/tlog/tile.h"
#include "core/tlog/tree_edge.h"
#include "tests/support/vector_file.h"

namespace stele {
namespace {

using testing::ReadFile;

class GoldenLog : public ::testing::TestWithParam<const char*> {
 protected:
  std::string File(const std::string& path) const { return ReadFile(dir_ / path); }

  std::vector<std::string> Leaves() const {
    std::vector<std::string> leaves;
    for (uint64_t number = 0;; ++number) {
      const uint32_t width = TileWidth(TileId::kEntries, number, size());
      if (width == 0) return leaves;
      const std::string bundle = File(TilePath({TileId::kEntries, number, width}));
      const auto entries = ParseEntryBundle(bundle, width);
      EXPECT_TRUE(entries.ok()) << entries.status();
      leaves.insert(leaves.end(), entries->begin(), entries->end());
    }
  }

  std::vector<NoteVerifier> PolicyKeys() const {
    std::vector<NoteVerifier> keys;
    std::istringstream policy(File("policy"));
    for (std::string word, vkey; policy >> word >> vkey;) {
      if (word == "log") keys.push_back(*NoteVerifier::FromVkey(vkey));
    }
    return keys;
  }

  TreeSize size() const { return TreeSize(uint64_t(expected_.root()["size"])); }

  const std::filesystem::path dir_ = testing::VectorsDir() / GetParam();
  const testing::VectorFile expected_{dir_ / "expected.json"};
};

TEST_P(GoldenLog, TilesRootAndBundles) {
  TreeEdge edge;
  std::string bundle;
  size_t bundles = 0;
  const std::vector<std::string> leaves = Leaves();
  for (size_t i = 0; i < leaves.size(); ++i) {
    edge.Append(LeafHash(leaves[i]));
    AppendBundleEntry(leaves[i], bundle);
    if ((i + 1) % 256 != 0 && i + 1 != leaves.size()) continue;
    const TileId id{TileId::kEntries, i / 256, static_cast<uint32_t>(i % 256 + 1)};
    EXPECT_EQ(bundle, File(TilePath(id)));
    bundle.clear();
    ++bundles;
  }
  EXPECT_EQ(bundles, (leaves.size() + 255) / 256);
  ASSERT_EQ(edge.size(), size());
  EXPECT_EQ(Base64Encode(edge.Root().bytes()), testing::Text(expected_.root(), "root"));

  std::map<TileId, std::string> tiles;
  for (const TreeEdge::FinishedTile& tile : edge.finished()) tiles[tile.id] = tile.bytes;
  for (size_t level = 0; level < edge.levels(); ++level) {
    const std::vector<Hash>& row = edge.unfinished(level);
    const int at = static_cast<int>(level);
    const TileId id{at, size().value() >> (8 * (level + 1)), static_cast<uint32_t>(row.size())};
    for (const Hash& hash : row) tiles[id] += hash.bytes();
  }
  const std::vector<TileId> all = TilesOf(size());
  ASSERT_EQ(tiles.size(), all.size());
  for (const TileId& id : all) EXPECT_EQ(tiles[id], File(TilePath(id))) << TilePath(id);
}

TEST_P(GoldenLog, EveryFileHasAPathOfTheTree) {
  std::set<std::string> expected;
  for (const TileId& id : TilesOf(size())) {
    expected.insert(TilePath(id));
    if (id.level == 0) expected.insert(TilePath({TileId::kEntries, id.number, id.width}));
  }
  std::set<std::string> files;
  for (const auto& file : std::filesystem::recursive_directory_iterator(dir_ / "tile")) {
    if (file.is_regular_file()) files.insert(std::filesystem::relative(file, dir_));
  }
  EXPECT_EQ(files, expected);
}

TEST_P(GoldenLog, Checkpoint) {
  const std::string note = File("checkpoint");
  const auto opened = OpenCheckpoint(note, PolicyKeys());
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_EQ(opened->checkpoint.origin, testing::Text(expected_.root(), "origin"));
  EXPECT_EQ(opened->checkpoint.size, size());
  EXPECT_EQ(Base64Encode(opened->checkpoint.root.bytes()), testing::Text(expected_.root(), "root"));
  std::set<std::string> signers;
  for (simdjson::dom::element vkey : simdjson::dom::array(expected_.root()["signers"])) {
    signers.emplace(std::string_view(vkey));
  }
  EXPECT_EQ(std::set<std::string>(opened->signers.begin(), opened->signers.end()), signers);
  EXPECT_EQ(FormatNote(*ParseNote(note)), note);
}

INSTANTIATE_TEST_SUITE_P(All, GoldenLog,
                         ::testing::Values("log", "log-with-void", "log-recovery", "log-roles",
                                           "log-random-1", "log-random-2"),
                         [](const auto& suite) {
                           std::string name = suite.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace stele
