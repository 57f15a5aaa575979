// The first entry of a log. Made and committed through the same planner and commit as all others.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/crypto/key.h"
#include "core/merkle/hash.h"
#include "core/tlog/note.h"
#include "store/backend/backend.h"
#include "store/log/planner.h"

namespace stele::store {

struct GenesisOptions {
  std::string origin;
  PrivateKey log_key;  // Ed25519
  PrivateKey operator_key;
  std::vector<PublicKey> recovery_keys;
  TimeMs now;
};

struct CommittedGenesis {
  Head head;
  Hash leaf_hash;
};

// The signed genesis statement. INVALID_ARGUMENT with the format's reason if the options do not
// make a valid one (origin, key twice, log key not Ed25519).
absl::StatusOr<AdmittedStatement> MakeGenesis(const GenesisOptions& options);

// Commits genesis to an empty backend; on stable storage when it returns OK. FAILED_PRECONDITION if
// the backend has a head already; else the errors of MakeGenesis and Backend::Commit.
absl::StatusOr<CommittedGenesis> CommitGenesis(Backend& backend, const GenesisOptions& options);

}  // namespace stele::store
