// DSSE envelopes that were signed elsewhere.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/crypto/digest.h"
#include "tools/command/common.h"

namespace stele::tools {

struct EnvelopeFlags {
  std::string file;                    // "-" is standard input
  std::string key_id;                  // empty: the envelope's own
  std::vector<std::string> manifests;  // files
};

// One signature of an envelope, as an envelope of its own.
struct SingleEnvelope {
  KeyId key;
  std::string text;
};

// A log takes one signature an envelope: as many envelopes as `text` has signatures, or only that
// of `key`, which is also the key of a sole signature that names none. Usage errors: a text that is
// no envelope, a signature that names no key id, a key that did not sign.
absl::StatusOr<std::vector<SingleEnvelope>> SplitEnvelope(const std::string& text,
                                                          const std::optional<KeyId>& key);

// Publishes the file's envelopes, one line each.
absl::Status AttestEnvelope(const EnvelopeFlags& envelope, const CommonFlags& flags);

}  // namespace stele::tools
