// Records in the order of every list, from one table or another, and those that are in all of them.
// A record's place is its position as keys have it (ListKey): 40 bytes that sort as lists do.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "store/index/index_store.h"

namespace stele::store {

// The place right behind this one; nothing if there is none.
std::optional<std::string> PlaceAfter(std::string place);

class PlaceStream {
 public:
  virtual ~PlaceStream() = default;
  // The first place at or behind this one; nothing at the end. Asked for places that ascend.
  // DATA_LOSS, UNAVAILABLE.
  virtual absl::StatusOr<std::optional<std::string>> AtOrAfter(std::string_view place) = 0;
};

// The rows of a table that begin with `prefix`, which a place follows. Borrows the snapshot.
std::unique_ptr<PlaceStream> StreamOf(const IndexSnapshot& index, std::string prefix);
// Those in any of them.
std::unique_ptr<PlaceStream> UnionOf(std::vector<std::unique_ptr<PlaceStream>> streams);

struct Meeting {
  std::string place;
  bool meets = true;  // false: `steps` ran out; none before this place is in all of them
};
// The first place at or behind `place` that is in all of the streams, of which there is at least
// one; nothing if there is none. Takes from `steps` what it asked of them.
absl::StatusOr<std::optional<Meeting>> NextMeeting(
    const std::vector<std::unique_ptr<PlaceStream>>& streams, std::string_view place,
    size_t& steps);

}  // namespace stele::store
