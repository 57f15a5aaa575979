// The first call to a server: which log is this, and may it be trusted?
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "client/checkpoint_verifier.h"
#include "client/connection.h"
#include "client/server_info.h"
#include "core/tlog/trust_policy.h"

namespace stele::client {

struct TrustOptions {
  std::optional<TrustPolicy> policy;  // if given, pins are neither read nor written
  std::filesystem::path state_dir;    // where pins and the last checkpoints are kept
  // Whether checkpoints are held against those kept, and kept; not without a state folder.
  bool keep_checkpoints = true;
  // Hears what people should know, a sentence at a time: a server was pinned, or is stale, or a
  // checkpoint cannot be kept. From any thread; may be empty.
  std::function<void(std::string_view)> notify;
};

struct Contact {
  ServerInfo info;
  // Asks the server for proofs: the connection must outlive it.
  std::shared_ptr<CheckpointVerifier> verifier;
};

// Asks the server what it is and checks that against policy or pin. Without either, the server has
// to prove its first entry: entry 0 with its inclusion under a checkpoint signed by the key that it
// names, the genesis of that origin and key, one log with the checkpoint kept of that origin. Then
// it is pinned. DATA_LOSS if anything does not verify or is not what policy, pin or the kept
// checkpoint say; UNAVAILABLE, DEADLINE_EXCEEDED if it cannot be reached.
absl::StatusOr<Contact> MakeContact(const Connection& connection, const TrustOptions& options);

}  // namespace stele::client
