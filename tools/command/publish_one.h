// Publishes a single statement of Stele's own types and waits for its verified receipt.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "client/publisher.h"
#include "core/crypto/key.h"
#include "core/statement/statement.h"
#include "tools/command/session.h"

namespace stele::tools {

// The server's refusal with its reason, or the errors of client::Publisher. A statement that its
// own reader refuses is INVALID_ARGUMENT before anything is signed.
absl::StatusOr<client::Published> PublishOne(const Session& session, const Statement& statement,
                                             const PrivateKey& signer);

// The same for one that is signed already.
absl::StatusOr<client::Published> PublishSigned(const Session& session,
                                                client::OutgoingStatement statement);

}  // namespace stele::tools
