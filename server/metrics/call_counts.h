// How many calls of each method ended with each code. Any thread; one relaxed add for each call.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"

namespace stele::server {

enum class Method {
  kPublish,
  kGetContent,
  kFetchContent,
  kResolvePrefix,
  kCheckPublications,
  kGetRecord,
  kGetHead,
  kListEntries,
  kGetEntry,
  kListKeys,
  kGetLatestEvents,
  kGetServerInfo,
  kGetInclusionProof,
  kGetConsistencyProof,
  kGetTiles,
  kGetProvenEntries,
  kWatchHead,
  kListRecordEntries,
  kGetCitation,
  kListRecords,
  kGetHistory,
  kGetStandings,
  kListReferences,
  kGetCohort,
  kListResults,
  kGetEvidence,
  kGetArtifact,
  kUploadArtifact,
  kDownloadArtifact,
};
// The last one.
inline constexpr size_t kMethods = static_cast<size_t>(Method::kDownloadArtifact) + 1;
// "PublishService/Publish".
std::string_view MethodName(Method method);

class CallCounts {
 public:
  static constexpr size_t kCodes = 17;  // gRPC's, absl's the same

  void Count(Method method, absl::StatusCode code) {
    const auto at = static_cast<size_t>(code);
    counts_[static_cast<size_t>(method)][at < kCodes ? at : 2].fetch_add(1,
                                                                         std::memory_order_relaxed);
  }
  uint64_t Get(Method method, absl::StatusCode code) const {
    return counts_[static_cast<size_t>(method)][static_cast<size_t>(code)].load(
        std::memory_order_relaxed);
  }

 private:
  std::array<std::array<std::atomic<uint64_t>, kCodes>, kMethods> counts_{};
};

}  // namespace stele::server
