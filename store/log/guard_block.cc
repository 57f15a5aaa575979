#include "store/log/guard_block.h"

#include <xxhash.h>

namespace stele::store {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::string_view kMagic = "stele guard v1\n\0"sv;
constexpr size_t kSumBytes = 8;

void AppendLittleEndian(uint64_t value, int bytes, std::string& out) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>(value >> (8 * i)));
}

uint64_t ReadLittleEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

// Fills up a block and adds its checksum.
std::string Seal(std::string content, uint64_t number) {
  content.resize(kGuardBlockBytes - kSumBytes, '\0');
  AppendLittleEndian(XXH3_64bits_withSeed(content.data(), content.size(), number), 8, content);
  return content;
}

}  // namespace

std::string FormatGuardHeader(const GuardIdentity& identity) {
  std::string content(kMagic);
  AppendLittleEndian(identity.origin.size(), 4, content);
  content += identity.genesis_leaf_hash.bytes();
  content += identity.origin;
  return Seal(std::move(content), 0);
}

std::optional<GuardIdentity> ParseGuardHeader(std::string_view block) {
  if (block.size() != kGuardBlockBytes) return std::nullopt;
  size_t at = kMagic.size();
  const uint64_t length = ReadLittleEndian(block.substr(at, 4));
  at += 4;
  if (length > kGuardBlockBytes - kSumBytes - at - Digest::kBytes) return std::nullopt;
  const auto genesis = Digest::FromBytes(block.substr(at, Digest::kBytes));
  at += Digest::kBytes;
  GuardIdentity identity{.origin = std::string(block.substr(at, length)),
                         .genesis_leaf_hash = *genesis};
  if (FormatGuardHeader(identity) != block) return std::nullopt;
  return identity;
}

std::string FormatGuardSlot(const GuardSlot& content, const GuardIdentity& identity, int slot) {
  std::string bytes;
  AppendLittleEndian(content.sequence, 8, bytes);
  AppendLittleEndian(content.position.size.value(), 8, bytes);
  bytes += content.position.root.bytes();
  bytes += identity.genesis_leaf_hash.bytes();
  return Seal(std::move(bytes), static_cast<uint64_t>(slot) + 1);
}

std::optional<GuardSlot> ParseGuardSlot(std::string_view block, const GuardIdentity& identity,
                                        int slot) {
  if (block.size() != kGuardBlockBytes) return std::nullopt;
  GuardSlot content{.sequence = ReadLittleEndian(block.substr(0, 8)),
                    .position = {.size = TreeSize(ReadLittleEndian(block.substr(8, 8))),
                                 .root = *Digest::FromBytes(block.substr(16, Digest::kBytes))}};
  if (content.sequence == 0 || FormatGuardSlot(content, identity, slot) != block) {
    return std::nullopt;
  }
  return content;
}

}  // namespace stele::store
