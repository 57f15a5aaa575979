#include "store/codec/keys.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/hex.h"
#include "core/crypto/sha256.h"

namespace stele::store {
namespace {

TEST(Keys, AsDocumented) {
  EXPECT_EQ(HexEncode(EntryKey(EntryIndex(0x0102))), "0000000000000102");
  EXPECT_EQ(HexEncode(TileKey(2, 0x0a0b)), "020000000000000a0b");
  EXPECT_EQ(HexEncode(KeyEventKey(EntryIndex(3), 258)), "000000000000000300000102");
  const Digest a = Sha256("a"), b = Sha256("b");
  EXPECT_EQ(HexEncode(PublicationKey(a, EntryIndex(7))), a.ToHex() + "0000000000000007");
  EXPECT_EQ(HexEncode(ReplayRowKey({.payload = a, .signer = b})), a.ToHex() + b.ToHex());
}

TEST(Keys, OrderIsTheOrderOfIndexes) {
  const uint64_t indexes[] = {0, 1, 255, 256, 65535, 1ull << 32, UINT64_MAX};
  for (size_t i = 0; i + 1 < std::size(indexes); ++i) {
    const EntryIndex low(indexes[i]), high(indexes[i + 1]);
    EXPECT_LT(EntryKey(low), EntryKey(high));
    EXPECT_LT(TileKey(1, indexes[i]), TileKey(1, indexes[i + 1]));
    EXPECT_LT(PublicationKey(Sha256("a"), low), PublicationKey(Sha256("a"), high));
    EXPECT_LT(KeyEventKey(low, UINT32_MAX), KeyEventKey(high, 0));
  }
}

TEST(Keys, ParseIsTheInverse) {
  for (uint64_t index : {uint64_t{0}, uint64_t{300}, UINT64_MAX}) {
    EXPECT_EQ(ParseEntryKey(EntryKey(EntryIndex(index))), EntryIndex(index));
    EXPECT_EQ(ParseSubjectKey(SubjectKey(Sha256("s"), EntryIndex(index)))->index,
              EntryIndex(index));
    const auto publication = ParsePublicationKey(PublicationKey(Sha256("r"), EntryIndex(index)));
    ASSERT_TRUE(publication.has_value());
    EXPECT_EQ(publication->record, Sha256("r"));
    EXPECT_EQ(publication->index, EntryIndex(index));
    const auto tile = ParseTileKey(TileKey(3, index));
    ASSERT_TRUE(tile.has_value());
    EXPECT_EQ(tile->level, 3);
    EXPECT_EQ(tile->number, index);
    const ReplayKey replay{.payload = Sha256("p"), .signer = Sha256("s")};
    EXPECT_EQ(ParseReplayRowKey(ReplayRowKey(replay)), replay);
    const auto event = ParseKeyEventKey(KeyEventKey(EntryIndex(index), 77));
    ASSERT_TRUE(event.has_value());
    EXPECT_EQ(event->index, EntryIndex(index));
    EXPECT_EQ(event->ordinal, 77u);
  }
  for (size_t length : {0, 7, 10, 11, 13, 39, 41, 63, 65}) {
    const std::string key(length, 'k');
    EXPECT_FALSE(ParseEntryKey(key).has_value());
    EXPECT_FALSE(ParseTileKey(key).has_value());
    EXPECT_FALSE(ParseReplayRowKey(key).has_value());
    EXPECT_FALSE(ParsePublicationKey(key).has_value());
    EXPECT_FALSE(ParseKeyEventKey(key).has_value());
  }
}

}  // namespace
}  // namespace stele::store
