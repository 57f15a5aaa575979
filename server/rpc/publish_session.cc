#include "server/rpc/publish_session.h"

#include <utility>

#include "absl/container/flat_hash_set.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "server/base/cat.h"
#include "server/rpc/status.h"

namespace stele::server {
namespace {

// A client that does not keep to the protocol: the stream ends, not only the item.
absl::Status Broken(std::string_view limit, size_t value, std::string_view message) {
  return RefuseLimit(absl::StatusCode::kInvalidArgument, reason::kTooLarge, limit, value, message);
}

store::PublishItem TakeItem(v1::StatementItem& from) {
  store::PublishItem item;
  item.tag = from.tag();
  item.key_id = std::move(*from.mutable_key_id());
  item.envelope = std::move(*from.mutable_envelope());
  item.manifests.reserve(static_cast<size_t>(from.manifests_size()));
  for (std::string& manifest : *from.mutable_manifests()) {
    item.manifests.push_back(std::move(manifest));
  }
  return item;
}

}  // namespace

PublishSession::PublishSession(store::Store& store, PublishLoad& load, PublishWire& wire,
                               std::string address)
    : store_(store), load_(load), address_(std::move(address)), wire_(&wire) {}

void PublishSession::Start() {
  MutexLock lock(mutex_);
  Advance();
}

void PublishSession::OnRead(bool ok) {
  std::vector<store::PublishItem> items;
  {
    MutexLock lock(mutex_);
    if (!ok) reads_done_ = true;
    if (ok && !Ended() && !cancelled_) {
      end_ = Check();
      if (end_.ok()) items = Take();
    }
    if (items.empty()) {
      reading_ = false;
      return Advance();
    }
  }
  // Not under the lock, the store may answer at once; and before the next read, to keep the order.
  store_.Publish(std::move(items), shared_from_this());
  MutexLock lock(mutex_);
  reading_ = false;
  Advance();
}

absl::Status PublishSession::Check() const {
  const auto count = static_cast<size_t>(request_.items_size());
  if (count == 0) {
    return RefuseInput(reason::kWrongValue, "/items", "a request has at least one statement");
  }
  if (count > limits::kRequestItems) {
    return Broken("request_items", limits::kRequestItems,
                  Cat("a request of ", count, " statements, at most ", limits::kRequestItems));
  }
  if (const size_t bytes = request_.ByteSizeLong(); bytes > limits::kMessageBytes) {
    return Broken("message_bytes", limits::kMessageBytes,
                  Cat("a message of ", bytes, " bytes, at most ", limits::kMessageBytes));
  }
  absl::flat_hash_set<uint64_t> tags;
  for (const v1::StatementItem& item : request_.items()) {
    if (window_.Has(item.tag()) || !tags.insert(item.tag()).second) {
      return RefuseInput(reason::kWrongValue, "/items",
                         Cat("the tag ", item.tag(),
                             " belongs to a statement of this stream that "
                             "is not answered yet"));
    }
  }
  return absl::OkStatus();
}

std::vector<store::PublishItem> PublishSession::Take() {
  std::vector<store::PublishItem> items;
  items.reserve(static_cast<size_t>(request_.items_size()));
  const size_t before = window_.bytes();
  for (v1::StatementItem& item : *request_.mutable_items()) {
    items.push_back(TakeItem(item));
    items.back().address = address_;
    window_.Add(items.back().tag, items.back().bytes());
  }
  load_.statements += items.size();
  load_.bytes += window_.bytes() - before;
  return items;
}

void PublishSession::OnOutcomes(std::shared_ptr<const std::string> checkpoint,
                                std::vector<store::PublishOutcome> outcomes) {
  std::vector<std::unique_ptr<PendingResponse>> answers =
      BuildResponses(*checkpoint, std::move(outcomes));
  MutexLock lock(mutex_);
  if (wire_ == nullptr || finished_ || cancelled_) return;  // nobody is there to tell
  for (auto& answer : answers) answers_.push_back(std::move(answer));
  Advance();
}

void PublishSession::OnWritten(bool ok) {
  std::unique_ptr<PendingResponse> written;  // freed without the lock
  MutexLock lock(mutex_);
  writing_ = false;
  written = std::move(answers_.front());
  answers_.pop_front();
  Release(*written);
  if (!ok) cancelled_ = true;
  Advance();
}

void PublishSession::WriteFront() {
  PendingResponse& answer = *answers_.front();
  for (uint64_t tag : answer.tags) answer.bytes += window_.Answer(tag);
  writing_ = true;
  wire_->StartWrite(answer.message);
}

void PublishSession::Release(const PendingResponse& written) {
  window_.Release(written.tags.size(), written.bytes);
  load_.statements -= written.tags.size();
  load_.bytes -= written.bytes;
}

void PublishSession::OnCancelled() {
  MutexLock lock(mutex_);
  cancelled_ = true;
  Advance();
}

void PublishSession::Drain() {
  MutexLock lock(mutex_);
  if (!Ended()) end_ = StoppingStatus();
  Advance();
}

void PublishSession::Advance() {
  if (finished_ || wire_ == nullptr) return;
  if (!writing_ && !cancelled_ && !answers_.empty()) WriteFront();
  const bool answered = window_.statements() == 0 && answers_.empty();
  if (!writing_ && (cancelled_ || (Ended() && answered))) {
    finished_ = true;
    return wire_->Finish(cancelled_ ? absl::CancelledError("the call was cancelled") : end_);
  }
  if (!reading_ && !Ended() && !cancelled_ &&
      window_.Open(limits::kStreamWindow, limits::kStreamWindowBytes)) {
    reading_ = true;
    wire_->StartRead(&request_);
  }
}

void PublishSession::OnDone() {
  MutexLock lock(mutex_);
  wire_ = nullptr;
  answers_.clear();
  load_.statements -= window_.statements();
  load_.bytes -= window_.bytes();
  window_ = StreamWindow();
}

}  // namespace stele::server
