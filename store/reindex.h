// The derived index of a store's folder, thrown away and derived anew while nobody has it open.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "absl/status/statusor.h"
#include "store/backend/event_log.h"
#include "store/store_folder.h"

namespace stele::store {

struct ReindexOptions {
  std::filesystem::path dir;
  std::function<void(uint64_t done, uint64_t all)> progress;  // entries; may be empty
  EventLog log;
};

struct ReindexReport {
  uint64_t entries = 0;  // of the log
  uint64_t rows = 0;     // of the index
  uint64_t records = 0, references = 0, runs = 0, cohorts = 0;
};

// Holds the store's lock meanwhile; the log is only read.
//
// NOT_FOUND: no store there. FAILED_PRECONDITION: another process holds it. DATA_LOSS: the log is
// damaged (stele fsck says where); then there is no index but what had been derived. UNAVAILABLE,
// RESOURCE_EXHAUSTED (DISK_FULL) for I/O.
absl::StatusOr<ReindexReport> Reindex(const ReindexOptions& options);

}  // namespace stele::store
