#include "store/index/place_stream.h"

#include <utility>

#include "core/base/status_macros.h"
#include "store/index/index_keys.h"
#include "store/index/row_reader.h"

namespace stele::store {
namespace {

using Place = std::optional<std::string>;
using Streams = std::vector<std::unique_ptr<PlaceStream>>;

class TableStream final : public PlaceStream {
 public:
  TableStream(const IndexSnapshot& index, std::string prefix)
      : cursor_(index.NewCursor()), prefix_(std::move(prefix)), wanted_(prefix_) {}

  absl::StatusOr<Place> AtOrAfter(std::string_view place) override {
    wanted_.replace(prefix_.size(), std::string::npos, place);
    // Mostly the next row is asked for, and a step takes less than a search.
    if (begun_ && cursor_->valid() && cursor_->key() < wanted_) cursor_->Next();
    if (!begun_ || !cursor_->valid() || cursor_->key() < wanted_) cursor_->Seek(wanted_);
    begun_ = true;
    if (!cursor_->valid()) {
      STELE_RETURN_IF_ERROR(cursor_->status());
      return Place();
    }
    if (!cursor_->key().starts_with(prefix_)) return Place();
    const std::string_view rest = cursor_->key().substr(prefix_.size());
    if (rest.size() < kPositionBytes) {
      return DamagedIndexRow(cursor_->key(), "its key is too short");
    }
    return Place(rest.substr(0, kPositionBytes));
  }

 private:
  const std::unique_ptr<IndexCursor> cursor_;
  const std::string prefix_;
  std::string wanted_;  // the prefix, then the place asked for
  bool begun_ = false;
};

// What each stream has next is kept until it is passed.
class UnionStream final : public PlaceStream {
 public:
  explicit UnionStream(Streams streams)
      : streams_(std::move(streams)), next_(streams_.size(), Place("")) {}

  absl::StatusOr<Place> AtOrAfter(std::string_view place) override {
    Place first;
    for (size_t i = 0; i < streams_.size(); ++i) {
      if (next_[i] && (next_[i]->empty() || *next_[i] < place)) {
        STELE_ASSIGN_OR_RETURN(next_[i], streams_[i]->AtOrAfter(place));
      }
      if (next_[i] && (!first || *next_[i] < *first)) first = next_[i];
    }
    return first;
  }

 private:
  const Streams streams_;
  std::vector<Place> next_;  // "" before the first question
};

}  // namespace

std::optional<std::string> PlaceAfter(std::string place) {
  for (size_t i = place.size(); i-- > 0;) {
    if (++place[i] != '\0') return place;
  }
  return std::nullopt;
}

std::unique_ptr<PlaceStream> StreamOf(const IndexSnapshot& index, std::string prefix) {
  return std::make_unique<TableStream>(index, std::move(prefix));
}

std::unique_ptr<PlaceStream> UnionOf(Streams streams) {
  return std::make_unique<UnionStream>(std::move(streams));
}

absl::StatusOr<std::optional<Meeting>> NextMeeting(const Streams& streams, std::string_view place,
                                                   size_t& steps) {
  std::string wanted(place);
  for (size_t agreed = 0, i = 0; agreed < streams.size(); i = (i + 1) % streams.size()) {
    if (steps == 0) return Meeting{std::move(wanted), false};
    --steps;
    STELE_ASSIGN_OR_RETURN(Place next, streams[i]->AtOrAfter(wanted));
    if (!next) return std::optional<Meeting>();
    agreed = *next == wanted ? agreed + 1 : 1;
    wanted = *std::move(next);
  }
  return Meeting{std::move(wanted), true};
}

}  // namespace stele::store
