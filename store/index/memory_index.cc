#include "store/index/memory_index.h"

#include <utility>

#include "core/base/mutex.h"
#include "core/base/status_macros.h"

namespace stele::store {
namespace {

// Rows with the number of the write that brought them: a snapshot sees those up to its own.
struct Rows {
  struct Row {
    std::string value;
    uint64_t written = 0;
  };
  Mutex mutex;
  std::map<std::string, Row, std::less<>> rows STELE_GUARDED_BY(mutex);
  uint64_t writes STELE_GUARDED_BY(mutex) = 0;
  IndexPosition position STELE_GUARDED_BY(mutex);
};

class Cursor final : public IndexCursor {
 public:
  Cursor(std::shared_ptr<Rows> rows, uint64_t until) : rows_(std::move(rows)), until_(until) {}

  void Seek(std::string_view key) override {
    MutexLock lock(rows_->mutex);
    Take(rows_->rows.lower_bound(key));
  }
  void Next() override {
    MutexLock lock(rows_->mutex);
    Take(rows_->rows.upper_bound(key_));
  }
  bool valid() const override { return valid_; }
  std::string_view key() const override { return key_; }
  std::string_view value() const override { return value_; }
  absl::Status status() const override { return absl::OkStatus(); }

 private:
  template <class Iterator>
  void Take(Iterator it) STELE_REQUIRES(rows_->mutex) {
    while (it != rows_->rows.end() && it->second.written > until_) ++it;
    valid_ = it != rows_->rows.end();
    if (!valid_) return;
    key_ = it->first;
    value_ = it->second.value;
  }

  const std::shared_ptr<Rows> rows_;
  const uint64_t until_;
  bool valid_ = false;
  std::string key_, value_;
};

class MemorySnapshot final : public IndexSnapshot {
 public:
  MemorySnapshot(std::shared_ptr<Rows> rows, uint64_t until, IndexPosition position)
      : rows_(std::move(rows)), until_(until), position_(std::move(position)) {}

  const IndexPosition& position() const override { return position_; }
  absl::StatusOr<std::optional<std::string>> Get(std::string_view key) const override {
    MutexLock lock(rows_->mutex);
    const auto found = rows_->rows.find(key);
    if (found == rows_->rows.end() || found->second.written > until_) {
      return std::optional<std::string>();
    }
    return std::optional(found->second.value);
  }
  absl::StatusOr<std::vector<std::optional<std::string>>> GetMany(
      const std::vector<std::string>& keys) const override {
    std::vector<std::optional<std::string>> values(keys.size());
    for (size_t i = 0; i < keys.size(); ++i) {
      STELE_ASSIGN_OR_RETURN(values[i], Get(keys[i]));
    }
    return values;
  }
  std::unique_ptr<IndexCursor> NewCursor() const override {
    return std::make_unique<Cursor>(rows_, until_);
  }

 private:
  const std::shared_ptr<Rows> rows_;
  const uint64_t until_;
  const IndexPosition position_;
};

class MemoryIndex final : public IndexStore {
 public:
  absl::StatusOr<std::shared_ptr<const IndexSnapshot>> GetSnapshot() const override {
    MutexLock lock(rows_->mutex);
    return std::make_shared<MemorySnapshot>(rows_, rows_->writes, rows_->position);
  }
  absl::Status Write(const IndexRows& rows, const IndexPosition& position) override {
    MutexLock lock(rows_->mutex);
    ++rows_->writes;
    for (const auto& [key, value] : rows)
      rows_->rows.try_emplace(key, Rows::Row{value, rows_->writes});
    rows_->position = position;
    return absl::OkStatus();
  }

 private:
  const std::shared_ptr<Rows> rows_ = std::make_shared<Rows>();
};

}  // namespace

std::unique_ptr<IndexStore> MakeMemoryIndex() { return std::make_unique<MemoryIndex>(); }

}  // namespace stele::store
