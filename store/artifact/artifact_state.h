// How far an artifact is, and what a server takes of them. Plain data.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/artifact_limits.h"

namespace stele::reason {
// Refusals of uploads (admission; may change between releases).
inline constexpr std::string_view kStageFull = "STAGE_FULL";
inline constexpr std::string_view kUploadBusy = "UPLOAD_BUSY";
inline constexpr std::string_view kUploadOffset = "UPLOAD_OFFSET";
}  // namespace stele::reason

namespace stele::store {

struct ArtifactState {
  enum class Phase {
    kPartial,  // some of its bytes are here
    kStaged,   // all of them, verified; no publication names it yet
    kStored,   // it is content
  };
  Phase phase = Phase::kPartial;
  uint64_t size = 0;
  uint64_t held = 0;  // bytes, from the first one on: where an upload goes on
};

// Admission limits.
struct ArtifactOptions {
  uint64_t artifact_bytes = limits::kArtifactBytes;
  uint64_t staged_bytes = limits::kStagedBytes;
  size_t staged_artifacts = limits::kStagedArtifacts;
  size_t uploads = limits::kUploads;
  std::chrono::milliseconds staged_time{limits::kStagedMs};
  std::chrono::milliseconds sweep_every{60'000};  // looks for what is to be dropped
};

}  // namespace stele::store
