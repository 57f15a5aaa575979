#include "server/rpc/status.h"

#include <string>

#include "absl/strings/cord.h"
#include "core/base/refusal.h"
#include "google/rpc/error_details.pb.h"
#include "server/base/cat.h"
#include "server/rpc/utf8.h"

namespace stele::server {
namespace {

using std::chrono::milliseconds;

constexpr char kLimitUrl[] = "stele/limit";
constexpr char kValueUrl[] = "stele/value";
// Clients take 8 KiB of headers and trailers by default; the message is sent twice.
constexpr size_t kMessageBytes = 1500;
constexpr size_t kPointerBytes = 1000;

std::string PayloadText(const absl::Status& status, const char* url) {
  const auto payload = status.GetPayload(url);  // absl's own optional
  return payload ? std::string(*payload) : std::string();
}

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
  if (std::string limit = PayloadText(status, kLimitUrl); !limit.empty()) {
    metadata["limit"] = limit;
    metadata["value"] = PayloadText(status, kValueUrl);
  }
  return info;
}

}  // namespace

absl::Status RefuseLimit(absl::StatusCode code, std::string_view reason, std::string_view limit,
                         uint64_t value, std::string_view message) {
  absl::Status status = Refuse(code, reason, "", message);
  status.SetPayload(kLimitUrl, absl::Cord(ToAbsl(limit)));
  status.SetPayload(kValueUrl, absl::Cord(absl::StrCat(value)));
  return status;
}

std::optional<milliseconds> RetryDelay(const absl::Status& status) {
  const std::string reason = ReasonOf(status);
  if (status.code() == absl::StatusCode::kUnavailable) {
    if (reason == reason::kClock) return std::nullopt;  // only an operator can help
    return milliseconds(reason == reason::kReadOnly ? 5000 : 1000);
  }
  if (status.code() != absl::StatusCode::kResourceExhausted) return std::nullopt;
  if (reason == reason::kQueueFull) return milliseconds(100);
  if (reason == reason::kDiskFull) return milliseconds(30'000);
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
