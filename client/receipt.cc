#include "client/receipt.h"

#include <charconv>
#include <string>
#include <variant>

#include "client/status.h"
#include "core/base/concat.h"
#include "core/base/time_text.h"
#include "core/crypto/sha256.h"
#include "core/json/parse.h"
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

// The one form of what was sent, as it is kept beside a detached entry.
absl::StatusOr<std::string> KeptEnvelope(const SentStatement& sent) {
  const absl::StatusOr<Envelope> ours = ParseEnvelope(sent.envelope);
  if (!ours.ok()) return ours.status();
  return FormatEnvelope(ours->payload, sent.key, ours->signature);
}

// What the payload says of itself; empty if it says nothing.
std::string PredicateTypeIn(std::string_view payload) {
  const absl::StatusOr<json::Value> value = json::Parse(payload);
  if (!value.ok() || value->object() == nullptr) return {};
  const json::Value* type = value->object()->Find("predicateType");
  return type == nullptr || type->string() == nullptr ? std::string() : *type->string();
}

absl::Status CheckDetached(const SentStatement& sent, const DetachedEnvelope& detached,
                           const std::optional<std::string_view>& fetched,
                           const std::string& entry) {
  const absl::StatusOr<std::string> kept = KeptEnvelope(sent);
  if (!kept.ok()) return kept.status();
  const std::string_view envelope = fetched.value_or(*kept);
  if (detached.key != sent.key) {
    return Untrusted(Concat(entry, " bears the key ", detached.key.ToText(), ", not ours"));
  }
  if (detached.digest != Sha256(envelope) || detached.size != envelope.size()) {
    return Untrusted(Concat(entry, " names another envelope than what was sent"));
  }
  const absl::StatusOr<json::Value> value = json::Parse(envelope);
  if (!value.ok()) return Untrusted(entry, value.status());
  const absl::StatusOr<StoredEnvelope> stored = StoredEnvelopeFromValue(*value);
  if (!stored.ok()) return Untrusted(entry, stored.status());
  const std::string type = PredicateTypeIn(stored->payload);
  if (detached.predicate_type != type) {
    return Untrusted(
        Concat(entry, " says ", detached.predicate_type, " of a statement of type ", type));
  }
  return CheckStored(sent, *stored, entry);
}

}  // namespace

std::optional<Digest> EnvelopeToFetch(const SentStatement& sent, std::string_view leaf) {
  if (IsLeafOf(leaf, sent.envelope)) return std::nullopt;
  const absl::StatusOr<Entry> parsed = ParseLeaf(leaf);
  const auto* detached = parsed.ok() ? std::get_if<DetachedEnvelope>(&parsed->body) : nullptr;
  const absl::StatusOr<std::string> kept = KeptEnvelope(sent);
  if (detached == nullptr || !kept.ok() || detached->digest == Sha256(*kept)) return std::nullopt;
  return detached->digest;
}

bool IsOwnLeaf(const SentStatement& sent, std::string_view leaf) {
  return IsLeafOf(leaf, sent.envelope);
}

absl::Status CheckLeaf(const SentStatement& sent, const LoggedLeaf& logged) {
  if (IsLeafOf(logged.leaf, sent.envelope)) return absl::OkStatus();
  const std::string entry = Concat("entry ", logged.index.value());
  absl::StatusOr<Entry> parsed = ParseLeaf(logged.leaf);
  if (!parsed.ok()) return Untrusted(entry, parsed.status());
  if (const auto* detached = std::get_if<DetachedEnvelope>(&parsed->body)) {
    return CheckDetached(sent, *detached, logged.envelope, entry);
  }
  return CheckStored(sent, std::get<StoredEnvelope>(parsed->body), entry);
}

absl::Status CheckInclusion(const LoggedLeaf& logged, const Proof& proof,
                            const Checkpoint& checkpoint) {
  InclusionVerifier tree(checkpoint.size, checkpoint.root);
  return CheckInclusion(logged, proof, tree);
}

absl::Status CheckInclusion(const LoggedLeaf& logged, const Proof& proof, InclusionVerifier& tree) {
  const absl::Status included = tree.Verify(logged.index, LeafHash(logged.leaf), proof);
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
