#include "server/rpc/proven_entries_stream.h"

#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/serving_limits.h"
#include "core/base/status_macros.h"
#include "server/base/cat.h"
#include "server/rpc/proof_answers.h"
#include "server/rpc/status.h"

namespace stele::server {
namespace {

// No further entry once a page has so much: with one more, of the largest kind, it fits a message.
constexpr size_t kPageBytes = limits::kListEntriesBytes;
constexpr int kPageEntries = 256;

absl::Status CheckIndexes(const v1::GetProvenEntriesRequest& request, TreeSize size) {
  const size_t count = static_cast<size_t>(request.indexes_size());
  if (count > limits::kProvenEntries) {
    return RefuseLimit(absl::StatusCode::kResourceExhausted, reason::kTooLarge, "proven_entries",
                       limits::kProvenEntries,
                       Cat(count, " entries in one request, at most ", limits::kProvenEntries));
  }
  for (int i = 0; i < request.indexes_size(); ++i) {
    if (request.indexes(i) < size.value()) continue;
    return Refuse(
        absl::StatusCode::kNotFound, reason::kNotFound, Cat("/indexes/", i),
        Cat("the tree has ", size.value(), " entries, none at index ", request.indexes(i)));
  }
  return absl::OkStatus();
}

}  // namespace

ProvenEntriesStream::ProvenEntriesStream(store::Store& store, Streams& streams, CallCounts& calls,
                                         const v1::GetProvenEntriesRequest& request)
    : streams_(streams), calls_(calls), reader_(store) {
  absl::Status entered = streams_.Enter(*this);
  MutexLock lock(mutex_);
  if (entered.ok()) entered = Begin(request);
  if (entered.ok()) {
    Advance();
  } else {
    End(entered);
  }
}

absl::Status ProvenEntriesStream::Begin(const v1::GetProvenEntriesRequest& request) {
  STELE_ASSIGN_OR_RETURN(const store::Reader* reader, reader_.Get());
  STELE_ASSIGN_OR_RETURN(size_, AskedTree(*reader, request.tree_size()));
  STELE_RETURN_IF_ERROR(CheckIndexes(request, size_));
  indexes_.assign(request.indexes().begin(), request.indexes().end());
  return FillTree(*reader, size_, *response_.mutable_tree());
}

absl::Status ProvenEntriesStream::FillPage() {
  STELE_ASSIGN_OR_RETURN(const store::Reader* reader, reader_.Get());
  if (!first_) response_.clear_tree();
  first_ = false;
  response_.clear_entries();
  size_t bytes = 0;
  while (next_ < indexes_.size() && response_.entries_size() < kPageEntries && bytes < kPageBytes) {
    v1::ProvenEntry& entry = *response_.add_entries();
    STELE_RETURN_IF_ERROR(FillProvenEntry(*reader, EntryIndex(indexes_[next_++]), size_, entry));
    bytes += entry.leaf().size() + entry.detached().size();
  }
  return absl::OkStatus();
}

void ProvenEntriesStream::Advance() {
  if (finished_ || writing_) return;
  if (!end_.ok()) return End(end_);
  if (!first_ && next_ == indexes_.size()) return End(absl::OkStatus());
  if (absl::Status filled = FillPage(); !filled.ok()) return End(filled);
  writing_ = true;
  StartWrite(&response_);
}

void ProvenEntriesStream::End(const absl::Status& status) {
  finished_ = true;
  code_ = status.code();
  Finish(ToGrpcStatus(status));
}

void ProvenEntriesStream::OnWriteDone(bool ok) {
  MutexLock lock(mutex_);
  writing_ = false;
  if (!ok) end_ = absl::CancelledError("the client is gone");
  Advance();
}

void ProvenEntriesStream::OnCancel() {
  MutexLock lock(mutex_);
  end_ = absl::CancelledError("the call was cancelled");
  Advance();
}

void ProvenEntriesStream::Drain() {
  MutexLock lock(mutex_);
  if (end_.ok() && (first_ || next_ < indexes_.size())) end_ = StoppingStatus();
  Advance();
}

void ProvenEntriesStream::OnDone() {
  streams_.Leave(*this);
  absl::StatusCode code;
  {
    MutexLock lock(mutex_);
    code = code_;
  }
  calls_.Count(Method::kGetProvenEntries, code);
  delete this;
}

}  // namespace stele::server
