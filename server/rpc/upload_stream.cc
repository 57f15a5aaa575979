#include "server/rpc/upload_stream.h"

#include <string>
#include <utility>

#include "core/base/artifact_limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "server/base/cat.h"
#include "server/rpc/artifact_answers.h"
#include "server/rpc/record_answers.h"
#include "server/rpc/status.h"

namespace stele::server {

UploadStream::UploadStream(store::Store& store, Streams& streams, UploadDesk& desk,
                           CallCounts& calls, v1::UploadArtifactResponse& response)
    : store_(store), streams_(streams), desk_(desk), calls_(calls), response_(response) {
  const absl::Status entered = streams_.Enter(*this);
  if (entered.ok()) desk_.Enter(*this);
  MutexLock lock(mutex_);
  end_ = entered;
  Advance();
}

void UploadStream::OnReadDone(bool ok) {
  {
    MutexLock lock(mutex_);
    reading_ = false;
    if (finished_ || !end_.ok()) return Advance();
    working_ = true;
  }
  // Without the lock: the desk takes it with its own held.
  desk_.Post([this, ok] {
    const absl::Status worked = Work(ok);
    MutexLock lock(mutex_);
    working_ = false;
    if (!worked.ok() && end_.ok()) end_ = worked;
    Advance();
  });
}

absl::Status UploadStream::Work(bool more) {
  if (!more) {
    if (upload_ == nullptr) {
      return RefuseInput(reason::kMissingMember, "/start", "an upload begins with `start`");
    }
    STELE_ASSIGN_OR_RETURN(const store::ArtifactState state, upload_->Finish());
    Answer(state);
    return absl::OkStatus();
  }
  return request_.has_start() ? Start() : Append();
}

absl::Status UploadStream::Start() {
  if (std::exchange(started_, true)) {
    return RefuseInput(reason::kWrongValue, "/start", "an upload begins once");
  }
  v1::UploadStart& from = *request_.mutable_start();
  store::UploadStart start;
  STELE_ASSIGN_OR_RETURN(start.digest, DigestField(from.digest(), "/start/digest"));
  start.size = from.size();
  start.offset = from.offset();
  start.key_id = std::move(*from.mutable_key_id());
  start.envelope = std::move(*from.mutable_envelope());
  STELE_ASSIGN_OR_RETURN(store::BegunUpload begun, store_.BeginUpload(start));
  upload_ = std::move(begun.upload);
  if (upload_ == nullptr) Answer(begun.state);
  return absl::OkStatus();
}

absl::Status UploadStream::Append() {
  if (upload_ == nullptr) {
    return RefuseInput(reason::kMissingMember, "/start", "an upload begins with `start`");
  }
  const std::string& data = request_.data();
  if (data.size() > limits::kUploadMessageBytes) {
    return RefuseLimit(
        absl::StatusCode::kInvalidArgument, reason::kTooLarge, "upload_message_bytes",
        limits::kUploadMessageBytes,
        Cat(data.size(), " bytes in one message, at most ", limits::kUploadMessageBytes));
  }
  return upload_->Append(data);
}

void UploadStream::Answer(const store::ArtifactState& state) {
  response_.set_state(ToWire(state.phase));
  response_.set_held_bytes(state.held);
  answered_ = true;
}

void UploadStream::Advance() {
  if (finished_ || working_) return;
  if (!end_.ok() || answered_) {
    finished_ = true;
    code_ = end_.code();
    upload_.reset();  // whoever hears the answer may go on at once
    return Finish(ToGrpcStatus(end_));
  }
  if (reading_) return;
  reading_ = true;
  asked_ = std::chrono::steady_clock::now();
  StartRead(&request_);
}

void UploadStream::Stop(const absl::Status& why) {
  if (end_.ok()) end_ = why;
  Advance();
}

void UploadStream::OnCancel() {
  MutexLock lock(mutex_);
  Stop(absl::CancelledError("the call was cancelled"));
}

void UploadStream::Drain() {
  MutexLock lock(mutex_);
  Stop(StoppingStatus());
}

void UploadStream::LookAtClock(std::chrono::steady_clock::time_point now) {
  MutexLock lock(mutex_);
  if (!reading_ || now - asked_ < desk_.idle()) return;
  Stop(absl::DeadlineExceededError(Cat("no message came for ", desk_.idle().count(),
                                       " ms; the upload can go on from what is held")));
}

void UploadStream::OnDone() {
  desk_.Leave(*this);
  streams_.Leave(*this);
  absl::StatusCode code;
  {
    MutexLock lock(mutex_);
    code = code_;
  }
  calls_.Count(Method::kUploadArtifact, code);
  delete this;
}

}  // namespace stele::server
