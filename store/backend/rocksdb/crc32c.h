// CRC-32C, as RocksDB computes it. Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace stele::store {

// Of `bytes` behind those whose checksum is `crc`; 0 for none.
uint32_t ExtendCrc32c(uint32_t crc, std::string_view bytes);

}  // namespace stele::store
