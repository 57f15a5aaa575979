// What the derivation asks (store/index/derive.h), answered from a moment of the log and the rows
// so far: those of an index and those that are not written yet.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/index/derive.h"
#include "store/index/index_store.h"

namespace stele::store {

// Borrows the log and the rows. One thread at a time.
class LogSource final : public DeriveSource {
 public:
  // Knows publications below `below` only; without an index no rows.
  LogSource(const Snapshot& log, uint64_t below) : log_(log), below_(below) {}
  LogSource(const Snapshot& log, uint64_t below, const IndexStore& index, const IndexRows& pending)
      : log_(log), below_(below), index_(&index), pending_(&pending) {}

  absl::StatusOr<std::vector<PublicationRow>> Publications(const Digest& record) const override;
  // DATA_LOSS if other bytes stand there.
  absl::StatusOr<std::optional<std::string>> Content(const Digest& digest) const override;
  absl::Status VisitResults(const Digest& workload, Visit visit) const override;
  absl::Status VisitRecordsOf(const Digest& manifest, Visit visit) const override;

 private:
  // What follows `prefix` in each key ends with the digest of a record.
  absl::Status VisitRecords(const std::string& prefix, Visit visit) const;

  const Snapshot& log_;
  const uint64_t below_;
  const IndexStore* const index_ = nullptr;
  const IndexRows* const pending_ = nullptr;
};

}  // namespace stele::store
