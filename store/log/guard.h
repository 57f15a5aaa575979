// The guard (formats §6): a small file outside the data folder that remembers what was last
// acknowledged, so that a rolled-back or damaged store is not continued into a second history.
//
// Three blocks of 4,096 bytes, numbers little-endian, the last 8 bytes of each the XXH3-64 of the
// rest with the block's number as seed:
//   0  "stele guard v1\n\0" | u32 length of the origin | genesis leaf hash, 32 bytes | origin
//   1, 2  u64 sequence | u64 size | root, 32 bytes | genesis leaf hash, 32 bytes
// The slot (1 or 2) with the higher sequence counts; Record writes the other one. All other bytes
// zero.
//
// One thread at a time. The file is locked (flock) for the life of the object.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/strong_int.h"
#include "core/merkle/hash.h"

namespace stele::store {

// Which store a guard is of.
struct GuardIdentity {
  std::string origin;
  Hash genesis_leaf_hash;
  friend bool operator==(const GuardIdentity&, const GuardIdentity&) = default;
};

// What was last acknowledged.
struct GuardPosition {
  TreeSize size;
  Hash root;
  friend bool operator==(const GuardPosition&, const GuardPosition&) = default;
};

struct GuardSlot;  // guard_block.h

class Guard {
 public:
  // A new guard, on stable storage with its directory entry when this returns OK. ALREADY_EXISTS if
  // anything has that name (never overwritten), INVALID_ARGUMENT for an origin over the format's
  // limit, RESOURCE_EXHAUSTED (DISK_FULL) or UNAVAILABLE for I/O; then a partial file may stay
  // behind.
  static absl::StatusOr<std::unique_ptr<Guard>> Create(const std::filesystem::path& path,
                                                       const GuardIdentity& identity,
                                                       const GuardPosition& position);
  // NOT_FOUND if there is none, FAILED_PRECONDITION if another process (or another Guard of this
  // one) holds it, DATA_LOSS if it is no guard, or its header or both slots are damaged. One
  // damaged slot is what a kill inside Record leaves, and fine.
  static absl::StatusOr<std::unique_ptr<Guard>> Open(const std::filesystem::path& path);
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  const std::filesystem::path& path() const { return path_; }
  const GuardIdentity& identity() const { return identity_; }
  const GuardPosition& position() const { return position_; }
  // FAILED_PRECONDITION, naming both, if this is the guard of another store.
  absl::Status CheckIdentity(const GuardIdentity& store) const;

  // On stable storage when it returns OK. A smaller size, or another root at the same size, is
  // FAILED_PRECONDITION and changes nothing. RESOURCE_EXHAUSTED (DISK_FULL) or UNAVAILABLE for I/O:
  // nobody knows what is on the disk then, every further Record is FAILED_PRECONDITION, open it
  // again.
  absl::Status Record(const GuardPosition& position);
  // Writes the position once more, over the slot that does not hold it, and so mends that one. As
  // Record.
  absl::Status Refresh();

 private:
  Guard(std::filesystem::path path, int fd);
  absl::Status ReadBlocks();
  absl::Status WriteNext(const GuardPosition& position);
  absl::Status WriteSlot(int slot, const GuardSlot& content);

  const std::filesystem::path path_;
  const int fd_;
  GuardIdentity identity_;
  GuardPosition position_;
  uint64_t sequence_ = 0;
  int slot_ = 0;  // 0 or 1: where position_ stands
  bool failed_ = false;
};

}  // namespace stele::store
