#include "core/replay/said.h"

#include <utility>

#include "core/base/base64.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/crypto/sha256.h"
#include "core/json/parse.h"

namespace stele {
namespace {

using Reading = Said::Reading;

void Stop(Reading reading, std::string_view reason, Said& said) {
  said.reading = reading;
  said.reason = reason;
}

const json::Value* Member(const json::Value* value, std::string_view name) {
  const json::Object* object = value == nullptr ? nullptr : value->object();
  return object == nullptr ? nullptr : object->Find(name);
}

const std::string* Text(const json::Value* value) {
  return value == nullptr ? nullptr : value->string();
}

// Where a statement of this type writes the key of its own signer; empty for the others.
std::string_view OwnKeyMember(std::string_view predicate_type, EntryIndex index) {
  if (predicate_type == PredicateTypeOf(StatementType::kKeyIntroduction)) return "key";
  const bool genesis = predicate_type == PredicateTypeOf(StatementType::kGenesis);
  return genesis && index == EntryIndex(0) ? "operatorKey" : "";
}

// Only what may bring its own key is read a second time.
std::optional<PublicKey> OwnKey(std::string_view payload, const Said& said) {
  if (said.HasStatement() && OwnKeyMember(said.statement.predicate_type, said.index).empty()) {
    return std::nullopt;
  }
  return OwnKeyOf(payload, said.signer, said.index);
}

void ReadPayload(StoredEnvelope envelope, std::string_view origin, ReadEntry& read) {
  Said& said = read.said;
  said.payload = Sha256(envelope.payload);
  absl::StatusOr<Statement> statement = ParseStatement(envelope.payload, origin);
  if (statement.ok()) {
    said.statement = *std::move(statement);
    const bool detached = read.detached.has_value();
    if (AlwaysDetached(said.statement.type) != detached) {
      Stop(Reading::kWrongForm, reason::kWrongForm, said);
    } else if (detached && read.detached->predicate_type != said.statement.predicate_type) {
      Stop(Reading::kOtherType, reason::kDetachedMismatch, said);
    } else {
      said.reading = Reading::kWhole;
    }
  } else {
    Stop(Reading::kBadPayload, ReasonOf(statement.status()), said);
  }
  read.own_key = OwnKey(envelope.payload, said);
  said.own_key = read.own_key.has_value();
  read.payload = std::move(envelope.payload);
  read.signature = std::move(envelope.signature);
}

}  // namespace

ReadEntry ReadLeaf(EntryIndex index, std::string_view leaf, std::string_view origin) {
  ReadEntry read;
  Said& said = read.said;
  said.index = index;
  absl::StatusOr<Entry> entry = ParseLeaf(leaf);
  if (!entry.ok()) {
    Stop(Reading::kMalformed, ReasonOf(entry.status()), said);
    return read;
  }
  said.authority = entry->authority;
  said.logged = entry->logged;
  if (auto* envelope = std::get_if<StoredEnvelope>(&entry->body)) {
    said.signer = envelope->key;
    ReadPayload(std::move(*envelope), origin, read);
    return read;
  }
  read.detached = std::get<DetachedEnvelope>(std::move(entry->body));
  said.signer = read.detached->key;
  said.envelope = read.detached->digest;
  Stop(Reading::kNoEnvelope, reason::kMissingContent, said);
  return read;
}

void ReadEnvelope(const std::optional<std::string>& content, std::string_view origin,
                  ReadEntry& read) {
  if (!content || Sha256(*content) != read.detached->digest) return;
  if (content->size() != read.detached->size) {
    return Stop(Reading::kOtherEnvelope, reason::kDetachedMismatch, read.said);
  }
  absl::StatusOr<StoredEnvelope> envelope = ParseKeptEnvelope(*content);
  if (!envelope.ok()) {
    return Stop(Reading::kOtherEnvelope, ReasonOf(envelope.status()), read.said);
  }
  if (envelope->key != read.detached->key) {
    return Stop(Reading::kOtherEnvelope, reason::kDetachedMismatch, read.said);
  }
  read.said.reason.clear();
  ReadPayload(*std::move(envelope), origin, read);
}

void CheckSignature(const PublicKey* known, ReadEntry& read) {
  if (known == nullptr && read.own_key) known = &*read.own_key;
  if (known == nullptr || read.said.reading < Reading::kBadPayload) return;
  const bool good = known->Verify(Pae(read.payload), read.signature).ok();
  read.said.signature = good ? Said::Signature::kGood : Said::Signature::kBad;
}

std::optional<PublicKey> OwnKeyOf(std::string_view payload, const KeyId& signer, EntryIndex index) {
  const auto value = json::Parse(payload, {.max_bytes = limits::kPayloadBytes});
  if (!value.ok()) return std::nullopt;
  const std::string* type = Text(Member(&*value, "predicateType"));
  if (type == nullptr) return std::nullopt;
  const std::string_view member = OwnKeyMember(*type, index);
  if (member.empty()) return std::nullopt;
  const std::string* text = Text(Member(Member(&*value, "predicate"), member));
  const auto spki = text == nullptr ? std::nullopt : Base64DecodeStrict(*text);
  if (!spki) return std::nullopt;
  auto key = PublicKey::FromSpki(*spki);
  if (!key.ok() || key->id() != signer) return std::nullopt;
  return *std::move(key);
}

std::vector<PublicKey> KeysBroughtBy(const Statement& statement) {
  if (const auto* genesis = std::get_if<Genesis>(&statement.predicate)) {
    std::vector<PublicKey> keys = genesis->recovery_keys;
    keys.push_back(genesis->operator_key);
    return keys;
  }
  if (const auto* grant = std::get_if<KeyGrant>(&statement.predicate)) return {grant->key};
  if (const auto* introduction = std::get_if<KeyIntroduction>(&statement.predicate)) {
    return {introduction->key};
  }
  return {};
}

}  // namespace stele
