#include <gtest/gtest.h>

#include <string>

#include "core/tlog/tile.h"
#include "tests/support/vector_file.h"

namespace stele {
namespace {

TEST(TilePath, GoldenPaths) {
  const testing::VectorFile file(testing::VectorsDir() / "proofs.json");
  size_t cases = 0;
  for (simdjson::dom::element c : simdjson::dom::array(file.root()["tilePaths"])) {
    TileId id;
    id.level = c.at(0).is_string() ? TileId::kEntries : static_cast<int>(int64_t(c.at(0)));
    id.number = c.at(1);
    id.width = static_cast<uint32_t>(uint64_t(c.at(2)));
    const std::string path(std::string_view(c.at(3)));
    EXPECT_EQ(TilePath(id), path);
    EXPECT_EQ(ParseTilePath(path), id) << path;
    ++cases;
  }
  EXPECT_GE(cases, 10u);
}

TEST(TilePath, RoundTrip) {
  for (int level : {TileId::kEntries, 0, 1, 7}) {
    for (uint64_t number : {0ull, 1ull, 9ull, 10ull, 99ull, 100ull, 999ull, 1000ull, 1001ull,
                            999999ull, 1000000ull, 123456789ull, (1ull << 56) - 1}) {
      for (uint32_t width : {1u, 2u, 9u, 10u, 99u, 100u, 255u, 256u}) {
        const TileId id{level, number, width};
        EXPECT_EQ(ParseTilePath(TilePath(id)), id) << TilePath(id);
      }
    }
  }
}

TEST(TilePath, RefusesEveryOtherSpelling) {
  for (const char* path : {"",
                           "tile",
                           "tile/",
                           "tile/0",
                           "tile/0/",
                           "/tile/0/000",
                           "tile/0/000/",
                           "tile//000",
                           "tile/00/000",
                           "tile/+1/000",
                           "tile/-1/000",
                           "tile/8/000",
                           "tile/64/000",
                           "tile/x/000",
                           "tile/0/0",
                           "tile/0/00",
                           "tile/0/0000",
                           "tile/0/x000",
                           "tile/0/x000/001",
                           "tile/0/x000/x001/002",
                           "tile/0/x001",
                           "tile/0/x001/",
                           "tile/0/001/002",
                           "tile/0/X001/002",
                           "tile/0/x1/002",
                           "tile/0/x001/2",
                           "tile/0/x0001/002",
                           "tile/0/00a",
                           "tile/0/-01",
                           "tile/0/+01",
                           "tile/0/ 01",
                           "tile/0/000.p",
                           "tile/0/000.p/",
                           "tile/0/000.p/0",
                           "tile/0/000.p/256",
                           "tile/0/000.p/01",
                           "tile/0/000.p/1/",
                           "tile/0/000.p/-1",
                           "tile/0/000.p/1.p/1",
                           "tile/0/.p/1",
                           "tile/0/000.P/1",
                           "tile/0/000p/1",
                           "tile/0/../000",
                           "tile/0/x001/../002",
                           "tile/entries",
                           "tile/entries/",
                           "tile/entries/0",
                           "tile/Entries/000",
                           "tile/data/000",
                           "Tile/0/000",
                           "tile/0/000?",
                           "tile/0/000 ",
                           "tile/0/000\n",
                           "tile/0/x999/x999/x999/x999/x999/x999/x999/999",
                           "tile/0/%78001/000"}) {
    EXPECT_FALSE(ParseTilePath(path)) << path;
  }
  EXPECT_FALSE(ParseTilePath(std::string("tile/0/000\0", 11)));
}

}  // namespace
}  // namespace stele
