// FormatStatement: the canonical payload, members written in RFC 8785 order.
#include <utility>

#include "core/base/base64.h"
#include "core/json/canonical.h"
#include "core/statement/statement.h"
#include "core/statement/types.h"

namespace stele {
namespace {

using json::Member;
using json::Object;
using json::Value;

Value Text(std::string_view text) { return Value(std::string(text)); }
Value Integer(int64_t number) { return Value(static_cast<double>(number)); }
Value Integer(uint64_t number) { return Value(static_cast<double>(number)); }
Value Key(const PublicKey& key) { return Value(Base64Encode(key.spki())); }

// Members in RFC 8785 order; those without a value are left out.
class Members {
 public:
  Members& Add(std::string_view name, Value value) {
    object_.members.emplace_back(std::string(name), std::move(value));
    return *this;
  }
  template <class T, class Format>
  Members& AddIf(std::string_view name, const std::optional<T>& value, Format format) {
    return value ? Add(name, format(*value)) : *this;
  }
  Value Take() { return Value(std::move(object_)); }

 private:
  Object object_;
};

Value DigestText(const Digest& digest) { return Value(digest.ToText()); }

Value FormatEvidence(const std::vector<Evidence>& evidence) {
  json::Array array;
  for (const Evidence& one : evidence) {
    array.push_back(
        Members().AddIf("digest", one.digest, DigestText).Add("uri", Text(one.uri)).Take());
  }
  return Value(std::move(array));
}

Value FormatObservation(const Observation& observed) {
  return Members()
      .Add("metric", Text(observed.metric))
      .Add("statistic", Text(observed.statistic))
      .Add("unit", Text(observed.unit))
      .Add("value", Value(observed.value))
      .Take();
}

Value FormatPredecessor(const Predecessor& predecessor) {
  return Members()
      .Add("log", Text(predecessor.log))
      .Add("root", Value(Base64Encode(predecessor.root.bytes())))
      .Add("size", Integer(predecessor.size.value()))
      .Take();
}

// The predicate object of each type; `log` is the statement's.
struct FormatPredicate {
  std::string_view log;

  Value operator()(const Genesis& genesis) const {
    json::Array recovery;
    for (const PublicKey& key : genesis.recovery_keys) recovery.push_back(Key(key));
    return Members()
        .Add("format", Integer(int64_t{1}))
        .Add("log", Text(log))
        .Add("logKey", Value(genesis.log_key.ToVkey()))
        .Add("operatorKey", Key(genesis.operator_key))
        .AddIf("predecessor", genesis.predecessor, FormatPredecessor)
        .Add("recoveryKeys", Value(std::move(recovery)))
        .Take();
  }
  Value operator()(const KeyGrant& grant) const {
    return Members()
        .Add("after", Integer(grant.after.value()))
        .Add("key", Key(grant.key))
        .Add("log", Text(log))
        .Add("name", Text(grant.name))
        .Add("roles", Value(json::Array{Text(RoleName(grant.role))}))
        .Take();
  }
  Value operator()(const KeyRevoke& revoke) const {
    const auto index = [](EntryIndex i) { return Integer(i.value()); };
    return Members()
        .Add("after", Integer(revoke.after.value()))
        .AddIf("compromisedSince", revoke.compromised_since, index)
        .Add("log", Text(log))
        .Add("reason", Text(revoke.reason))
        .Take();
  }
  Value operator()(const LogKey& log_key) const {
    json::Array retires;
    for (const LogKeyRetirement& one : log_key.retires) {
      retires.push_back(
          Members().Add("until", Integer(one.until.value())).Add("vkey", Text(one.vkey)).Take());
    }
    Members members;
    members.Add("from", Integer(log_key.from.value())).Add("log", Text(log));
    if (!retires.empty()) members.Add("retires", Value(std::move(retires)));
    return members.Add("vkey", Value(log_key.key.ToVkey())).Take();
  }
  Value operator()(const Policy& policy) const {
    return Members()
        .Add("after", Integer(policy.after.value()))
        .Add("log", Text(log))
        .Add("openAttestations", Value(policy.open_attestations))
        .Take();
  }
  Value operator()(const KeyIntroduction& intro) const {
    return Members().Add("key", Key(intro.key)).Add("log", Text(log)).Take();
  }
  Value operator()(const Publication&) const { return Members().Add("log", Text(log)).Take(); }
  Value operator()(const Verification& verification) const {
    return Members()
        .Add("log", Text(log))
        .Add("outcome", Text(verification.passed ? "passed" : "failed"))
        .Add("rerun", DigestText(verification.rerun))
        .Take();
  }
  Value operator()(const Reproduction& reproduction) const {
    Members members;
    members.AddIf("body", reproduction.body, Text)
        .AddIf("environment", reproduction.environment, DigestText);
    if (!reproduction.evidence.empty()) {
      members.Add("evidence", FormatEvidence(reproduction.evidence));
    }
    return members.Add("log", Text(log))
        .AddIf("observed", reproduction.observed, FormatObservation)
        .Add("outcome", Text(reproduction.outcome))
        .Take();
  }
  Value operator()(const NoteStatement& note) const {
    Members members;
    members.Add("body", Text(note.body));
    if (!note.evidence.empty()) members.Add("evidence", FormatEvidence(note.evidence));
    return members.Add("log", Text(log)).Add("topic", Text(note.topic)).Take();
  }
  Value operator()(const Retraction& retraction) const {
    return Members()
        .Add("log", Text(log))
        .Add("reason", Text(retraction.reason))
        .AddIf("supersededBy", retraction.superseded_by, DigestText)
        .Take();
  }
  Value operator()(const Withholding& withholding) const {
    return Members()
        .Add("after", Integer(withholding.after.value()))
        .Add("log", Text(log))
        .Add("reason", Text(withholding.reason))
        .Add("state", Text(withholding.withheld ? "withheld" : "restored"))
        .Take();
  }
  Value operator()(const Foreign&) const { return Value(); }
};

Value FormatSubject(const Subject& subject) {
  Members members;
  if (subject.manifest) {
    members.Add("annotations", Members().Add("manifest", DigestText(*subject.manifest)).Take());
  } else if (subject.kind == Subject::Kind::kArtifact) {
    members.Add("annotations", Members().Add("size", Integer(subject.size)).Take());
  }
  members.Add("digest", Members().Add("sha256", Value(subject.digest.ToHex())).Take());
  if (subject.kind != Subject::Kind::kAny) members.Add("mediaType", Text(subject.media_type));
  return members.Take();
}

}  // namespace

std::string FormatStatement(const Statement& statement) {
  if (statement.type == StatementType::kForeign) return "";
  json::Array subjects;
  subjects.reserve(statement.subjects.size());
  for (const Subject& subject : statement.subjects) subjects.push_back(FormatSubject(subject));
  return json::Canonical(
      Members()
          .Add("_type", Text(kStatementType))
          .Add("predicate", std::visit(FormatPredicate{statement.log}, statement.predicate))
          .Add("predicateType", Text(PredicateTypeOf(statement.type)))
          .Add("subject", Value(std::move(subjects)))
          .Take());
}

}  // namespace stele
