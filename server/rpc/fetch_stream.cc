#include "server/rpc/fetch_stream.h"

#include <string>
#include <utility>

#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "server/base/cat.h"
#include "server/rpc/record_answers.h"
#include "server/rpc/status.h"

namespace stele::server {

FetchStream::FetchStream(store::Store& store, Streams& streams, CallCounts& calls)
    : streams_(streams), calls_(calls), reader_(store) {
  absl::Status entered = streams_.Enter(*this);
  MutexLock lock(mutex_);
  if (entered.ok()) {
    Advance();
  } else {
    End(entered);
  }
}

void FetchStream::OnReadDone(bool ok) {
  MutexLock lock(mutex_);
  reading_ = false;
  next_ = count_ = 0;
  if (!ok) {
    reads_done_ = true;
  } else if (end_.ok()) {
    end_ = CheckRequest();
    if (end_.ok()) count_ = request_.digests_size();
  }
  Advance();
}

absl::Status FetchStream::CheckRequest() const {
  const auto count = static_cast<size_t>(request_.digests_size());
  if (count > limits::kFetchDigests) {
    return RefuseLimit(absl::StatusCode::kResourceExhausted, reason::kTooLarge, "fetch_digests",
                       limits::kFetchDigests,
                       Cat(count, " digests in one request, at most ", limits::kFetchDigests));
  }
  for (int i = 0; i < request_.digests_size(); ++i) {
    STELE_RETURN_IF_ERROR(DigestField(request_.digests(i), Cat("/digests/", i)).status());
  }
  return absl::OkStatus();
}

absl::Status FetchStream::FillNext() {
  STELE_ASSIGN_OR_RETURN(const store::Reader* reader, reader_.Get());
  std::string& bytes = *request_.mutable_digests(next_++);
  STELE_ASSIGN_OR_RETURN(Digest digest, DigestField(bytes, ""));
  response_.set_digest(std::move(bytes));
  absl::StatusOr<std::string> content = ReadContent(*reader, digest);
  if (content.ok()) {
    response_.set_content(*std::move(content));
  } else {
    response_.clear_error();
    ToRpcStatus(content.status(), *response_.mutable_error());
  }
  return absl::OkStatus();
}

void FetchStream::Advance() {
  if (finished_ || writing_) return;
  if (next_ < count_) {
    if (absl::Status filled = FillNext(); !filled.ok()) return End(filled);
    writing_ = true;
    return StartWrite(&response_);
  }
  if (!end_.ok()) return End(end_);
  if (reading_) return;
  reader_.Drop();
  if (reads_done_) return End(absl::OkStatus());
  reading_ = true;
  StartRead(&request_);
}

void FetchStream::End(const absl::Status& status) {
  finished_ = true;
  code_ = status.code();
  Finish(ToGrpcStatus(status));
}

void FetchStream::OnWriteDone(bool ok) {
  MutexLock lock(mutex_);
  writing_ = false;
  if (!ok) {
    end_ = absl::CancelledError("the client is gone");
    next_ = count_;
  }
  Advance();
}

void FetchStream::OnCancel() {
  MutexLock lock(mutex_);
  end_ = absl::CancelledError("the call was cancelled");
  next_ = count_;
  Advance();
}

void FetchStream::OnDone() {
  streams_.Leave(*this);
  absl::StatusCode code;
  {
    MutexLock lock(mutex_);
    code = code_;
  }
  calls_.Count(Method::kFetchContent, code);
  delete this;
}

void FetchStream::Drain() {
  MutexLock lock(mutex_);
  if (end_.ok() && !reads_done_) end_ = StoppingStatus();
  Advance();
}

}  // namespace stele::server
