#include "store/backend/rocksdb/file_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/hex.h"

namespace stele::store {
namespace {

std::string SumOf(rocksdb::FileChecksumGenerator& sum, std::string_view bytes, size_t piece) {
  while (!bytes.empty()) {
    sum.Update(bytes.data(), std::min(piece, bytes.size()));
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
  sum.Finalize();
  return HexEncode(sum.GetChecksum());
}

std::unique_ptr<rocksdb::FileChecksumGenerator> OfNewFiles() {
  return FileSums()->CreateFileChecksumGenerator({});
}

// Of the functions' own documentation.
TEST(FileSum, OfKnownBytes) {
  EXPECT_EQ(SumOf(*OfNewFiles(), "", 1), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(SumOf(*MakeFileSum("FileChecksumCrc32c"), "123456789", 9), "e3069283");
}

TEST(FileSum, PiecesAreTheWhole) {
  std::string bytes(100'000, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 31 + i / 251);
  const std::string whole = SumOf(*OfNewFiles(), bytes, bytes.size());
  for (const size_t piece : {1, 63, 64, 1023, 32'768}) {
    EXPECT_EQ(SumOf(*OfNewFiles(), bytes, piece), whole) << piece;
  }
  for (size_t at = 0; at < bytes.size(); at += 997) {
    bytes[at] ^= 1;
    EXPECT_NE(SumOf(*OfNewFiles(), bytes, bytes.size()), whole) << at;
    bytes[at] ^= 1;
  }
}

TEST(FileSum, IsMadeByName) {
  for (const char* name : {"SteleXxh3-128", "FileChecksumCrc32c"}) {
    EXPECT_STREQ(MakeFileSum(name)->Name(), name);
    rocksdb::FileChecksumGenContext context;
    context.requested_checksum_func_name = name;
    EXPECT_STREQ(FileSums()->CreateFileChecksumGenerator(context)->Name(), name);
  }
  EXPECT_STREQ(OfNewFiles()->Name(), "SteleXxh3-128");
  EXPECT_EQ(MakeFileSum("Unknown"), nullptr);
}

}  // namespace
}  // namespace stele::store
