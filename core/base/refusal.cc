#include "core/base/refusal.h"

#include <optional>

#include "absl/strings/cord.h"

namespace stele {
namespace {

constexpr std::string_view kReasonUrl = "stele/reason";
constexpr std::string_view kPointerUrl = "stele/pointer";

std::string PayloadText(const absl::Status& status, std::string_view url) {
  std::optional<absl::Cord> payload = status.GetPayload(url);
  return payload ? std::string(*payload) : std::string();
}

}  // namespace

absl::Status Refuse(absl::StatusCode code, std::string_view reason, std::string_view pointer,
                    std::string_view message) {
  absl::Status status(code, message);
  status.SetPayload(kReasonUrl, absl::Cord(reason));
  if (!pointer.empty()) status.SetPayload(kPointerUrl, absl::Cord(pointer));
  return status;
}

absl::Status RefuseInput(std::string_view reason, std::string_view pointer,
                         std::string_view message) {
  return Refuse(absl::StatusCode::kInvalidArgument, reason, pointer, message);
}

std::string ReasonOf(const absl::Status& status) { return PayloadText(status, kReasonUrl); }
std::string PointerOf(const absl::Status& status) { return PayloadText(status, kPointerUrl); }

absl::Status PrefixPointer(const absl::Status& status, std::string_view prefix) {
  if (status.ok() || prefix.empty()) return status;
  absl::Status moved = status;
  moved.SetPayload(kPointerUrl, absl::Cord(std::string(prefix) + PointerOf(status)));
  return moved;
}

}  // namespace stele
