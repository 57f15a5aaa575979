#include <gtest/gtest.h>
#include <zstd.h>

#include <fstream>
#include <string>

#include "tests/support/store/temp_dir.h"
#include "tests/tools/io/memory_source.h"
#include "tools/io/byte_source.h"

namespace stele::tools {
namespace {

std::string Compress(const std::string& bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
  return out;
}

absl::StatusOr<std::string> Decompress(std::string bytes) {
  InputStream stream(ZstdSource(std::make_unique<MemorySource>(std::move(bytes)), "input"));
  return stream.ReadRest(1 << 24);
}

std::string Text() {
  std::string text;
  for (int i = 0; i < 40000; ++i) text += std::to_string(i) + " lines of text\n";
  return text;
}

TEST(ZstdSourceTest, GivesBackWhatWasCompressed) {
  EXPECT_EQ(*Decompress(Compress(Text())), Text());
  EXPECT_EQ(*Decompress(Compress("")), "");
  EXPECT_EQ(*Decompress(Compress(Text()) + Compress("and ") + Compress("more")),
            Text() + "and more");
}

TEST(ZstdSourceTest, NoticesWhatIsCutShort) {
  const std::string whole = Compress(Text());
  for (size_t length : {size_t{1}, size_t{5}, whole.size() / 2, whole.size() - 1}) {
    absl::StatusOr<std::string> out = Decompress(whole.substr(0, length));
    EXPECT_EQ(out.status().code(), absl::StatusCode::kInvalidArgument) << length;
  }
  EXPECT_FALSE(Decompress(whole + whole.substr(0, 10)).ok());
}

TEST(ZstdSourceTest, NoticesDamage) {
  std::string damaged = Compress(Text());
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 0x40);
  absl::StatusOr<std::string> out = Decompress(damaged);
  EXPECT_TRUE(!out.ok() || *out != Text());
  EXPECT_FALSE(Decompress("this is not zstd").ok());
}

TEST(OpenBytesTest, LooksAtTheBytesAndAtTheName) {
  const testing::TempDir dir;
  const auto write = [&](const std::string& name, const std::string& bytes) {
    const std::string path = (dir.path() / name).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  };
  const auto read = [](const std::string& path) -> absl::StatusOr<std::string> {
    absl::StatusOr<std::unique_ptr<ByteSource>> source = OpenBytes(path);
    if (!source.ok()) return source.status();
    InputStream stream(*std::move(source));
    return stream.ReadRest(1 << 24);
  };
  EXPECT_EQ(*read(write("plain", "some text")), "some text");
  EXPECT_EQ(*read(write("short", "ab")), "ab");
  EXPECT_EQ(*read(write("empty", "")), "");
  EXPECT_EQ(*read(write("unnamed", Compress("packed"))), "packed");
  EXPECT_EQ(*read(write("named.zst", Compress("packed"))), "packed");
  EXPECT_FALSE(read(write("wrong.zst", "not packed")).ok());
  EXPECT_EQ(read((dir.path() / "absent").string()).status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace stele::tools
