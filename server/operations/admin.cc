#include "server/operations/admin.h"

#include <utility>

#include "server/base/cat.h"

namespace stele::server {

Admin::Admin(const store::Store& store, const CallCounts& calls,
             std::function<void(MetricValues&)> rest)
    : store_(store), calls_(calls), rest_(std::move(rest)) {}

HttpResponse Admin::Answer(const HttpRequest& request) const {
  if (request.path == "/metrics") return Metrics();
  if (request.path == "/readyz") return Ready();
  if (request.path == "/healthz") {
    HttpResponse response;
    response.body = "ok\n";
    return response;
  }
  return HttpError(404, "nothing is here but /metrics, /healthz and /readyz");
}

HttpResponse Admin::Metrics() const {
  MetricValues values;
  values.store = store_.Stats();
  values.write_state = store_.write_state();
  values.process = ReadProcessStats();
  rest_(values);
  HttpResponse response;
  response.content_type = "text/plain; version=0.0.4; charset=utf-8";
  response.body = RenderMetrics(values, calls_);
  return response;
}

HttpResponse Admin::Ready() const {
  if (draining_) return HttpError(503, "the server is stopping");
  if (absl::Status state = store_.write_state(); !state.ok()) {
    return HttpError(503, FromAbsl(state.message()));
  }
  HttpResponse response;
  response.body = "statements are accepted\n";
  return response;
}

}  // namespace stele::server
