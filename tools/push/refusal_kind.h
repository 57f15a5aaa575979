// What a server's refusal of a publication is about. Pure.
#pragma once

#include <optional>
#include <string_view>

#include "absl/status/status.h"

namespace stele::tools {

// The signer: the server will say the same to every further statement of this key.
bool IsAboutTheSigner(const absl::Status& status);

// It is unknown what became of the statement.
bool IsUndecided(const absl::Status& status);

// One subject: N out of "/subject/N" or "/manifests/N" and anything below; manifests are sent in
// the order of the subjects. Nothing for any other place, or if N is not below `count`.
std::optional<size_t> RefusedSubject(std::string_view pointer, size_t count);

}  // namespace stele::tools
