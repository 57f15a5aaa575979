#include "store/backend/rocksdb/log_file.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/base/status_macros.h"
#include "store/backend/rocksdb/crc32c.h"
#include "store/backend/rocksdb/file_bytes.h"

namespace stele::store {
namespace {

constexpr size_t kBlockBytes = 32768;
constexpr size_t kHeaderBytes = 7;
enum Type : uint8_t { kFull = 1, kFirst = 2, kMiddle = 3, kLast = 4 };

uint32_t LittleEndian(std::string_view bytes) {
  uint32_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

uint32_t Masked(uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xa282ead8u; }

bool OnlyZeros(std::string_view bytes) {
  return bytes.find_first_not_of('\0') == std::string_view::npos;
}

class Walk {
 public:
  // A whole block, or the shorter one at the end of the file. False when there is no use in going
  // on.
  bool Block(std::string_view block) {
    const bool whole = block.size() == kBlockBytes;
    if (zeros_at_)
      return OnlyZeros(block) ? Skip(block) : Damaged(0, "a record stands behind unwritten space");
    size_t at = 0;
    while (at + kHeaderBytes <= block.size()) {
      const std::string_view rest = block.substr(at);
      if (OnlyZeros(rest)) {
        zeros_at_ = found.bytes + at;
        return Skip(block);
      }
      const size_t length = LittleEndian(rest.substr(4, 2));
      if (kHeaderBytes + length > rest.size()) return Cut(rest, at, whole);
      if (!Verifies(rest.substr(0, kHeaderBytes + length))) {
        return Damaged(at, "a record does not have its checksum");
      }
      if (!Follows(static_cast<uint8_t>(rest[6]))) {
        return Damaged(at, "a record of another type has to stand there");
      }
      at += kHeaderBytes + length;
    }
    if (whole && !OnlyZeros(block.substr(at))) {
      return Damaged(at, "the end of a block is not filled with zeros");
    }
    if (!whole && at < block.size()) found.torn_at = found.bytes + at;
    return Skip(block);
  }
  // After the last block.
  void End() {
    if (found.damage || found.torn_at) return;
    found.torn_at = zeros_at_;  // space that was made and never written
    if (inside_ && !zeros_at_) found.torn_at = found.bytes;
  }

  LogFileCheck found;

 private:
  static uint32_t Checksum(std::string_view record) { return LittleEndian(record.substr(0, 4)); }
  static bool Verifies(std::string_view record) {
    return Checksum(record) == Masked(ExtendCrc32c(0, record.substr(6)));
  }
  // Whether a record with this header is whole, if only its length were another.
  static bool VerifiesShorter(std::string_view rest) {
    uint32_t crc = 0;
    for (size_t at = 6; at < rest.size(); ++at) {
      crc = ExtendCrc32c(crc, rest.substr(at, 1));
      if (Masked(crc) == Checksum(rest)) return true;
    }
    return false;
  }

  bool Damaged(size_t at, std::string what) {
    found.damage = {found.bytes + at, std::move(what)};
    return false;
  }

  bool Skip(std::string_view block) {
    found.bytes += block.size();
    return true;
  }

  // A record whose length leads out of the block. Torn, unless the whole record is there.
  bool Cut(std::string_view rest, size_t at, bool whole) {
    if (whole || VerifiesShorter(rest)) return Damaged(at, "the length of a record is wrong");
    found.torn_at = found.bytes + at;
    return false;
  }

  bool Follows(uint8_t type) {
    const bool good = inside_ ? type == kMiddle || type == kLast : type == kFull || type == kFirst;
    inside_ = type == kFirst || type == kMiddle;
    return good;
  }

  std::optional<uint64_t> zeros_at_;
  bool inside_ = false;  // a record of several parts
};

}  // namespace

LogFileCheck CheckLogBytes(std::string_view bytes) {
  Walk walk;
  bool more = true;
  for (; more && !bytes.empty(); bytes.remove_prefix(std::min(kBlockBytes, bytes.size()))) {
    more = walk.Block(bytes.substr(0, kBlockBytes));
  }
  if (more) walk.End();
  return walk.found;
}

absl::StatusOr<LogFileCheck> CheckLogFile(const std::filesystem::path& path) {
  Walk walk;
  bool more = true;
  STELE_RETURN_IF_ERROR(ReadInBlocks(path, kBlockBytes, [&](std::string_view block) {
    more = more && walk.Block(block);
    return more;
  }));
  if (more) walk.End();
  return walk.found;
}

}  // namespace stele::store
