#include "client/source/http_source.h"

#include <utility>
#include <vector>

#include "client/backoff.h"
#include "client/source/http_flight.h"
#include "client/source/http_transfer.h"
#include "client/source/stuck_transfer.h"
#include "core/base/concat.h"
#include "core/base/mutex.h"
#include "core/base/status_macros.h"

namespace stele::client {
namespace {

// Requests on their way, and answers that wait for one before them.
constexpr size_t kParallel = 16;

struct CloseMulti {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};
using Multi = std::unique_ptr<CURLM, CloseMulti>;

}  // namespace

// Handles with their open connections, for whichever thread comes next.
class HttpSource::Pool {
 public:
  explicit Pool(const HttpOptions& options) : options_(options) {
    // Once for the process, and before the first handle.
    static const CURLcode global = curl_global_init(CURL_GLOBAL_DEFAULT);
    static_cast<void>(global);
  }

  Easy Get() STELE_EXCLUDES(mutex_) {
    {
      const MutexLock lock(mutex_);
      if (!free_.empty()) {
        Easy easy = std::move(free_.back());
        free_.pop_back();
        return easy;
      }
    }
    return NewEasy(options_);
  }
  void Put(Easy easy) STELE_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    free_.push_back(std::move(easy));
  }
  // A handle keeps its connections in the multi handle that it ran under.
  Multi GetMulti() STELE_EXCLUDES(mutex_) {
    {
      const MutexLock lock(mutex_);
      if (!multis_.empty()) {
        Multi multi = std::move(multis_.back());
        multis_.pop_back();
        return multi;
      }
    }
    return Multi(curl_multi_init());
  }
  void PutMulti(Multi multi) STELE_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    multis_.push_back(std::move(multi));
  }

 private:
  const HttpOptions& options_;
  Mutex mutex_;
  std::vector<Easy> free_ STELE_GUARDED_BY(mutex_);
  std::vector<Multi> multis_ STELE_GUARDED_BY(mutex_);
};

HttpSource::HttpSource(std::string prefix, HttpOptions options)
    : prefix_(prefix.substr(0, prefix.find_last_not_of('/') + 1)),
      options_(std::move(options)),
      pool_(std::make_unique<Pool>(options_)) {}

HttpSource::~HttpSource() = default;

absl::StatusOr<std::string> HttpSource::File(const std::string& path, size_t max_bytes) {
  absl::StatusOr<std::string> body = absl::UnavailableError("");
  StuckTransfer stuck;
  const auto attempt = [&] {
    Easy easy = pool_->Get();
    if (easy == nullptr) return (body = NoMemory()).status();
    Transfer transfer(std::move(easy), Url(path), max_bytes);
    body = transfer.Finish(curl_easy_perform(transfer.easy()));
    stuck.Note(transfer.broken_at());
    pool_->Put(transfer.TakeEasy());
    return body.status();
  };
  const absl::Status ended =
      stuck.Judge(RetryWhileUnavailable(options_.timeout, attempt, [](const absl::Status&) {}));
  if (!ended.ok()) return ended;
  return body;
}

absl::Status HttpSource::Stream(const std::string& path, uint64_t max_bytes, ByteSink& sink) {
  StuckTransfer stuck;
  const auto attempt = [&]() -> absl::Status {
    STELE_RETURN_IF_ERROR(sink.Begin());
    Easy easy = pool_->Get();
    if (easy == nullptr) return NoMemory();
    Transfer transfer(std::move(easy), Url(path), max_bytes, &sink);
    const absl::Status status = transfer.Finish(curl_easy_perform(transfer.easy())).status();
    stuck.Note(transfer.broken_at());
    pool_->Put(transfer.TakeEasy());
    return status;
  };
  return stuck.Judge(RetryWhileUnavailable(options_.timeout, attempt, [](const absl::Status&) {}));
}

absl::Status HttpSource::Files(const std::vector<std::string>& paths, size_t max_bytes,
                               const VisitFile& visit) {
  Multi multi = pool_->GetMulti();
  if (multi == nullptr) return NoMemory();
  absl::Status status;
  {
    Flight flight(multi.get());
    size_t started = 0;
    for (size_t at = 0; at < paths.size() && status.ok(); ++at) {
      while (status.ok() && started < paths.size() && flight.waiting() < kParallel) {
        Easy easy = pool_->Get();
        if (easy == nullptr) return NoMemory();
        status = flight.Start(started, std::move(easy), Url(paths[started]), max_bytes);
        ++started;
      }
      if (!status.ok()) break;
      absl::StatusOr<std::string> body =
          flight.Await(at, [&](Easy easy) { pool_->Put(std::move(easy)); });
      // Once more on its own, with patience.
      if (absl::IsUnavailable(body.status())) body = File(paths[at], max_bytes);
      status = visit(at, std::move(body));
    }
  }
  pool_->PutMulti(std::move(multi));
  return status;
}

}  // namespace stele::client
