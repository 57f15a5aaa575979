#include "client/publisher.h"

#include <thread>
#include <utility>

#include "client/backoff.h"
#include "client/publish_queue.h"
#include "client/publish_stream.h"
#include "core/base/concat.h"
#include "core/base/mutex.h"
#include "core/base/status_macros.h"

namespace stele::client {
namespace {

// Is the loss of a stream worth another try? What the server will not say differently next time is
// not.
bool Retryable(absl::StatusCode code) {
  switch (code) {
    case absl::StatusCode::kOk:
    case absl::StatusCode::kCancelled:
    case absl::StatusCode::kUnknown:
    case absl::StatusCode::kInternal:
    case absl::StatusCode::kAborted:
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDeadlineExceeded:
    case absl::StatusCode::kResourceExhausted:
      return true;
    default:
      return false;
  }
}

PendingPtr MakePending(uint64_t tag, OutgoingStatement statement) {
  auto pending = std::make_shared<PendingStatement>();
  pending->tag = tag;
  pending->key = statement.key;
  pending->public_key = std::move(statement.public_key);
  pending->item = std::make_unique<v1::StatementItem>();
  pending->item->set_tag(tag);
  pending->item->set_key_id(std::string(statement.key.bytes()));
  pending->bytes = statement.envelope.size();
  pending->item->set_envelope(std::move(statement.envelope));
  for (std::string& manifest : statement.manifests) {
    pending->bytes += manifest.size();
    pending->item->add_manifests(std::move(manifest));
  }
  return pending;
}

}  // namespace

class Publisher::Impl {
 public:
  Impl(const Connection& connection, CheckpointVerifier& verifier, const PublisherOptions& options,
       Done done)
      : connection_(connection),
        verifier_(verifier),
        on_trouble_(options.on_trouble),
        keep_receipts_(options.keep_receipts),
        done_(std::move(done)),
        queue_(options, connection.timeout()),
        decided_([this](const PendingStatement& pending, absl::StatusOr<Published> result) {
          Decide(pending, std::move(result));
        }),
        driver_([this] { Drive(); }) {}

  ~Impl() {
    GiveUp(absl::CancelledError("the publisher was stopped"));
    driver_.join();
  }

  absl::Status Send(uint64_t tag, OutgoingStatement statement) {
    return Settle(queue_.Add(MakePending(tag, std::move(statement))));
  }
  absl::Status Flush() { return Settle(queue_.WaitUntilEmpty()); }

 private:
  // Nothing was decided for too long: gives up with the best reason there is.
  absl::Status Settle(absl::Status status) {
    if (status.code() != absl::StatusCode::kDeadlineExceeded || !status.message().empty()) {
      return status;
    }
    absl::Status trouble = queue_.last_trouble();
    const std::string waited = Concat("gave up after ", connection_.timeout().count(), " ms");
    if (trouble.ok()) {
      trouble = absl::DeadlineExceededError(
          Concat("no answer from ", connection_.address(), ": ", waited));
    } else {
      trouble = absl::UnavailableError(Concat(std::string(trouble.message()), " (", waited, ")"));
    }
    GiveUp(trouble);
    return trouble;
  }

  void GiveUp(const absl::Status& why) STELE_EXCLUDES(stream_mutex_) {
    const std::vector<PendingPtr> left = queue_.Close(why);
    {
      MutexLock lock(stream_mutex_);
      stopped_ = true;
      if (stream_ != nullptr) stream_->Cancel();
    }
    for (const PendingPtr& pending : left) Decide(*pending, why);
  }

  void Decide(const PendingStatement& pending, absl::StatusOr<Published> result)
      STELE_EXCLUDES(done_mutex_) {
    {
      MutexLock lock(done_mutex_);
      done_(pending.tag, std::move(result));
    }
    queue_.Release(pending);
  }

  absl::Status RunStream() STELE_EXCLUDES(stream_mutex_) {
    PublishStream stream(connection_, verifier_, queue_, decided_, keep_receipts_);
    {
      MutexLock lock(stream_mutex_);
      stream_ = &stream;
      if (stopped_) stream.Cancel();
    }
    absl::Status status = stream.Run();
    MutexLock lock(stream_mutex_);
    stream_ = nullptr;
    return status;
  }

  void Drive() {
    Backoff backoff;
    auto earliest = PublishQueue::Clock::now();
    while (queue_.WaitForWork(earliest)) {
      absl::Status status = RunStream();
      const bool retryable = Retryable(status.code());
      if (status.ok()) status = absl::UnavailableError("the server ended the stream");
      if (!retryable) return GiveUp(status);
      const PublishQueue::Loss loss = queue_.StreamLost(status);
      if (on_trouble_ && !queue_.closed()) on_trouble_(status, loss.unanswered);
      if (loss.progressed) backoff.Reset();
      earliest = PublishQueue::Clock::now() + backoff.Next();
    }
  }

  const Connection& connection_;
  CheckpointVerifier& verifier_;
  const std::function<void(const absl::Status&, size_t)> on_trouble_;
  const bool keep_receipts_;
  const Done done_;
  PublishQueue queue_;
  const PublishStream::Decided decided_;
  Mutex done_mutex_;
  Mutex stream_mutex_;
  PublishStream* stream_ STELE_GUARDED_BY(stream_mutex_) = nullptr;
  bool stopped_ STELE_GUARDED_BY(stream_mutex_) = false;
  std::thread driver_;  // last: it uses everything above
};

Publisher::Publisher(const Connection& connection, CheckpointVerifier& verifier,
                     const PublisherOptions& options, Done done)
    : impl_(std::make_unique<Impl>(connection, verifier, options, std::move(done))) {}

Publisher::~Publisher() = default;

absl::Status Publisher::Send(uint64_t tag, OutgoingStatement statement) {
  return impl_->Send(tag, std::move(statement));
}

absl::Status Publisher::Flush() { return impl_->Flush(); }

}  // namespace stele::client
