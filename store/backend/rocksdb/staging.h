// Staging on RocksDB. For the files of this folder only.
//
// Chunks bypass the write-ahead log, where they would push everything else out: a flush, before the
// row that says that they are whole, makes them durable.
#pragma once

#include <memory>
#include <optional>

#include "core/base/mutex.h"
#include "store/backend/rocksdb/database.h"
#include "store/backend/staging.h"

namespace stele::store {

class RocksDbStaging final : public Staging {
 public:
  // `log_mutex` is held by whoever writes to the write-ahead log; it outlives this.
  RocksDbStaging(std::shared_ptr<Database> database, bool read_only, Mutex& log_mutex)
      : database_(std::move(database)), read_only_(read_only), log_mutex_(log_mutex) {}

  absl::StatusOr<std::optional<StagedArtifact>> Find(const Digest& digest) const override;
  absl::StatusOr<std::vector<StagedArtifact>> List() const override;
  absl::StatusOr<uint64_t> HeldChunks(const Digest& digest, uint64_t chunks) const override;
  absl::StatusOr<std::string> Chunk(const Digest& digest, uint64_t number) const override;
  absl::Status Begin(const StagedArtifact& staged) override STELE_EXCLUDES(log_mutex_);
  absl::Status PutChunk(const Digest& digest, uint64_t number, std::string_view bytes) override;
  absl::Status Seal(const StagedArtifact& staged) override STELE_EXCLUDES(log_mutex_);
  absl::Status Drop(const StagedArtifact& staged) override STELE_EXCLUDES(log_mutex_);

  // What is stored of it already; nothing if it is not.
  absl::StatusOr<std::optional<ArtifactRow>> FindStored(const Digest& digest) const;

 private:
  absl::StatusOr<bool> Get(Family family, std::string_view key, std::string_view what,
                           rocksdb::PinnableSlice& value) const;
  absl::Status CheckWritable() const;
  // What a failed write comes to.
  absl::Status Written(const rocksdb::Status& status, std::string_view doing) const;
  absl::Status PutRow(const StagedArtifact& staged) STELE_EXCLUDES(log_mutex_);
  absl::Status WriteLogged(rocksdb::WriteBatch& batch, std::string_view doing)
      STELE_EXCLUDES(log_mutex_);

  const std::shared_ptr<Database> database_;
  const bool read_only_;
  Mutex& log_mutex_;
};

}  // namespace stele::store
