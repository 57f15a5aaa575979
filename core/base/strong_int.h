// Integers that cannot be mixed up: an entry's index, a tree's size, a time.
//
// A value type without arithmetic except what makes sense for a position: `++`,
// comparison, and `value()` to get out. Free of threads and ownership.
#pragma once

#include <compare>
#include <cstdint>

namespace stele {

template <class Tag, class Rep>
class StrongInt {
 public:
  constexpr StrongInt() = default;
  constexpr explicit StrongInt(Rep value) : value_(value) {}
  constexpr Rep value() const { return value_; }
  constexpr StrongInt& operator++() {
    ++value_;
    return *this;
  }
  friend constexpr auto operator<=>(StrongInt, StrongInt) = default;
  template <class H>
  friend H AbslHashValue(H h, StrongInt v) {
    return H::combine(std::move(h), v.value_);
  }

 private:
  Rep value_{};
};

// Position of an entry in the log, from 0 (genesis).
using EntryIndex = StrongInt<struct EntryIndexTag, uint64_t>;
// Number of leaves of a tree; the tree of size n holds entries 0 to n-1.
using TreeSize = StrongInt<struct TreeSizeTag, uint64_t>;
// Milliseconds since 1970-01-01T00:00:00Z, as in an entry's `logged`.
using TimeMs = StrongInt<struct TimeMsTag, int64_t>;

// An index or "none", written -1: `after` and `authority` (formats, statement and entry).
using EventIndex = StrongInt<struct EventIndexTag, int64_t>;
inline constexpr EventIndex kNoEvent{-1};

}  // namespace stele
