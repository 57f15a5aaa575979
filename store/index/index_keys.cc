#include "store/index/index_keys.h"

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

std::string Key(char table, std::string_view a, std::string_view b = {}) {
  std::string key(1, table);
  key.append(a).append(b);
  return key;
}

}  // namespace

std::string RecordsPrefix() { return "A"; }

std::string KindPrefix(std::string_view kind) {
  return Key('K', std::string(1, static_cast<char>(kind.size())), kind);
}

std::string PublisherPrefix(const KeyId& key) { return Key('P', key.bytes()); }
std::string WordPrefix(std::string_view word) { return Key('N', word, std::string(1, '\0')); }
std::string WordsPrefix(std::string_view beginning) { return Key('N', beginning); }
std::string ReferencesPrefix(const Digest& target) { return Key('R', target.bytes()); }
std::string ResultsPrefix(const Digest& workload) { return Key('W', workload.bytes()); }
std::string CohortPrefix(const Digest& comparison_key) { return Key('C', comparison_key.bytes()); }
std::string ComparisonKeyPrefix(const Digest& record) { return Key('X', record.bytes()); }
std::string VerificationsPrefix(const Digest& rerun) { return Key('V', rerun.bytes()); }
std::string ManifestPrefix(const Digest& manifest) { return Key('M', manifest.bytes()); }
std::string TitlesPrefix(const Digest& record) { return Key('T', record.bytes()); }

std::string ListKey(std::string prefix, const RecordPosition& position) {
  AppendBigEndian(~position.first.value(), 8, prefix);
  prefix.append(position.record.bytes());
  return prefix;
}

std::string WordKey(std::string_view word, const RecordPosition& position, const Digest& manifest) {
  return ListKey(WordPrefix(word), position).append(manifest.bytes());
}

std::string ReferenceKey(const Digest& target, const RecordPosition& position, uint32_t k) {
  std::string key = ListKey(ReferencesPrefix(target), position);
  AppendBigEndian(k, 4, key);
  return key;
}

std::string ComparisonKeyKey(const Digest& record, const Digest& comparison_key) {
  return ComparisonKeyPrefix(record).append(comparison_key.bytes());
}

std::string CohortKey(const Digest& comparison_key, const Digest& record) {
  return CohortPrefix(comparison_key).append(record.bytes());
}

std::string VerificationKey(const Digest& rerun, EntryIndex index, const Digest& record) {
  std::string key = VerificationsPrefix(rerun);
  AppendBigEndian(index.value(), 8, key);
  return key.append(record.bytes());
}

std::string ManifestKey(const Digest& manifest, const Digest& record) {
  return ManifestPrefix(manifest).append(record.bytes());
}

std::string BodyKey(const Digest& record) { return Key('B', record.bytes()); }

std::string TitleKey(const Digest& record, const Digest& manifest) {
  return Key('T', record.bytes(), manifest.bytes());
}

std::string RunKey(const Digest& record) { return Key('U', record.bytes()); }

std::optional<RecordPosition> ParsePosition(std::string_view rest) {
  if (rest.size() < kPositionBytes) return std::nullopt;
  return RecordPosition{EntryIndex(~ReadBigEndian(rest.substr(0, 8))),
                        *Digest::FromBytes(rest.substr(8, Digest::kBytes))};
}

std::optional<ReferenceParts> ParseReference(std::string_view rest) {
  const std::optional<RecordPosition> position = ParsePosition(rest);
  if (!position || rest.size() != kPositionBytes + 4) return std::nullopt;
  return ReferenceParts{*position,
                        static_cast<uint32_t>(ReadBigEndian(rest.substr(kPositionBytes)))};
}

std::optional<WordParts> ParseWordKey(std::string_view key) {
  constexpr size_t kRest = 1 + kPositionBytes + Digest::kBytes;  // the 0 and what follows it
  if (key.size() <= 1 + kRest || key.front() != 'N') return std::nullopt;
  const size_t end = key.size() - kRest;
  if (key[end] != '\0' || key.find('\0') != end) return std::nullopt;
  return WordParts{std::string(key.substr(1, end - 1)), *ParsePosition(key.substr(end + 1)),
                   *Digest::FromBytes(key.substr(key.size() - Digest::kBytes))};
}

std::optional<VerificationParts> ParseVerification(std::string_view rest) {
  if (rest.size() != kPositionBytes) return std::nullopt;
  return VerificationParts{EntryIndex(ReadBigEndian(rest.substr(0, 8))),
                           *Digest::FromBytes(rest.substr(8))};
}

}  // namespace stele::store
