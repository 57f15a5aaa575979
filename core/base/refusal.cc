#include "core/base/refusal.h"

#include <charconv>

#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace stele {
namespace {

constexpr absl::string_view kReasonUrl = "stele/reason";
constexpr absl::string_view kPointerUrl = "stele/pointer";
constexpr absl::string_view kLimitUrl = "stele/limit";
constexpr absl::string_view kValueUrl = "stele/value";
constexpr absl::string_view kRetryUrl = "stele/retry-ms";

// Debian builds Abseil with a string_view of its own.
absl::string_view View(std::string_view text) { return {text.data(), text.size()}; }

std::string PayloadText(const absl::Status& status, absl::string_view url) {
  absl::optional<absl::Cord> payload = status.GetPayload(url);
  return payload ? std::string(*payload) : std::string();
}

}  // namespace

absl::Status Refuse(absl::StatusCode code, std::string_view reason, std::string_view pointer,
                    std::string_view message) {
  absl::Status status(code, View(message));
  status.SetPayload(kReasonUrl, absl::Cord(View(reason)));
  if (!pointer.empty()) status.SetPayload(kPointerUrl, absl::Cord(View(pointer)));
  return status;
}

absl::Status RefuseInput(std::string_view reason, std::string_view pointer,
                         std::string_view message) {
  return Refuse(absl::StatusCode::kInvalidArgument, reason, pointer, message);
}

absl::Status RefuseLimit(absl::StatusCode code, std::string_view reason, std::string_view limit,
                         uint64_t value, std::string_view message) {
  absl::Status status = Refuse(code, reason, "", message);
  status.SetPayload(kLimitUrl, absl::Cord(View(limit)));
  status.SetPayload(kValueUrl, absl::Cord(std::to_string(value)));
  return status;
}

RefusedLimit LimitOf(const absl::Status& status) {
  return {PayloadText(status, kLimitUrl), PayloadText(status, kValueUrl)};
}

absl::Status WithRetryDelay(absl::Status status, std::chrono::milliseconds delay) {
  status.SetPayload(kRetryUrl, absl::Cord(std::to_string(delay.count())));
  return status;
}

std::optional<std::chrono::milliseconds> RetryDelayOf(const absl::Status& status) {
  const std::string text = PayloadText(status, kRetryUrl);
  int64_t ms = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ms);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return std::chrono::milliseconds(ms);
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
