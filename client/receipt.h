// Is a receipt the proof that what we sent is in the log? Pure.
#pragma once

#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "core/base/strong_int.h"
#include "core/crypto/digest.h"
#include "core/crypto/key.h"
#include "core/merkle/inclusion_verifier.h"
#include "core/merkle/proof.h"
#include "core/tlog/checkpoint.h"

namespace stele::client {

struct SentStatement {
  KeyId key;
  std::string_view envelope;              // as it was sent
  const PublicKey* public_key = nullptr;  // checks a signature that is not ours; may be null
};

struct LoggedLeaf {
  EntryIndex index;
  std::string_view leaf;
  // Of a detached entry whose envelope is not ours byte for byte: the envelope with its digest.
  std::optional<std::string_view> envelope;
};

// The leaf is the one entry that holds, inline, the very envelope that was sent. Then CheckLeaf
// holds and nothing has to be fetched; it is the rule, and told without reading the leaf as JSON.
bool IsOwnLeaf(const SentStatement& sent, std::string_view leaf);

// The envelope that has to be fetched before the leaf can be checked: that of a detached entry
// which names another one than was sent. Nothing if none is needed.
std::optional<Digest> EnvelopeToFetch(const SentStatement& sent, std::string_view leaf);

// The leaf is a well-formed entry whose payload and key are what was sent, inline or, of the types
// for which the format says so, detached, and it is in the tree of `checkpoint` (already verified).
// The stored signature may differ from ours on a replay (ECDSA); then it must verify too. Every
// error is DATA_LOSS.
absl::Status CheckReceipt(const SentStatement& sent, const LoggedLeaf& logged, const Proof& proof,
                          const Checkpoint& checkpoint);

// The first half alone.
absl::Status CheckLeaf(const SentStatement& sent, const LoggedLeaf& logged);

// The second half alone; of many receipts, by a verifier of the checkpoint's tree.
absl::Status CheckInclusion(const LoggedLeaf& logged, const Proof& proof,
                            const Checkpoint& checkpoint);
absl::Status CheckInclusion(const LoggedLeaf& logged, const Proof& proof, InclusionVerifier& tree);

}  // namespace stele::client
