#include "server/rpc/status.h"

#include <string>

#include "core/base/refusal.h"
#include "google/rpc/error_details.pb.h"
#include "server/base/cat.h"
#include "server/rpc/utf8.h"
#include "store/artifact/artifact_state.h"

namespace stele::server {
namespace {

using std::chrono::milliseconds;

// Clients take 8 KiB of headers and trailers by default; the message is sent twice.
constexpr size_t kMessageBytes = 1500;
constexpr size_t kPointerBytes = 1000;

// The reason of a status that brings none: the code, in words that stay.
std::string ReasonOrCode(const absl::Status& status) {
  std::string reason = ReasonOf(status);
  if (!reason.empty()) return reason;
  if (status.code() == absl::StatusCode::kNotFound) return std::string(reason::kNotFound);
  if (status.code() == absl::StatusCode::kDataLoss) return std::string(reason::kDamaged);
  return absl::StatusCodeToString(status.code());
}

google::rpc::ErrorInfo InfoOf(const absl::Status& status) {
  google::rpc::ErrorInfo info;
  info.set_domain("stele");
  info.set_reason(ReasonOrCode(status));
  auto& metadata = *info.mutable_metadata();
  if (std::string pointer = PointerOf(status); !pointer.empty()) {
    metadata["pointer"] = CleanUtf8(pointer, kPointerBytes);
  }
  if (const RefusedLimit limit = LimitOf(status); !limit.name.empty()) {
    metadata["limit"] = limit.name;
    metadata["value"] = limit.value;
  }
  return info;
}

}  // namespace

std::optional<milliseconds> RetryDelay(const absl::Status& status) {
  const std::string reason = ReasonOf(status);
  if (const auto said = RetryDelayOf(status)) return said;
  if (status.code() == absl::StatusCode::kUnavailable) {
    if (reason == reason::kClock || reason == reason::kLogKeyMissing) {
      return std::nullopt;  // only an operator can help
    }
    return milliseconds(reason == reason::kReadOnly ? 5000 : 1000);
  }
  if (status.code() != absl::StatusCode::kResourceExhausted) return std::nullopt;
  if (reason == reason::kQueueFull) return milliseconds(100);
  if (reason == reason::kUploadBusy) return milliseconds(1000);
  if (reason == reason::kDiskFull || reason == reason::kStageFull) return milliseconds(30'000);
  if (reason == kTooManyStreams) return milliseconds(1000);
  return std::nullopt;
}

void ToRpcStatus(const absl::Status& status, google::rpc::Status& out) {
  out.set_code(static_cast<int>(status.code()));
  out.set_message(CleanUtf8(FromAbsl(status.message()), kMessageBytes));
  out.add_details()->PackFrom(InfoOf(status));
  if (std::optional<milliseconds> delay = RetryDelay(status)) {
    google::rpc::RetryInfo retry;
    retry.mutable_retry_delay()->set_seconds(delay->count() / 1000);
    retry.mutable_retry_delay()->set_nanos(static_cast<int>(delay->count() % 1000 * 1'000'000));
    out.add_details()->PackFrom(retry);
  }
}

grpc::Status ToGrpcStatus(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  google::rpc::Status details;
  ToRpcStatus(status, details);
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()), details.message(),
                      details.SerializeAsString());
}

}  // namespace stele::server
