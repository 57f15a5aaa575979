// The checksum of a table or blob file as a whole, which stands in RocksDB's manifest: XXH3-128, 16
// bytes in its canonical (big-endian) order. RocksDB's own CRC-32C is computed without the
// processor's help in Debian's build, over every byte that is flushed. Thread-safe.
#pragma once

#include <rocksdb/file_checksum.h>

#include <memory>
#include <string>

namespace stele::store {

// For the options: new files get ours; asked for by name, it also makes RocksDB's CRC-32C, which
// the files of older stores have.
std::shared_ptr<rocksdb::FileChecksumGenFactory> FileSums();

// Of the function that a manifest names; null if it is none that we know.
std::unique_ptr<rocksdb::FileChecksumGenerator> MakeFileSum(const std::string& function);

}  // namespace stele::store
