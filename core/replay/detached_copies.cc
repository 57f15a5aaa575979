#include "core/replay/detached_copies.h"

#include <algorithm>

namespace stele {

const DetachedCopies::Row& DetachedCopies::Of(Ordinal entry) const {
  return *std::lower_bound(rows_.begin(), rows_.end(), entry,
                           [](const Row& row, Ordinal e) { return row.entry < e; });
}

bool DetachedCopies::Answers(uint32_t at, Withheld withheld) const {
  for (; at != kNone; at = rows_[at].earlier) {
    if (!withheld(rows_[at].envelope)) return true;
  }
  return false;
}

}  // namespace stele
