#include "server/rpc/download_stream.h"

#include <utility>

#include "core/base/status_macros.h"
#include "server/rpc/record_answers.h"
#include "server/rpc/status.h"

namespace stele::server {

DownloadStream::DownloadStream(store::Store& store, Streams& streams, CallCounts& calls,
                               const v1::DownloadArtifactRequest& request)
    : streams_(streams), calls_(calls), reader_(store) {
  const absl::Status entered = streams_.Enter(*this);
  MutexLock lock(mutex_);
  end_ = entered.ok() ? Open(request) : entered;
  Advance();
}

absl::Status DownloadStream::Open(const v1::DownloadArtifactRequest& request) {
  STELE_ASSIGN_OR_RETURN(const Digest digest, DigestField(request.digest(), "/digest"));
  STELE_ASSIGN_OR_RETURN(const store::Reader* reader, reader_.Get());
  STELE_ASSIGN_OR_RETURN(store::ContentStream content,
                         store::ContentStream::Open(*reader, digest, request.offset()));
  response_.set_size(content.size());
  content_ = std::move(content);
  return absl::OkStatus();
}

absl::Status DownloadStream::FillNext() {
  STELE_ASSIGN_OR_RETURN(const store::Reader* reader, reader_.Get());
  STELE_ASSIGN_OR_RETURN(*response_.mutable_data(), content_->Next(*reader));
  return absl::OkStatus();
}

void DownloadStream::Advance() {
  if (finished_ || writing_) return;
  if (end_.ok()) end_ = FillNext();
  if (!end_.ok() || (begun_ && response_.data().empty())) {
    finished_ = true;
    code_ = end_.code();
    reader_.Drop();
    return Finish(ToGrpcStatus(end_));
  }
  begun_ = true;
  writing_ = true;
  StartWrite(&response_);
}

void DownloadStream::OnWriteDone(bool ok) {
  MutexLock lock(mutex_);
  writing_ = false;
  response_.clear_size();
  if (!ok) end_ = absl::CancelledError("the client is gone");
  Advance();
}

void DownloadStream::OnCancel() {
  MutexLock lock(mutex_);
  end_ = absl::CancelledError("the call was cancelled");
  Advance();
}

void DownloadStream::Drain() {
  MutexLock lock(mutex_);
  if (end_.ok()) end_ = StoppingStatus();
  Advance();
}

void DownloadStream::OnDone() {
  streams_.Leave(*this);
  absl::StatusCode code;
  {
    MutexLock lock(mutex_);
    code = code_;
  }
  calls_.Count(Method::kDownloadArtifact, code);
  delete this;
}

}  // namespace stele::server
