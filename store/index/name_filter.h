// The name of a filter: which records may have it (streams), and which do (words).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "store/index/index_store.h"
#include "store/index/place_stream.h"
#include "store/index/row_reader.h"
#include "store/index/trust.h"

namespace stele::store {

class NameFilter {
 public:
  // TOO_LONG, WRONG_VALUE (INVALID_ARGUMENT) at /name: longer than limits::kFilterTextBytes, more
  // words than limits::kFilterWords, or none at all.
  static absl::StatusOr<NameFilter> Parse(std::string_view name);

  // Streams whose meeting has every record with the name, and others; none if too many words begin
  // with the last one for them to be looked up.
  absl::StatusOr<std::vector<std::unique_ptr<PlaceStream>>> Streams(
      const IndexSnapshot& index) const;
  // Whether one manifest of the record has it that a publication that counts brought: the one that
  // `row` shows, or another.
  absl::StatusOr<bool> Matches(const IndexRowReader& rows, const RecordTrust& trust,
                               const RecordRow& row) const;

 private:
  bool Matches(std::string_view name, std::string_view title) const;

  std::vector<std::string> words_;  // the last one is a prefix
};

}  // namespace stele::store
