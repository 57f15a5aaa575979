#include "client/receipt.h"

#include <charconv>
#include <string>
#include <variant>

#include "client/status.h"
#include "core/base/concat.h"
#include "core/base/time_text.h"
#include "core/statement/dsse.h"
#include "core/statement/entry.h"

namespace stele::client {
namespace {

constexpr std::string_view kBeforeAuthority = "{\"authority\":";
constexpr std::string_view kBeforeEnvelope = ",\"envelope\":";
constexpr std::string_view kBeforeTime = ",\"logged\":\"";
constexpr std::string_view kAfterTime = "\",\"stele\":\"entry/v1\"}";
constexpr size_t kTimeLength = 24;

bool Take(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

bool TakeInteger(std::string_view& text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value < -1) return false;
  return Take(text, std::to_string(value));
}

// The leaf rebuilt around our own envelope: true where it is byte for byte that, which is the rule
// and much cheaper than reading the leaf as JSON.
bool IsLeafOf(std::string_view leaf, std::string_view envelope) {
  if (!Take(leaf, kBeforeAuthority) || !TakeInteger(leaf)) return false;
  if (!Take(leaf, kBeforeEnvelope) || !Take(leaf, envelope) || !Take(leaf, kBeforeTime))
    return false;
  return ParseTime(leaf.substr(0, kTimeLength)).has_value() &&
         leaf.substr(kTimeLength) == kAfterTime;
}

absl::Status CheckStored(const SentStatement& sent, const StoredEnvelope& stored,
                         const std::string& entry) {
  absl::StatusOr<Envelope> ours = ParseEnvelope(sent.envelope);
  if (!ours.ok()) return ours.status();
  if (stored.key != sent.key) {
    return Untrusted(Concat(entry, " bears the key ", stored.key.ToText(), ", not ours"));
  }
  if (stored.payload != ours->payload) {
    return Untrusted(Concat(entry, " says something else than what was sent"));
  }
  if (stored.signature == ours->signature || sent.public_key == nullptr) return absl::OkStatus();
  const absl::Status valid = sent.public_key->Verify(Pae(stored.payload), stored.signature);
  return valid.ok() ? valid : Untrusted(Concat("the signature in ", entry), valid);
}

absl::Status CheckLeaf(const SentStatement& sent, const LoggedLeaf& logged) {
  if (IsLeafOf(logged.leaf, sent.envelope)) return absl::OkStatus();
  const std::string entry = Concat("entry ", logged.index.value());
  absl::StatusOr<Entry> parsed = ParseLeaf(logged.leaf);
  if (!parsed.ok()) return Untrusted(entry, parsed.status());
  const auto* stored = std::get_if<StoredEnvelope>(&parsed->body);
  if (stored == nullptr) return Untrusted(Concat(entry, " does not hold the statement inline"));
  return CheckStored(sent, *stored, entry);
}

}  // namespace

absl::Status CheckInclusion(const LoggedLeaf& logged, const Proof& proof,
                            const Checkpoint& checkpoint) {
  const absl::Status included =
      VerifyInclusion(logged.index, checkpoint.size, LeafHash(logged.leaf), proof, checkpoint.root);
  if (included.ok()) return included;
  return Untrusted(Concat("entry ", logged.index.value(), " is not proven to be in the log"),
                   included);
}

absl::Status CheckReceipt(const SentStatement& sent, const LoggedLeaf& logged, const Proof& proof,
                          const Checkpoint& checkpoint) {
  if (absl::Status leaf = CheckLeaf(sent, logged); !leaf.ok()) return leaf;
  return CheckInclusion(logged, proof, checkpoint);
}

}  // namespace stele::client
