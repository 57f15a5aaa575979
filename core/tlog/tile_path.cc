#include <charconv>

#include "core/tlog/tile.h"

namespace stele {
namespace {

constexpr std::string_view kPrefix = "tile/";
constexpr std::string_view kEntriesName = "entries";
constexpr std::string_view kPartial = ".p/";
constexpr int kMaxLevel = 63 / 8;
constexpr uint32_t kFullWidth = 256;
constexpr uint64_t kGroup = 1000;  // three digits a path element
constexpr size_t kMaxGroups = 6;   // more than the tiles of any tree

// Digits only, the whole text.
std::optional<uint32_t> ParseNumber(std::string_view text) {
  uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || at != end) return std::nullopt;
  return value;
}

// Cuts what stands before `mark` from the front, and the mark; nothing if there is no mark.
std::optional<std::string_view> TakeUntil(char mark, std::string_view& text) {
  const size_t end = text.find(mark);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end + 1);
  return part;
}

// "x001/x234/067"
std::optional<uint64_t> ParseGroups(std::string_view text) {
  uint64_t number = 0;
  for (size_t groups = 0; groups < kMaxGroups; ++groups) {
    const bool last = text.find('/') == std::string_view::npos;
    if (!last && text.front() != 'x') return std::nullopt;
    if (!last) text.remove_prefix(1);
    const std::string_view digits = last ? text : *TakeUntil('/', text);
    const std::optional<uint32_t> group = ParseNumber(digits);
    if (!group || digits.size() != 3) return std::nullopt;
    number = number * kGroup + *group;
    if (last) return number;
    if (text.empty()) return std::nullopt;
  }
  return std::nullopt;
}

std::string Groups(uint64_t number, bool last) {
  const std::string before = number >= kGroup ? Groups(number / kGroup, false) + "/" : "";
  const std::string digits = std::to_string(number % kGroup);
  return before + (last ? "" : "x") + std::string(3 - digits.size(), '0') + digits;
}

std::optional<TileId> ParseLoosely(std::string_view path) {
  if (path.substr(0, kPrefix.size()) != kPrefix) return std::nullopt;
  path.remove_prefix(kPrefix.size());
  TileId id;
  const std::optional<std::string_view> level = TakeUntil('/', path);
  if (!level || path.empty()) return std::nullopt;
  if (*level == kEntriesName) {
    id.level = TileId::kEntries;
  } else {
    const std::optional<uint32_t> number = ParseNumber(*level);
    if (!number || *number > kMaxLevel) return std::nullopt;
    id.level = static_cast<int>(*number);
  }
  if (const size_t partial = path.find(kPartial); partial != std::string_view::npos) {
    const std::optional<uint32_t> width = ParseNumber(path.substr(partial + kPartial.size()));
    if (!width || *width < 1 || *width >= kFullWidth) return std::nullopt;
    id.width = *width;
    path = path.substr(0, partial);
  }
  const std::optional<uint64_t> number = path.empty() ? std::nullopt : ParseGroups(path);
  if (!number) return std::nullopt;
  id.number = *number;
  return id;
}

}  // namespace

std::string TilePath(const TileId& id) {
  std::string path(kPrefix);
  path += id.level == TileId::kEntries ? std::string(kEntriesName) : std::to_string(id.level);
  path += "/" + Groups(id.number, true);
  if (id.width < kFullWidth) path.append(kPartial).append(std::to_string(id.width));
  return path;
}

std::optional<TileId> ParseTilePath(std::string_view path) {
  const std::optional<TileId> id = ParseLoosely(path);
  // Leading zeros and elements of zeros are other spellings of the same tile: refused.
  if (!id || TilePath(*id) != path) return std::nullopt;
  return id;
}

}  // namespace stele
