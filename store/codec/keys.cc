#include "store/codec/keys.h"

namespace stele::store {
namespace {

void AppendBigEndian(uint64_t value, int bytes, std::string& out) {
  for (int i = bytes - 1; i >= 0; --i) out.push_back(static_cast<char>(value >> (8 * i)));
}

uint64_t ReadBigEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (char c : bytes) value = value << 8 | static_cast<uint8_t>(c);
  return value;
}

}  // namespace

std::string EntryKey(EntryIndex index) {
  std::string key;
  AppendBigEndian(index.value(), 8, key);
  return key;
}

std::string TileKey(int level, uint64_t number) {
  std::string key(1, static_cast<char>(level));
  AppendBigEndian(number, 8, key);
  return key;
}

std::string ReplayRowKey(const ReplayKey& key) {
  std::string out(key.payload.bytes());
  out.append(key.signer.bytes());
  return out;
}

std::string PublicationKey(const Digest& record, EntryIndex index) {
  std::string key(record.bytes());
  AppendBigEndian(index.value(), 8, key);
  return key;
}

std::string SubjectKey(const Digest& subject, EntryIndex index) {
  return PublicationKey(subject, index);
}

std::string KeyEventKey(EntryIndex index, uint32_t ordinal) {
  std::string key;
  AppendBigEndian(index.value(), 8, key);
  AppendBigEndian(ordinal, 4, key);
  return key;
}

std::string ChunkKey(const Digest& artifact, uint64_t number) {
  std::string key(artifact.bytes());
  AppendBigEndian(number, 4, key);
  return key;
}

std::optional<EntryIndex> ParseEntryKey(std::string_view key) {
  if (key.size() != 8) return std::nullopt;
  return EntryIndex(ReadBigEndian(key));
}

std::optional<TileKeyParts> ParseTileKey(std::string_view key) {
  if (key.size() != 9) return std::nullopt;
  return TileKeyParts{.level = static_cast<uint8_t>(key[0]),
                      .number = ReadBigEndian(key.substr(1))};
}

std::optional<ReplayKey> ParseReplayRowKey(std::string_view key) {
  if (key.size() != 2 * Digest::kBytes) return std::nullopt;
  return ReplayKey{.payload = *Digest::FromBytes(key.substr(0, Digest::kBytes)),
                   .signer = *Digest::FromBytes(key.substr(Digest::kBytes))};
}

std::optional<PublicationKeyParts> ParsePublicationKey(std::string_view key) {
  if (key.size() != Digest::kBytes + 8) return std::nullopt;
  return PublicationKeyParts{.record = *Digest::FromBytes(key.substr(0, Digest::kBytes)),
                             .index = EntryIndex(ReadBigEndian(key.substr(Digest::kBytes)))};
}

std::optional<PublicationKeyParts> ParseSubjectKey(std::string_view key) {
  return ParsePublicationKey(key);
}

std::optional<KeyEventKeyParts> ParseKeyEventKey(std::string_view key) {
  if (key.size() != 12) return std::nullopt;
  return KeyEventKeyParts{.index = EntryIndex(ReadBigEndian(key.substr(0, 8))),
                          .ordinal = static_cast<uint32_t>(ReadBigEndian(key.substr(8)))};
}

}  // namespace stele::store
