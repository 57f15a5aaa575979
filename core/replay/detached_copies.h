// Detached entries and their replays (rules 23, 29). An envelope that is withheld answers no
// replay, and withholding may come after the copy: so the verdict of a copy is found at the head.
#pragma once

#include <vector>

#include "absl/functional/function_ref.h"
#include "core/replay/entry_table.h"

namespace stele {

class DetachedCopies {
 public:
  struct Row {
    Ordinal entry = 0;
    DigestTable::Id envelope = 0;
    uint32_t earlier = kNone;  // the copy before, of those that could answer
    uint8_t alone = 0;         // the reason that it is void for if it is no replay, 0 for none
    bool replay = false;       // some copy below it answered where it stands
  };
  static constexpr uint32_t kNone = ~uint32_t{0};
  using Withheld = absl::FunctionRef<bool(DigestTable::Id envelope)>;

  uint32_t Add(const Row& row) {
    rows_.push_back(row);
    return static_cast<uint32_t>(rows_.size() - 1);
  }
  const Row& operator[](uint32_t at) const { return rows_[at]; }
  const std::vector<Row>& rows() const { return rows_; }
  // Of a detached entry.
  const Row& Of(Ordinal entry) const;

  // Does a copy from `at` on downwards answer a replay?
  bool Answers(uint32_t at, Withheld withheld) const;

 private:
  std::vector<Row> rows_;
};

}  // namespace stele
