// What a key says: an in-toto Statement v1 of one of Stele's predicate types, or a foreign one
// (formats §4, rules 5 to 14). This is the payload's form alone; whether it counts at a position is
// for the planner and the audit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/strong_int.h"
#include "core/crypto/key.h"
#include "core/tlog/note.h"

namespace stele {

enum class StatementType : uint8_t {
  kGenesis,
  kKeyGrant,
  kKeyRevoke,
  kLogKey,
  kPolicy,
  kKeyIntroduction,
  kPublication,
  kVerification,
  kReproduction,
  kNote,
  kRetraction,
  kWithholding,
  kForeign,
};
// "genesis", "key-grant", …, "foreign".
std::string_view StatementTypeName(StatementType type);
// "urn:stele:predicate:genesis:v1"; empty for kForeign.
std::string_view PredicateTypeOf(StatementType type);
// True for the types that are always logged detached: reproduction, note, foreign.
bool AlwaysDetached(StatementType type);

// Strongest first; a key may do what its role and weaker ones may.
enum class Role { kOperator, kRunner, kPublisher, kAttester, kGuest, kRecovery };
std::string_view RoleName(Role role);
std::optional<Role> ParseGrantableRole(std::string_view name);  // operator … attester

inline constexpr std::string_view kRecordMediaType = "application/vnd.stele.record.v1+json";
inline constexpr std::string_view kKeyMediaType = "application/vnd.stele.key.v1";
inline constexpr std::string_view kOriginMediaType = "application/vnd.stele.origin.v1";

struct Subject {
  enum class Kind { kRecord, kArtifact, kKey, kOrigin, kAny };
  Kind kind = Kind::kRecord;
  Digest digest;
  std::string media_type;          // empty for kAny
  std::optional<Digest> manifest;  // of a record in a publication
  uint64_t size = 0;               // bytes, of an artifact
};

struct Predecessor {
  std::string log;
  TreeSize size;
  Digest root;
};
struct Genesis {
  NoteVerifier log_key;
  PublicKey operator_key;
  std::vector<PublicKey> recovery_keys;
  std::optional<Predecessor> predecessor;
};
struct KeyGrant {
  EventIndex after;
  PublicKey key;
  std::string name;
  Role role;
};
struct KeyRevoke {
  EventIndex after;
  std::string reason;
  std::optional<EntryIndex> compromised_since;
};
struct LogKeyRetirement {
  std::string vkey;
  TreeSize until;
};
struct LogKey {
  NoteVerifier key;
  TreeSize from;
  std::vector<LogKeyRetirement> retires;
};
struct Policy {
  EventIndex after;
  bool open_attestations = false;
};
struct KeyIntroduction {
  PublicKey key;
};
struct Publication {};
struct Verification {
  bool passed = false;
  Digest rerun;
};
struct Evidence {
  std::string uri;
  std::optional<Digest> digest;
};
struct Observation {
  std::string metric, statistic, unit;
  double value = 0;
};
struct Reproduction {
  std::string outcome;
  std::optional<Observation> observed;
  std::optional<Digest> environment;
  std::vector<Evidence> evidence;
  std::optional<std::string> body;
};
struct NoteStatement {
  std::string topic;
  std::string body;
  std::vector<Evidence> evidence;
};
struct Retraction {
  std::string reason;
  std::optional<Digest> superseded_by;
};
struct Withholding {
  EventIndex after;
  bool withheld = false;  // else restored
  std::string reason;
};
struct Foreign {};

using Predicate =
    std::variant<Genesis, KeyGrant, KeyRevoke, LogKey, Policy, KeyIntroduction, Publication,
                 Verification, Reproduction, NoteStatement, Retraction, Withholding, Foreign>;

struct Statement {
  StatementType type = StatementType::kForeign;
  std::string predicate_type;
  std::string log;                // empty for foreign statements
  std::vector<Subject> subjects;  // of a foreign statement those with a readable sha256
  Predicate predicate = Foreign{};
};

// Parses the payload of a statement for the log `origin`. Refusals are the reason words of the
// golden vectors, pointers into the payload. Over limits::kPayloadBytes is TOO_LARGE.
absl::StatusOr<Statement> ParseStatement(std::string_view payload, std::string_view origin);

// The canonical payload bytes of a statement of one of Stele's own types, inverse of
// ParseStatement. What these give always parses back; the caller fills valid members (checked by
// parsing in push and init before signing). Empty for a foreign statement: its bytes are its
// signer's.
std::string FormatStatement(const Statement& statement);

// The subjects that the types demand.
Subject KeySubject(const KeyId& key);
Subject OriginSubject(std::string_view origin);
Subject RecordSubject(const Digest& record, const Digest& manifest);

}  // namespace stele
