// Sums of rows that do not depend on their order: two sets of rows are the same if their sums are.
// So a walk over entries and one over rows are compared without holding either. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "store/backend/backend.h"

namespace stele::store {

class RowSum {
 public:
  void Add(const ReplayRow& row);
  void Add(const PublicationRow& row);
  void Add(const SubjectRow& row);
  void Add(const KeyEvent& event);
  // Of the index.
  void Add(std::string_view key, std::string_view value);
  // The opposite of Add.
  void Subtract(const SubjectRow& row);
  uint64_t count() const { return count_; }
  friend bool operator==(const RowSum&, const RowSum&) = default;

 private:
  void AddBytes(const std::string& bytes);

  uint64_t count_ = 0;
  std::array<uint64_t, 4> sum_ = {};
};

}  // namespace stele::store
