// A log that may be written: its backend, its guard, and what recovery found. Made at the start,
// and again after the disk was full.
#pragma once

#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "store/backend/backend.h"
#include "store/log/guard.h"
#include "store/log/recovery.h"

namespace stele::store {

struct OpenedLog {
  std::unique_ptr<Guard> guard;  // null: a log without one
  std::shared_ptr<Backend> backend;
  Recovered recovered;
};

// Opens the same log again; whatever held it before was let go.
using LogOpener = std::function<absl::StatusOr<OpenedLog>()>;

}  // namespace stele::store
