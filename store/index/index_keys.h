// Keys of the index's rows (docs/formats/disk.md). Format and parse are inverse; nothing else
// parses. Pure.
//
// A table is its letter, then what it is looked up by, then, where it lists records, the position
// of each: newest first publication first. Numbers are big-endian; `~` is their complement.
//
//   A  ~first, record                        FirstRow
//   K  length of kind (1 byte), kind, ~first, record
//   P  key id, ~first, record                 for every key that published it
//   N  word, 0, ~first, record, manifest
//   R  target, ~first, record, k (4 bytes)    ReferenceValue; k counts a record's references
//   W  workload, ~first, record               runs that name it
//   C  comparison key, record
//   X  record, comparison key
//   V  rerun, index (8 bytes), record         verifications that cite it
//   M  manifest, record                       what it is a manifest of
//   B  record                                 BodyValue
//   T  record, manifest                       TitleValue
//   U  record                                 RunValue
//
// Tables without a value named have an empty one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/strong_int.h"
#include "core/crypto/digest.h"

namespace stele::store {

// Where a record stands in every list.
struct RecordPosition {
  EntryIndex first;  // its first valid publication
  Digest record;
  friend bool operator==(const RecordPosition&, const RecordPosition&) = default;
};
inline constexpr size_t kPositionBytes = 8 + Digest::kBytes;

// What a table is looked up by: all its rows begin with it.
std::string RecordsPrefix();
std::string KindPrefix(std::string_view kind);  // at most limits::kIndexedKindBytes
std::string PublisherPrefix(const KeyId& key);
std::string WordPrefix(std::string_view word);
std::string WordsPrefix(std::string_view beginning);  // of all words that begin so
std::string ReferencesPrefix(const Digest& target);
std::string ResultsPrefix(const Digest& workload);
std::string CohortPrefix(const Digest& comparison_key);
std::string ComparisonKeyPrefix(const Digest& record);
std::string VerificationsPrefix(const Digest& rerun);
std::string ManifestPrefix(const Digest& manifest);
std::string TitlesPrefix(const Digest& record);

// Whole keys.
std::string ListKey(std::string prefix, const RecordPosition& position);  // A, K, P, W
std::string WordKey(std::string_view word, const RecordPosition& position, const Digest& manifest);
std::string ReferenceKey(const Digest& target, const RecordPosition& position, uint32_t k);
std::string CohortKey(const Digest& comparison_key, const Digest& record);
std::string ComparisonKeyKey(const Digest& record, const Digest& comparison_key);
std::string VerificationKey(const Digest& rerun, EntryIndex index, const Digest& record);
std::string ManifestKey(const Digest& manifest, const Digest& record);
std::string BodyKey(const Digest& record);
std::string TitleKey(const Digest& record, const Digest& manifest);
std::string RunKey(const Digest& record);

// The parts behind a prefix; nothing if they are not as they should be.
std::optional<RecordPosition> ParsePosition(std::string_view rest);  // A, K, P, W, and any longer
struct ReferenceParts {
  RecordPosition position;
  uint32_t k = 0;
};
std::optional<ReferenceParts> ParseReference(std::string_view rest);
struct WordParts {
  std::string word;
  RecordPosition position;
  Digest manifest;
};
std::optional<WordParts> ParseWordKey(std::string_view key);  // the whole key
struct VerificationParts {
  EntryIndex index;
  Digest record;
};
std::optional<VerificationParts> ParseVerification(std::string_view rest);

}  // namespace stele::store
