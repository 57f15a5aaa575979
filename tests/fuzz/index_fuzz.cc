// What the derived index reads: values under a checksum that fits, keys, page tokens, names, and
// any bytes as a record's body. Byte 0 of the input says which.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/query_limits.h"
#include "store/codec/frame.h"
#include "store/codec/index_values.h"
#include "store/index/index_keys.h"
#include "store/index/page_token.h"
#include "store/index/record_body.h"
#include "store/index/words.h"

namespace {

using namespace stele;
using namespace stele::store;

constexpr std::string_view kKey = "Kkey";

void Check(bool good) {
  if (!good) std::abort();
}

template <class Value>
bool Read(const absl::StatusOr<Value>& value) {
  Check(value.ok() || absl::IsDataLoss(value.status()) ||
        absl::IsFailedPrecondition(value.status()));
  return value.ok();
}

// A body that a key of ours may stand in, sealed as each type.
void ReadValues(std::string_view body) {
  const auto sealed = [&](RowType type) {
    std::string frame(kFrameHeaderBytes, '\0');
    SealFrame(type, frame.append(body));
    return frame;
  };
  if (auto v = DecodeFirst(sealed(RowType::kIndexFirst), kKey); Read(v)) {
    Check(DecodeFirst(EncodeFirst(*v, kKey), kKey)->logged == v->logged);
  }
  if (auto v = DecodeBody(sealed(RowType::kIndexBody), kKey); Read(v)) {
    Check(DecodeBody(EncodeBody(*v, kKey), kKey)->kind == v->kind);
  }
  if (auto v = DecodeTitle(sealed(RowType::kIndexTitle), kKey); Read(v)) {
    Check(DecodeTitle(EncodeTitle(*v, kKey), kKey)->title == v->title);
  }
  if (auto v = DecodeReference(sealed(RowType::kIndexReference), kKey); Read(v)) {
    Check(DecodeReference(EncodeReference(*v, kKey), kKey)->pointer == v->pointer);
  }
  if (auto v = DecodeRun(sealed(RowType::kIndexRun), kKey); Read(v)) {
    const auto again = DecodeRun(EncodeRun(*v, kKey), kKey);
    Check(again.ok() && again->value == v->value && again->workload == v->workload);
  }
  if (auto v = DecodeIndexPosition(sealed(RowType::kIndexPosition)); Read(v)) {
    Check(*DecodeIndexPosition(EncodeIndexPosition(*v)) == *v);
  }
}

void ReadKeys(std::string_view key) {
  if (const auto word = ParseWordKey(key)) {
    Check(WordKey(word->word, word->position, word->manifest) == key);
  }
  if (const auto at = ParsePosition(key)) {
    Check(ListKey("", *at) == key.substr(0, kPositionBytes));
  }
  const std::string prefix = ReferencesPrefix(Digest());
  if (const auto at = ParseReference(key)) {
    Check(ReferenceKey(Digest(), at->position, at->k) == prefix + std::string(key));
  }
  if (const auto at = ParseVerification(key)) {
    Check(VerificationKey(Digest(), at->index, at->record) ==
          VerificationsPrefix(Digest()) + std::string(key));
  }
}

void ReadToken(std::string_view text) {
  const uint64_t question = QuestionHash({"fuzz"});
  const auto token = ParsePageToken(text, question, TreeSize(UINT64_MAX), 8);
  Check(token.ok() || absl::IsInvalidArgument(token.status()));
  if (token.ok()) Check(FormatPageToken(*token) == text);
}

void ReadWords(std::string_view text) {
  const std::vector<std::string> words = WordsOf(text, text);
  Check(words.size() <= limits::kIndexedWords);
  Check(std::is_sorted(words.begin(), words.end()));
  for (const std::string& word : words) {
    Check(!word.empty() && word.size() <= limits::kIndexedWordBytes);
    Check(SplitWords(word, 2) == std::vector<std::string>{word});
    Check(word.find('\0') == std::string::npos);
  }
}

void ReadBody(std::string_view bytes) {
  const auto body = ReadRecordBody(bytes);
  if (!body) return;
  for (const BodyReference& reference : body->references) {
    Check(reference.value.pointer.size() <= limits::kIndexedPointerBytes);
  }
  Check(body->kind.size() <= limits::kIndexedKindBytes);
  if (!body->profile || !body->profile->run) return;
  const RunValue run = RunValueOf(*body->profile->run);
  Check(DecodeRun(EncodeRun(run, kKey), kKey)->value == run.value);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 5) {
    case 0:
      if (rest.size() % 8 == 0) ReadValues(rest);
      break;
    case 1:
      ReadKeys(rest);
      break;
    case 2:
      ReadToken(rest);
      break;
    case 3:
      ReadWords(rest);
      break;
    case 4:
      ReadBody(rest);
      break;
  }
  return 0;
}
