#include "tools/push/refusal_kind.h"

#include <charconv>
#include <string>

#include "core/base/refusal.h"

namespace stele::tools {

bool IsAboutTheSigner(const absl::Status& status) {
  const std::string word = ReasonOf(status);
  return status.code() == absl::StatusCode::kPermissionDenied || word == reason::kUnknownKey ||
         word == reason::kReadOnly || word == reason::kWrongLog || word == reason::kTypeNotAdmitted;
}

bool IsUndecided(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDeadlineExceeded:
    case absl::StatusCode::kDataLoss:
    case absl::StatusCode::kCancelled:
      return true;
    default:
      return false;
  }
}

std::optional<size_t> RefusedSubject(std::string_view pointer, size_t count) {
  for (std::string_view prefix : {"/subject/", "/manifests/"}) {
    if (!pointer.starts_with(prefix)) continue;
    const std::string_view rest = pointer.substr(prefix.size());
    size_t number = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    const bool whole = end == rest.data() + rest.size() || *end == '/';
    if (error == std::errc() && whole && number < count) return number;
  }
  return std::nullopt;
}

}  // namespace stele::tools
