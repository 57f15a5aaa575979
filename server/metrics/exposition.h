// /metrics in the Prometheus text form, made anew at each scrape.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "server/metrics/call_counts.h"
#include "server/metrics/process.h"
#include "store/store.h"

namespace stele::server {

// Everything that a scrape shows, taken at one moment.
struct MetricValues {
  std::string version;
  store::StoreStats store;
  absl::Status write_state;
  uint64_t streams = 0, unanswered_statements = 0, unanswered_bytes = 0;
  uint64_t http_connections = 0, http_requests = 0, http_refused = 0;
  ProcessStats process;
};

std::string RenderMetrics(const MetricValues& values, const CallCounts& calls);

}  // namespace stele::server
