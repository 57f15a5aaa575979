// Predicates about keys, log keys and the log's policy.
#include <algorithm>
#include <utility>

#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/statement/predicates.h"
#include "core/tlog/checkpoint.h"

namespace stele {
namespace {

void ReadOrigin(const JsonReader& text) {
  if (!ValidOrigin(text.String())) {
    text.Fail(reason::kWrongValue, "must be 1 to 200 visible ASCII characters without +");
  }
}

std::optional<NoteVerifier> ReadVkey(const JsonReader& text, std::string_view origin) {
  absl::StatusOr<NoteVerifier> verifier = NoteVerifier::FromVkey(text.String());
  if (verifier.ok() && verifier->name == origin) return *std::move(verifier);
  text.Fail(reason::kBadVkey, "must be an Ed25519 vkey whose name is the origin");
  return std::nullopt;
}

std::vector<PublicKey> ReadRecoveryKeys(const JsonReader& array,
                                        const std::optional<PublicKey>& op) {
  const size_t count = array.Items();
  if (count > limits::kRecoveryKeys) array.Fail(reason::kWrongValue, "at most 4 recovery keys");
  std::vector<PublicKey> keys;
  for (size_t i = 0; i < count && array.ok(); ++i) {
    const JsonReader item = array.At(i);
    std::optional<PublicKey> key = item.Key();
    if (!key) break;
    const auto same = [&](const PublicKey& other) { return other.id() == key->id(); };
    if (same(*op) || std::any_of(keys.begin(), keys.end(), same)) {
      item.Fail(reason::kDuplicateKey, "operator and recovery keys must all be different");
    }
    keys.push_back(*std::move(key));
  }
  return keys;
}

Predecessor ReadPredecessor(const JsonReader& object) {
  object.Members({"log", "root", "size"});
  Predecessor predecessor;
  ReadOrigin(object.At("log"));
  predecessor.log = object.At("log").String();
  predecessor.size = TreeSize(static_cast<uint64_t>(object.At("size").Integer(1)));
  const auto root = Digest::FromBytes(object.At("root").Base64());
  if (!root) object.At("root").Fail(reason::kWrongValue, "must be 32 bytes");
  predecessor.root = root.value_or(Digest());
  return predecessor;
}

std::optional<Role> ReadRoles(const JsonReader& array) {
  if (array.Items() != 1) array.Fail(reason::kWrongValue, "exactly one role");
  const JsonReader item = array.At(0);
  const std::optional<Role> role = ParseGrantableRole(item.String());
  if (!role) item.Fail(reason::kWrongValue, "must be operator, runner, publisher or attester");
  return role;
}

std::vector<LogKeyRetirement> ReadRetirements(const JsonReader& array, std::string_view origin,
                                              const std::string& vkey) {
  const size_t count = array.Items();
  if (count == 0) array.Fail(reason::kWrongValue, "at least one, or no such member");
  std::vector<LogKeyRetirement> retires;
  for (size_t i = 0; i < count && array.ok(); ++i) {
    const JsonReader item = array.At(i);
    item.Members({"until", "vkey"});
    const JsonReader retired = item.At("vkey");
    ReadVkey(retired, origin);
    const auto same = [&](const LogKeyRetirement& other) { return other.vkey == retired.String(); };
    if (retired.String() == vkey || std::any_of(retires.begin(), retires.end(), same)) {
      retired.Fail(reason::kDuplicateKey, "a log key may stand here once");
    }
    const auto until = static_cast<uint64_t>(item.At("until").Integer(0));
    retires.push_back({retired.String(), TreeSize(until)});
  }
  return retires;
}

}  // namespace

std::optional<Predicate> ReadGenesis(const JsonReader& object, std::string_view origin) {
  object.Members({"format", "log", "logKey", "operatorKey", "recoveryKeys"}, {"predecessor"});
  if (object.Has("log")) ReadOrigin(object.At("log"));
  ReadLog(object, origin);
  const JsonReader format = object.At("format");
  if (format.Integer(1) != 1) format.Fail(reason::kWrongValue, "must be 1");
  std::optional<NoteVerifier> log_key = ReadVkey(object.At("logKey"), origin);
  std::optional<PublicKey> operator_key = object.At("operatorKey").Key();
  std::vector<PublicKey> recovery = ReadRecoveryKeys(object.At("recoveryKeys"), operator_key);
  std::optional<Predecessor> predecessor;
  if (object.Has("predecessor")) predecessor = ReadPredecessor(object.At("predecessor"));
  if (!object.ok()) return std::nullopt;
  return Genesis{*std::move(log_key), *std::move(operator_key), std::move(recovery),
                 std::move(predecessor)};
}

std::optional<Predicate> ReadKeyGrant(const JsonReader& object, std::string_view origin) {
  object.Members({"after", "key", "log", "name", "roles"});
  ReadLog(object, origin);
  const EventIndex after(object.At("after").Integer(-1));
  std::optional<PublicKey> key = object.At("key").Key();
  std::string name = object.At("name").Text(limits::kNameBytes);
  const std::optional<Role> role = ReadRoles(object.At("roles"));
  if (!object.ok()) return std::nullopt;
  return KeyGrant{after, *std::move(key), std::move(name), *role};
}

std::optional<Predicate> ReadKeyRevoke(const JsonReader& object, std::string_view origin) {
  object.Members({"after", "log", "reason"}, {"compromisedSince"});
  ReadLog(object, origin);
  KeyRevoke revoke;
  revoke.after = EventIndex(object.At("after").Integer(-1));
  revoke.reason = object.At("reason").Text(limits::kReasonBytes);
  if (object.Has("compromisedSince")) {
    const int64_t since = object.At("compromisedSince").Integer(0);
    revoke.compromised_since = EntryIndex(static_cast<uint64_t>(since));
  }
  if (!object.ok()) return std::nullopt;
  return revoke;
}

std::optional<Predicate> ReadLogKey(const JsonReader& object, std::string_view origin) {
  object.Members({"from", "log", "vkey"}, {"retires"});
  ReadLog(object, origin);
  const JsonReader vkey = object.At("vkey");
  std::optional<NoteVerifier> key = ReadVkey(vkey, origin);
  const TreeSize from(static_cast<uint64_t>(object.At("from").Integer(0)));
  std::vector<LogKeyRetirement> retires;
  if (object.Has("retires")) {
    retires = ReadRetirements(object.At("retires"), origin, vkey.String());
  }
  if (!object.ok()) return std::nullopt;
  return LogKey{*std::move(key), from, std::move(retires)};
}

std::optional<Predicate> ReadPolicy(const JsonReader& object, std::string_view origin) {
  object.Members({"after", "log", "openAttestations"});
  ReadLog(object, origin);
  Policy policy;
  policy.after = EventIndex(object.At("after").Integer(-1));
  policy.open_attestations = object.At("openAttestations").Boolean();
  if (!object.ok()) return std::nullopt;
  return policy;
}

std::optional<Predicate> ReadKeyIntroduction(const JsonReader& object, std::string_view origin) {
  object.Members({"key", "log"});
  ReadLog(object, origin);
  std::optional<PublicKey> key = object.At("key").Key();
  if (!object.ok()) return std::nullopt;
  return KeyIntroduction{*std::move(key)};
}

}  // namespace stele
