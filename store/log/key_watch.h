// Watches that the server holds the log keys that it needs, and says in time when it does not. The
// writer's thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "store/backend/event_log.h"
#include "store/log/log_signer.h"
#include "store/log/log_state.h"

namespace stele::store {

class KeyWatch {
 public:
  explicit KeyWatch(EventLog log) : log_(std::move(log)) {}

  // After the start and after every commit. LOG_KEY_MISSING if the next entry could not be signed
  // for. Warns of keys that are or will be due and are not held, once for each change of the log's
  // keys, and of the end when it is near.
  absl::Status Look(const LogSigner& signer, const LogState& state);
  // As of the last look, the first size that cannot be signed; nothing if there is none.
  const std::optional<TreeSize>& end() const { return end_; }

 private:
  void LookAtKeys(const LogSigner& signer, const LogState& state);

  const EventLog log_;
  // What was looked at last; they change only with an administrative event.
  std::shared_ptr<const KeyRing> ring_;
  std::shared_ptr<const LogEvents> events_;
  std::optional<TreeSize> end_;
  bool warned_of_end_ = false;
  std::string missing_;  // as it was said
};

}  // namespace stele::store
