// Finds holes in the write-ahead log that RocksDB tolerates.
//
// Every batch carries the tree sizes that it leads from and to. At recovery the filter sees every
// batch that is replayed; one that does not begin where the one before ended means that something
// between them is gone (RocksDB takes a cut record at the end of any log file for a torn tail, not
// only of the last), and is reported as corruption. What is staged is no part of that chain: a plan
// that names it does not depend on this log.
#pragma once

#include <rocksdb/wal_filter.h>
#include <rocksdb/write_batch.h>

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/strong_int.h"

namespace stele::store {

// Marks a batch; in the write-ahead log only, no row.
rocksdb::Status MarkBatch(TreeSize base, TreeSize size, rocksdb::WriteBatch& batch);
// Marks one that only stages.
rocksdb::Status MarkStaging(rocksdb::WriteBatch& batch);

// For one opening of one database. RocksDB calls it from the opening thread.
class WalChain final : public rocksdb::WalFilter {
 public:
  WalProcessingOption LogRecordFound(unsigned long long log_number, const std::string& file,
                                     const rocksdb::WriteBatch& batch,
                                     rocksdb::WriteBatch* new_batch, bool* changed) override;
  const char* Name() const override { return "stele.WalChain"; }

  // The hole found, in words; empty if none.
  const std::string& hole() const { return hole_; }

 private:
  std::optional<uint64_t> reached_;
  std::string hole_;
};

}  // namespace stele::store
