// One frame: what every row but content is on disk (docs/formats/disk.md). Pure; any thread.
//
//   0   "St"
//   2   row type, 1 byte
//   3   version, 1 byte: 1
//   4   length of the body, u32 little-endian, a multiple of 8
//   8   XXH3-64 of the body, seeded with bytes 0 to 7 as a little-endian number, u64 little-endian
//   16  body: one Cap'n Proto message in its standard form
//
// A worked example: docs/formats/disk.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace stele::store {

inline constexpr size_t kFrameHeaderBytes = 16;
inline constexpr uint8_t kFrameVersion = 1;

enum class RowType : uint8_t {
  kHead = 1,
  kEntry = 2,
  kTile = 3,
  kReplay = 4,
  kPublication = 5,
  kKeyEvent = 6,
  kSubject = 7,
  kArtifact = 8,
  kStagedArtifact = 9,
  // Of the derived index (index_values.h).
  kIndexPosition = 64,
  kIndexFirst = 65,
  kIndexBody = 66,
  kIndexTitle = 67,
  kIndexReference = 68,
  kIndexRun = 69,
};

// What to call a row in an error, "entry 17"; made only when there is one.
using RowName = absl::FunctionRef<std::string()>;

// Completes `frame`, whose body already stands behind kFrameHeaderBytes of room for the header.
// Another version than ours only to test its refusal.
void SealFrame(RowType type, std::string& frame, uint8_t version = kFrameVersion);

// The body, a view into `frame`, after everything about it was checked. DATA_LOSS (DAMAGED) naming
// the row, or FAILED_PRECONDITION for an intact frame of a version that this program does not know.
absl::StatusOr<std::string_view> OpenFrame(RowType type, std::string_view frame, RowName row);

// DATA_LOSS, reason DAMAGED: "<row> is damaged: <what>; …".
absl::Status DamagedRow(RowName row, const std::string& what);

}  // namespace stele::store
