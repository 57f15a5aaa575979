// A server that a command talks to: connected, its log checked against policy or pin.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "client/connection.h"
#include "client/contact.h"
#include "client/fetcher.h"
#include "tools/command/common.h"

namespace stele::tools {

struct Session {
  std::unique_ptr<client::Connection> connection;
  client::ServerInfo info;
  std::shared_ptr<client::CheckpointVerifier> verifier;

  client::Fetcher fetcher() const { return client::Fetcher(*connection, *verifier); }
};

// Whom to trust: the policy that the flags name, else the pins; and where checkpoints are kept.
// Usage errors.
absl::StatusOr<client::TrustOptions> TrustOptionsOf(const CommonFlags& flags);

// Address, certificates and timeout of the flags. Usage errors.
absl::StatusOr<client::ConnectOptions> ConnectOptionsOf(const CommonFlags& flags);

// Usage errors for flags that cannot be used; else the errors of client::MakeContact. With
// `patient` an unreachable server is tried again until --timeout. Says on standard error when a
// server is pinned or stale.
absl::StatusOr<Session> OpenSession(const CommonFlags& flags, bool patient = false);

}  // namespace stele::tools
