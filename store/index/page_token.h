// Page tokens: which question, of what size of the log, and how far. Format and parse are inverse;
// whoever makes one up gets other pages, and nothing else. Pure.
//
//   lowercase hex of: version (1 byte: 1), question (8 bytes), size (8 bytes, big-endian), place
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/base/strong_int.h"

namespace stele::store {

struct PageToken {
  uint64_t question = 0;  // QuestionHash of what was asked
  TreeSize size;          // entries known to the first page
  std::string place;      // where the next page begins, as the question orders its rows
};

// Of the parts of a question, its name first.
uint64_t QuestionHash(std::initializer_list<std::string_view> parts);

std::string FormatPageToken(const PageToken& token);

// WRONG_VALUE (INVALID_ARGUMENT) at /page_token: no token, of another question, of a log that was
// longer than `most`, or of a place that is not of `place_bytes`.
absl::StatusOr<PageToken> ParsePageToken(std::string_view text, uint64_t question, TreeSize most,
                                         size_t place_bytes);

}  // namespace stele::store
