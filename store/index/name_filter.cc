#include "store/index/name_filter.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/concat.h"
#include "core/base/query_limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "store/index/index_keys.h"
#include "store/index/words.h"

namespace stele::store {
namespace {

// The words that begin so; more than limits::kPrefixWords if there are as many.
absl::StatusOr<std::vector<std::string>> WordsBeginning(const IndexSnapshot& index,
                                                        const std::string& beginning) {
  std::vector<std::string> words;
  const std::string prefix = WordsPrefix(beginning);
  const std::unique_ptr<IndexCursor> cursor = index.NewCursor();
  cursor->Seek(prefix);
  while (cursor->valid() && cursor->key().starts_with(prefix) &&
         words.size() <= limits::kPrefixWords) {
    std::optional<WordParts> parts = ParseWordKey(cursor->key());
    if (!parts) return DamagedIndexRow(cursor->key(), "its key is none");
    // Past all rows of this word: none has a byte below 1 behind it.
    cursor->Seek(WordsPrefix(parts->word + '\x01'));
    words.push_back(std::move(parts->word));
  }
  STELE_RETURN_IF_ERROR(cursor->status());
  return words;
}

}  // namespace

absl::StatusOr<NameFilter> NameFilter::Parse(std::string_view name) {
  if (name.size() > limits::kFilterTextBytes) {
    return RefuseInput(
        reason::kTooLong, "/name",
        Concat("the name has ", name.size(), " bytes, the limit is ", limits::kFilterTextBytes));
  }
  NameFilter filter;
  filter.words_ = SplitWords(name, limits::kFilterWords + 1);
  if (filter.words_.empty()) {
    return RefuseInput(reason::kWrongValue, "/name",
                       "the name has no word: letters and digits are looked up");
  }
  if (filter.words_.size() > limits::kFilterWords) {
    return RefuseInput(reason::kTooLong, "/name",
                       Concat("the name has more than ", limits::kFilterWords, " words"));
  }
  return filter;
}

absl::StatusOr<std::vector<std::unique_ptr<PlaceStream>>> NameFilter::Streams(
    const IndexSnapshot& index) const {
  std::vector<std::unique_ptr<PlaceStream>> streams;
  for (size_t i = 0; i + 1 < words_.size(); ++i) {
    streams.push_back(StreamOf(index, WordPrefix(words_[i])));
  }
  STELE_ASSIGN_OR_RETURN(const std::vector<std::string> ends, WordsBeginning(index, words_.back()));
  if (ends.size() > limits::kPrefixWords) return streams;
  std::vector<std::unique_ptr<PlaceStream>> any;
  for (const std::string& word : ends) any.push_back(StreamOf(index, WordPrefix(word)));
  streams.push_back(UnionOf(std::move(any)));
  return streams;
}

bool NameFilter::Matches(std::string_view name, std::string_view title) const {
  const std::vector<std::string> has = WordsOf(name, title);
  for (size_t i = 0; i + 1 < words_.size(); ++i) {
    if (!std::binary_search(has.begin(), has.end(), words_[i])) return false;
  }
  const auto end = std::lower_bound(has.begin(), has.end(), words_.back());
  return end != has.end() && end->starts_with(words_.back());
}

absl::StatusOr<bool> NameFilter::Matches(const IndexRowReader& rows, const RecordTrust& trust,
                                         const RecordRow& row) const {
  if (Matches(row.name, row.title)) return true;
  const Reader::Publications& all = trust.publications;
  const std::optional<Digest> shown = trust.manifest();
  for (size_t i = 0; i < all.rows.size(); ++i) {
    if (all.disputed[i] || all.rows[i].manifest == shown) continue;
    STELE_ASSIGN_OR_RETURN(const std::optional<TitleValue> title,
                           rows.ReadTitle(trust.record, all.rows[i].manifest));
    if (title && Matches(title->name, title->title)) return true;
  }
  return false;
}

}  // namespace stele::store
