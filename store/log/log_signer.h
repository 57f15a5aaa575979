// The log keys that this server holds, and what they sign: a checkpoint of size n carries the
// signature of every log key with from ≤ n and, once retired, n ≤ until (rule 32). Which those are
// follows from the log (LogEvents::LogKeys). A value; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/crypto/key.h"
#include "core/replay/events.h"
#include "core/tlog/checkpoint.h"

namespace stele::store {

class LogSigner {
 public:
  // `keys` under the log's name. BAD_KEY (INVALID_ARGUMENT) if one is not Ed25519.
  static absl::StatusOr<LogSigner> Make(std::string_view origin, std::vector<PrivateKey> keys);

  // Signed by every key of `log_keys` that is current at its size and held. LOG_KEY_MISSING
  // (UNAVAILABLE) if none is: what would be signed would count for nothing.
  absl::StatusOr<std::string> Sign(const Checkpoint& checkpoint,
                                   absl::Span<const LogKeySpan> log_keys) const;
  absl::Status CheckCanSign(TreeSize size, absl::Span<const LogKeySpan> log_keys) const;

  bool Holds(const NoteVerifier& key) const;
  // Those of `log_keys` that are current at `size`, or will be, and are not held.
  std::vector<LogKeySpan> Missing(TreeSize size, absl::Span<const LogKeySpan> log_keys) const;
  // The first size from `size` on that no held key can sign; nothing if there is none as things
  // stand.
  std::optional<TreeSize> EndOfSigning(TreeSize size, absl::Span<const LogKeySpan> log_keys) const;

 private:
  struct Held {
    NoteVerifier verifier;
    PrivateKey key;
  };
  explicit LogSigner(std::vector<Held> held) : held_(std::move(held)) {}
  const Held* Find(const NoteVerifier& key) const;

  std::vector<Held> held_;
};

}  // namespace stele::store
