// What --admin answers: /metrics, /healthz (the process lives), /readyz (statements are accepted;
// else 503 and why not). Any thread.
#pragma once

#include <atomic>
#include <functional>

#include "server/http/message.h"
#include "server/metrics/call_counts.h"
#include "server/metrics/exposition.h"
#include "store/store.h"

namespace stele::server {

class Admin {
 public:
  // `store` and `calls` outlive this; `rest` fills in what belongs to neither (version, listeners).
  Admin(const store::Store& store, const CallCounts& calls,
        std::function<void(MetricValues&)> rest);

  HttpResponse Answer(const HttpRequest& request) const;
  // From now on /readyz says that the server is stopping.
  void BeginDrain() { draining_ = true; }

 private:
  HttpResponse Metrics() const;
  HttpResponse Ready() const;

  const store::Store& store_;
  const CallCounts& calls_;
  const std::function<void(MetricValues&)> rest_;
  std::atomic<bool> draining_{false};
};

}  // namespace stele::server
