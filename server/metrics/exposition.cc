#include "server/metrics/exposition.h"

#include <prometheus/metric_family.h>
#include <prometheus/metric_type.h>
#include <prometheus/text_serializer.h>

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/base/refusal.h"

namespace stele::server {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;
using Families = std::vector<MetricFamily>;

ClientMetric Sample(MetricType type, double value, std::vector<ClientMetric::Label> labels) {
  ClientMetric sample;
  sample.label = std::move(labels);
  (type == MetricType::Counter ? sample.counter.value : sample.gauge.value) = value;
  return sample;
}

template <class Number>
void Add(Families& out, MetricType type, std::string name, std::string help, Number value,
         std::vector<ClientMetric::Label> labels = {}) {
  MetricFamily family{std::move(name), std::move(help), type, {}};
  family.metric.push_back(Sample(type, static_cast<double>(value), std::move(labels)));
  out.push_back(std::move(family));
}

void AddStore(Families& out, const MetricValues& values) {
  constexpr auto kGauge = MetricType::Gauge, kCounter = MetricType::Counter;
  const store::StoreStats& store = values.store;
  Add(out, kGauge, "stele_tree_size", "Entries in the log.", store.tree_size);
  Add(out, kGauge, "stele_queue_statements", "Statements waiting for the writer.", store.queued);
  Add(out, kGauge, "stele_queue_bytes", "Bytes of the statements waiting.", store.queued_bytes);
  Add(out, kCounter, "stele_commits_total", "Durable commits.", store.commits);
  Add(out, kCounter, "stele_appended_total", "Statements appended.", store.appended);
  Add(out, kCounter, "stele_replayed_total", "Statements that were there already.", store.replayed);
  Add(out, kCounter, "stele_refused_total", "Statements refused.", store.refused);
  Add(out, kCounter, "stele_guard_syncs_total", "Synchronised writes of the guard.",
      store.guard_syncs);
  Add(out, kCounter, "stele_reopened_total", "Times the engine was reopened after a fault.",
      store.reopened);
  Add(out, kGauge, "stele_index_applied", "Entries that the derived index has taken in.",
      store.index_applied);
  Add(out, kGauge, "stele_index_state", "Always 1; how the derived index stands to the log.", 1,
      {{"state", std::string(IndexStateName(store.index_state))}});
  Add(out, kGauge, "stele_staged_artifacts", "Artifacts uploaded and not yet published.",
      store.staged_artifacts);
  Add(out, kGauge, "stele_staged_bytes", "Bytes announced of those artifacts.", store.staged_bytes);
  Add(out, kGauge, "stele_uploads", "Uploads of artifacts under way.", store.uploads);
  Add(out, kGauge, "stele_accepts_statements", "1 while statements are taken, else 0.",
      values.write_state.ok() ? 1 : 0,
      {{"reason", values.write_state.ok() ? "" : ReasonOf(values.write_state)}});
  for (const auto& [name, value] : store.backend) {
    Add(out, MetricType::Untyped, absl::StrCat("stele_backend_", name), "Of the storage engine.",
        value);
    out.back().metric.back().untyped.value = static_cast<double>(value);
  }
}

void AddService(Families& out, const MetricValues& values) {
  constexpr auto kGauge = MetricType::Gauge, kCounter = MetricType::Counter;
  Add(out, kGauge, "stele_build_info", "Always 1; what runs.", 1, {{"version", values.version}});
  Add(out, kGauge, "stele_rpc_streams", "Open streams of all services.", values.streams);
  Add(out, kGauge, "stele_rpc_unanswered_statements", "Taken from streams, answer not yet sent.",
      values.unanswered_statements);
  Add(out, kGauge, "stele_rpc_unanswered_bytes", "Bytes of those statements.",
      values.unanswered_bytes);
  Add(out, kGauge, "stele_http_connections", "Open connections of --http.",
      values.http_connections);
  Add(out, kCounter, "stele_http_requests_total", "Requests of --http.", values.http_requests);
  Add(out, kCounter, "stele_http_refused_total", "Requests and connections of --http refused.",
      values.http_refused);
}

void AddProcess(Families& out, const ProcessStats& process) {
  constexpr auto kGauge = MetricType::Gauge;
  Add(out, kGauge, "process_resident_memory_bytes", "Resident memory.", process.resident_bytes);
  Add(out, kGauge, "process_virtual_memory_bytes", "Virtual memory.", process.virtual_bytes);
  Add(out, MetricType::Counter, "process_cpu_seconds_total", "User and system time.",
      process.cpu_seconds);
  Add(out, kGauge, "process_open_fds", "Open file descriptors.", process.open_fds);
  Add(out, kGauge, "process_threads", "Threads.", process.threads);
}

// Only what has happened: a line for each method and code would be 357.
void AddCalls(Families& out, const CallCounts& calls) {
  MetricFamily family{
      "stele_rpc_calls_total", "gRPC calls by method and code.", MetricType::Counter, {}};
  for (size_t m = 0; m < kMethods; ++m) {
    const auto method = static_cast<Method>(m);
    for (size_t c = 0; c < CallCounts::kCodes; ++c) {
      const auto code = static_cast<absl::StatusCode>(c);
      const uint64_t count = calls.Get(method, code);
      if (count == 0) continue;
      family.metric.push_back(Sample(
          MetricType::Counter, static_cast<double>(count),
          {{"method", std::string(MethodName(method))}, {"code", absl::StatusCodeToString(code)}}));
    }
  }
  out.push_back(std::move(family));
}

}  // namespace

std::string RenderMetrics(const MetricValues& values, const CallCounts& calls) {
  Families families;
  AddStore(families, values);
  AddService(families, values);
  AddCalls(families, calls);
  AddProcess(families, values.process);
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace stele::server
