#include "tools/command/exit_code.h"

#include "absl/strings/cord.h"
#include "core/base/concat.h"
#include "core/base/refusal.h"

namespace stele::tools {
namespace {

constexpr char kUsageUrl[] = "stele/usage";

}  // namespace

absl::Status UsageError(std::string message) {
  absl::Status status = absl::InvalidArgumentError(message);
  status.SetPayload(kUsageUrl, absl::Cord());
  return status;
}

int ExitCodeOf(const absl::Status& status) {
  if (status.GetPayload(kUsageUrl)) return kExitUsage;
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return kExitDone;
    case absl::StatusCode::kDataLoss:
      return kExitUntrusted;
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDeadlineExceeded:
      return kExitUnreachable;
    default:
      return kExitFailed;
  }
}

std::string Describe(const absl::Status& status) {
  std::string text(status.message());
  if (text.empty()) text = absl::StatusCodeToString(status.code());
  const std::string reason = ReasonOf(status);
  if (reason.empty()) return text;
  const std::string pointer = PointerOf(status);
  return Concat(text, " [", reason, pointer.empty() ? "" : " at ", pointer, "]");
}

}  // namespace stele::tools
