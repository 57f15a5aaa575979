// RocksDB's errors as Stele's: what should the caller do?
#pragma once

#include <rocksdb/status.h>

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace stele::store {

// OK; RESOURCE_EXHAUSTED (DISK_FULL); UNAVAILABLE for other I/O and for what passes; DATA_LOSS
// (DAMAGED) for everything else, since on a sound store nothing else comes. `doing` begins the
// message, "reading entry 5".
absl::Status FromRocksDb(const rocksdb::Status& status, std::string_view doing);

}  // namespace stele::store
