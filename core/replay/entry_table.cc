#include "core/replay/entry_table.h"

#include <algorithm>

namespace stele {

static_assert(sizeof(EntryRow) == 24);

uint8_t ReasonTable::Intern(std::string_view word) {
  const auto known = std::find(words_.begin() + 1, words_.end(), word);
  const auto id = static_cast<uint8_t>(known - words_.begin());
  if (known == words_.end()) words_.emplace_back(word);
  return id;
}

std::optional<Ordinal> EntryTable::Find(EntryIndex index) const {
  const auto below = [](const EntryRow& row, EntryIndex i) { return row.index < i; };
  const auto row = std::lower_bound(rows_.begin(), rows_.end(), index, below);
  if (row == rows_.end() || row->index != index) return std::nullopt;
  return static_cast<Ordinal>(row - rows_.begin());
}

}  // namespace stele
