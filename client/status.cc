#include "client/status.h"

#include <google/protobuf/any.pb.h>
#include <grpcpp/support/status.h>

#include <algorithm>
#include <string>

#include "absl/strings/cord.h"
#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

namespace stele::client {
namespace {

constexpr char kRetryUrl[] = "stele/retry-delay-ms";
constexpr char kDomain[] = "stele";
constexpr int kLastCode = 16;
// No server may make a client sleep for longer.
constexpr int64_t kMaxRetryMs = 3600 * 1000;

std::string MetadataOf(const google::rpc::ErrorInfo& info, const char* name) {
  const auto found = info.metadata().find(name);
  return found == info.metadata().end() ? std::string() : found->second;
}

int64_t Milliseconds(const google::rpc::RetryInfo& retry) {
  const int64_t seconds = std::clamp<int64_t>(retry.retry_delay().seconds(), 0, 3600);
  return std::clamp<int64_t>(seconds * 1000 + retry.retry_delay().nanos() / 1000000, 0,
                             kMaxRetryMs);
}

}  // namespace

absl::Status FromRpc(const google::rpc::Status& status) {
  if (status.code() == 0) return absl::OkStatus();
  const bool known = status.code() > 0 && status.code() <= kLastCode;
  const auto code =
      known ? static_cast<absl::StatusCode>(status.code()) : absl::StatusCode::kUnknown;
  google::rpc::ErrorInfo info;
  google::rpc::RetryInfo retry;
  bool has_info = false;
  bool has_retry = false;
  for (const google::protobuf::Any& detail : status.details()) {
    if (detail.Is<google::rpc::ErrorInfo>()) has_info = detail.UnpackTo(&info);
    if (detail.Is<google::rpc::RetryInfo>()) has_retry = detail.UnpackTo(&retry);
  }
  absl::Status result(code, status.message());
  if (has_info && info.domain() == kDomain) {
    result = Refuse(code, info.reason(), MetadataOf(info, "pointer"), status.message());
  }
  if (has_retry) result.SetPayload(kRetryUrl, absl::Cord(std::to_string(Milliseconds(retry))));
  return result;
}

absl::Status FromGrpc(const grpc::Status& status, std::string_view peer) {
  if (status.ok()) return absl::OkStatus();
  google::rpc::Status rpc;
  if (!status.error_details().empty()) rpc.ParseFromString(status.error_details());
  rpc.set_code(status.error_code());
  const bool lost = status.error_code() == grpc::StatusCode::UNAVAILABLE;
  const bool late = status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED;
  if (late) {
    rpc.set_message(Concat("no answer from ", peer, " in time (--timeout)"));
  } else {
    rpc.set_message(lost ? Concat("server ", peer, ": ", status.error_message())
                         : status.error_message());
  }
  return FromRpc(rpc);
}

std::optional<std::chrono::milliseconds> RetryDelayOf(const absl::Status& status) {
  const auto payload = status.GetPayload(kRetryUrl);
  if (!payload) return std::nullopt;
  return std::chrono::milliseconds(std::stoll(std::string(*payload)));
}

absl::Status Untrusted(std::string_view what, const absl::Status& why) {
  return Refuse(absl::StatusCode::kDataLoss, ReasonOf(why), PointerOf(why),
                Concat(what, ": ", std::string(why.message())));
}

absl::Status Untrusted(std::string_view what) { return absl::DataLossError(std::string(what)); }

}  // namespace stele::client
