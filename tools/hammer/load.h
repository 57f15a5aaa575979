// The load of stele-hammer: statements made and signed before the clock starts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/publisher.h"
#include "core/crypto/digest.h"
#include "core/crypto/key.h"

namespace stele::tools {

struct LoadOptions {
  std::string origin;
  size_t statements = 1000;
  size_t subjects = 1;  // records of a statement, 1 to limits::kSubjects
  size_t bytes = 1024;  // of a manifest, at least kLeastManifestBytes
};
inline constexpr size_t kLeastManifestBytes = 160;

struct Load {
  std::vector<client::OutgoingStatement> statements;
  std::vector<Digest> records;  // of all statements, in order
};

// New records each time: their noise is drawn at random. Uses every core. INVALID_ARGUMENT for
// numbers out of range; INTERNAL if signing fails.
absl::StatusOr<Load> MakeLoad(const LoadOptions& options, const PrivateKey& key);

}  // namespace stele::tools
