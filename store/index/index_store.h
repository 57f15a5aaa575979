// Where the index's rows are: an ordered map beside the log, that may be thrown away at any time.
//
// Contract of every engine, checked by one test suite:
// - A write is whole or not at all, rows and position together, also after a crash. It need not be
//   durable when it returns: after a crash the position says what is there.
// - Rows are added, never changed or removed: a key that comes again has the same value.
// - A snapshot is one moment, whatever is written meanwhile. It pins what it reads.
// - A read gives the bytes that were written, or DATA_LOSS, or UNAVAILABLE for I/O.
// - Everything may be called from any thread; Write from one at a time.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/codec/index_values.h"

namespace stele::store {

// By key, bytewise.
using IndexRows = std::map<std::string, std::string>;

// Goes through rows in ascending order. One thread at a time; not longer than its snapshot.
class IndexCursor {
 public:
  virtual ~IndexCursor() = default;
  // To the first row whose key is `key` or greater.
  virtual void Seek(std::string_view key) = 0;
  virtual void Next() = 0;  // only while valid
  virtual bool valid() const = 0;
  // Good until the cursor moves.
  virtual std::string_view key() const = 0;
  virtual std::string_view value() const = 0;
  // Why it is not valid: OK at the end.
  virtual absl::Status status() const = 0;
};

class IndexSnapshot {
 public:
  virtual ~IndexSnapshot() = default;
  virtual const IndexPosition& position() const = 0;
  // Nothing if there is no such row.
  virtual absl::StatusOr<std::optional<std::string>> Get(std::string_view key) const = 0;
  // Of each key in its order what Get gives; takes less time than asking for each.
  virtual absl::StatusOr<std::vector<std::optional<std::string>>> GetMany(
      const std::vector<std::string>& keys) const = 0;
  virtual std::unique_ptr<IndexCursor> NewCursor() const = 0;
};

class IndexStore {
 public:
  virtual ~IndexStore() = default;
  virtual absl::StatusOr<std::shared_ptr<const IndexSnapshot>> GetSnapshot() const = 0;
  // RESOURCE_EXHAUSTED with reason DISK_FULL, DATA_LOSS, else UNAVAILABLE; then nothing more is
  // written to this handle.
  virtual absl::Status Write(const IndexRows& rows, const IndexPosition& position) = 0;
  // Numbers for /metrics by name.
  virtual std::vector<std::pair<std::string, uint64_t>> Stats() const { return {}; }
};

// Makes the rows that begin with `prefix` known one by one, until `visit` is not OK.
absl::Status VisitPrefix(
    const IndexSnapshot& snapshot, std::string_view prefix,
    const std::function<absl::Status(std::string_view key, std::string_view value)>& visit);

}  // namespace stele::store
