#include "store/backend/rocksdb/staging.h"

#include <rocksdb/write_batch.h>

#include <utility>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "store/backend/plan_check.h"
#include "store/backend/rocksdb/status.h"
#include "store/backend/rocksdb/wal_chain.h"
#include "store/codec/keys.h"
#include "store/codec/rows.h"

namespace stele::store {
namespace {

rocksdb::Slice ToSlice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
std::string_view View(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

std::string NameOf(const Digest& digest, uint64_t number) {
  return Concat("chunk ", number, " of artifact ", digest.ToText());
}

}  // namespace

// False if there is no such row.
absl::StatusOr<bool> RocksDbStaging::Get(Family family, std::string_view key, std::string_view what,
                                         rocksdb::PinnableSlice& value) const {
  if (database_->family(family) == nullptr) return false;
  rocksdb::ReadOptions options;
  options.verify_checksums = true;
  const rocksdb::Status status =
      database_->db().Get(options, database_->family(family), ToSlice(key), &value);
  if (status.IsNotFound()) return false;
  STELE_RETURN_IF_ERROR(FromRocksDb(status, Concat("reading ", what)));
  return true;
}

absl::StatusOr<std::optional<StagedArtifact>> RocksDbStaging::Find(const Digest& digest) const {
  rocksdb::PinnableSlice value;
  STELE_ASSIGN_OR_RETURN(const bool there,
                         Get(Family::kStaged, digest.bytes(), "what is staged", value));
  if (!there) return std::optional<StagedArtifact>();
  STELE_ASSIGN_OR_RETURN(StagedArtifact staged, DecodeStaged(View(value), digest));
  return std::optional(std::move(staged));
}

absl::StatusOr<std::optional<ArtifactRow>> RocksDbStaging::FindStored(const Digest& digest) const {
  rocksdb::PinnableSlice value;
  STELE_ASSIGN_OR_RETURN(const bool there,
                         Get(Family::kArtifacts, digest.bytes(), "an artifact", value));
  if (!there) return std::optional<ArtifactRow>();
  STELE_ASSIGN_OR_RETURN(ArtifactRow row, DecodeArtifact(View(value), digest));
  return std::optional(std::move(row));
}

absl::StatusOr<std::vector<StagedArtifact>> RocksDbStaging::List() const {
  std::vector<StagedArtifact> all;
  if (database_->family(Family::kStaged) == nullptr) return all;
  rocksdb::ReadOptions options;
  options.verify_checksums = true;
  std::unique_ptr<rocksdb::Iterator> it(
      database_->db().NewIterator(options, database_->family(Family::kStaged)));
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    const auto digest = Digest::FromBytes(View(it->key()));
    if (!digest) {
      return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "",
                    "a staged artifact has a key that is no digest");
    }
    STELE_ASSIGN_OR_RETURN(StagedArtifact staged, DecodeStaged(View(it->value()), *digest));
    all.push_back(std::move(staged));
  }
  STELE_RETURN_IF_ERROR(FromRocksDb(it->status(), "reading what is staged"));
  return all;
}

// They are written in order, and flushed in order: the first that is missing is found by halving.
absl::StatusOr<uint64_t> RocksDbStaging::HeldChunks(const Digest& digest, uint64_t chunks) const {
  uint64_t held = 0, missing = chunks;
  while (held < missing) {
    const uint64_t middle = held + (missing - held) / 2;
    rocksdb::PinnableSlice value;
    STELE_ASSIGN_OR_RETURN(const bool there, Get(Family::kChunks, ChunkKey(digest, middle),
                                                 NameOf(digest, middle), value));
    if (there) {
      held = middle + 1;
    } else {
      missing = middle;
    }
  }
  return held;
}

absl::StatusOr<std::string> RocksDbStaging::Chunk(const Digest& digest, uint64_t number) const {
  rocksdb::PinnableSlice value;
  STELE_ASSIGN_OR_RETURN(const bool there, Get(Family::kChunks, ChunkKey(digest, number),
                                               NameOf(digest, number), value));
  if (there) return value.ToString();
  return absl::NotFoundError(Concat("there is no ", NameOf(digest, number)));
}

absl::Status RocksDbStaging::CheckWritable() const {
  if (read_only_) {
    return Refuse(absl::StatusCode::kFailedPrecondition, reason::kReadOnly, "",
                  "the store is open for reading only");
  }
  const absl::Status cause = database_->poison().cause();
  return cause.ok() ? cause : RefusePoisoned(cause);
}

absl::Status RocksDbStaging::Written(const rocksdb::Status& status, std::string_view doing) const {
  absl::Status written = FromRocksDb(status, doing);
  if (!written.ok()) database_->poison().Set(written);
  return written;
}

absl::Status RocksDbStaging::WriteLogged(rocksdb::WriteBatch& batch, std::string_view doing) {
  MutexLock lock(log_mutex_);
  STELE_RETURN_IF_ERROR(CheckWritable());
  rocksdb::WriteOptions options;
  options.sync = true;
  rocksdb::Status status = MarkStaging(batch);
  if (status.ok()) status = database_->db().Write(options, &batch);
  return Written(status, doing);
}

absl::Status RocksDbStaging::Begin(const StagedArtifact& staged) {
  STELE_ASSIGN_OR_RETURN(const auto stored, FindStored(staged.digest));
  if (!stored) return PutRow(staged);
  return absl::AlreadyExistsError(Concat("the artifact ", staged.digest.ToText(), " is content"));
}

absl::Status RocksDbStaging::PutRow(const StagedArtifact& staged) {
  rocksdb::WriteBatch batch;
  const rocksdb::Status put = batch.Put(database_->family(Family::kStaged),
                                        ToSlice(staged.digest.bytes()), EncodeStaged(staged));
  STELE_RETURN_IF_ERROR(FromRocksDb(put, "staging"));
  return WriteLogged(batch, Concat("staging ", staged.digest.ToText()));
}

absl::Status RocksDbStaging::PutChunk(const Digest& digest, uint64_t number,
                                      std::string_view bytes) {
  STELE_RETURN_IF_ERROR(CheckWritable());
  rocksdb::WriteOptions options;
  options.disableWAL = true;
  return Written(database_->db().Put(options, database_->family(Family::kChunks),
                                     ChunkKey(digest, number), ToSlice(bytes)),
                 Concat("staging ", NameOf(digest, number)));
}

absl::Status RocksDbStaging::Seal(const StagedArtifact& staged) {
  STELE_RETURN_IF_ERROR(CheckWritable());
  const std::string doing = Concat("staging ", staged.digest.ToText());
  STELE_RETURN_IF_ERROR(Written(
      database_->db().Flush(rocksdb::FlushOptions(), database_->family(Family::kChunks)), doing));
  return PutRow(staged);
}

absl::Status RocksDbStaging::Drop(const StagedArtifact& staged) {
  STELE_ASSIGN_OR_RETURN(const auto stored, FindStored(staged.digest));
  rocksdb::WriteBatch batch;
  const uint64_t chunks = stored ? 0 : ChunksOf(staged.size);
  rocksdb::Status status =
      batch.Delete(database_->family(Family::kStaged), ToSlice(staged.digest.bytes()));
  for (uint64_t i = 0; status.ok() && i < chunks; ++i) {
    status = batch.Delete(database_->family(Family::kChunks), ChunkKey(staged.digest, i));
  }
  STELE_RETURN_IF_ERROR(FromRocksDb(status, "dropping what was staged"));
  STELE_RETURN_IF_ERROR(WriteLogged(batch, Concat("dropping ", staged.digest.ToText())));
  if (chunks == 0) return absl::OkStatus();
  // Compacted away at once, or their bytes would stay until something else is written there.
  const std::string first = ChunkKey(staged.digest, 0), last = ChunkKey(staged.digest, chunks - 1);
  const rocksdb::Slice begin(first), end(last);
  rocksdb::CompactRangeOptions options;
  options.exclusive_manual_compaction = false;
  return Written(
      database_->db().CompactRange(options, database_->family(Family::kChunks), &begin, &end),
      Concat("giving back the room of ", staged.digest.ToText()));
}

}  // namespace stele::store
