#include "store/log/key_watch.h"

#include <vector>

#include "core/base/concat.h"
#include "core/base/limits.h"

namespace stele::store {

absl::Status KeyWatch::Look(const LogSigner& signer, const LogState& state) {
  if (state.ring != ring_ || state.events != events_) LookAtKeys(signer, state);
  if (!end_) return absl::OkStatus();
  const TreeSize next{state.head.size.value() + 1};
  if (next >= *end_) {
    return signer.CheckCanSign(next, state.events->LogKeys(*state.ring));
  }
  // As many as one commit may bring.
  if (!warned_of_end_ && next.value() + limits::kPlanStatements >= end_->value()) {
    warned_of_end_ = true;
    if (log_) {
      log_("warning",
           Concat("the log has ", state.head.size.value(), " entries; from ", end_->value(),
                  " on no key that this server holds signs checkpoints, and publishing "
                  "will stop: start it with --log-key FILE"));
    }
  }
  return absl::OkStatus();
}

void KeyWatch::LookAtKeys(const LogSigner& signer, const LogState& state) {
  ring_ = state.ring;
  events_ = state.events;
  const std::vector<LogKeySpan> keys = events_->LogKeys(*ring_);
  const TreeSize next{state.head.size.value() + 1};
  end_ = signer.EndOfSigning(next, keys);
  warned_of_end_ = false;
  std::string missing;
  for (const LogKeySpan& span : signer.Missing(next, keys)) {
    missing += Concat(missing.empty() ? "" : ", ", span.key.ToVkey(), " (from size ",
                      span.from.value(), " on)");
  }
  if (missing == missing_) return;
  missing_ = missing;
  if (missing.empty() || !log_) return;
  log_("warning",
       Concat("checkpoints have to be signed by log keys that this server does not have: ", missing,
              "; start it with --log-key FILE"));
}

}  // namespace stele::store
