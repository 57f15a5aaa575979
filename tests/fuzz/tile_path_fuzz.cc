// A path that is read is written back as the same bytes, and is a tile that can exist.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/tlog/tile.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::optional<stele::TileId> id = stele::ParseTilePath(input);
  if (!id) return 0;
  if (stele::TilePath(*id) != input || id->width < 1 || id->width > 256) std::abort();
  if (id->level < stele::TileId::kEntries || id->level > 7) std::abort();
  return 0;
}
