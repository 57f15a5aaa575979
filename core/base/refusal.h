// A refusal: an absl::Status that also says why in one stable word, and where.
//
// The reason words are part of the format (docs/formats): they are the `reason` of the
// `google.rpc.ErrorInfo` that the server answers, what an audit prints for a void entry,
// and what the golden vectors expect. The place is a JSON Pointer ("" is the whole input).
// Code says what the caller should do; the reason says what was wrong; the message says
// both to a person: item, place, what was expected.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace stele {

// Builds a refusal. `pointer` may be empty (the whole input).
absl::Status Refuse(absl::StatusCode code, std::string_view reason, std::string_view pointer,
                    std::string_view message);

// INVALID_ARGUMENT, by far the most common.
absl::Status RefuseInput(std::string_view reason, std::string_view pointer,
                         std::string_view message);

// A refusal because of a limit, named as ServerService.GetServerInfo names it.
absl::Status RefuseLimit(absl::StatusCode code, std::string_view reason, std::string_view limit,
                         uint64_t value, std::string_view message);
struct RefusedLimit {
  std::string name, value;
};
// Both empty if the refusal names no limit.
RefusedLimit LimitOf(const absl::Status& status);

// The same refusal, saying also after how long the same may succeed.
absl::Status WithRetryDelay(absl::Status status, std::chrono::milliseconds delay);
std::optional<std::chrono::milliseconds> RetryDelayOf(const absl::Status& status);

// The reason word, or "" if the status is OK or is no refusal of ours.
std::string ReasonOf(const absl::Status& status);
// The JSON Pointer of the place, "" if none.
std::string PointerOf(const absl::Status& status);

// The same refusal, its place moved below `prefix` ("/envelope" + "/payload"); OK stays OK.
absl::Status PrefixPointer(const absl::Status& status, std::string_view prefix);

namespace reason {
// Reading (formats §2).
inline constexpr std::string_view kByteOrderMark = "BYTE_ORDER_MARK";
inline constexpr std::string_view kInvalidUtf8 = "INVALID_UTF8";
inline constexpr std::string_view kSyntax = "SYNTAX";
inline constexpr std::string_view kTrailingBytes = "TRAILING_BYTES";
inline constexpr std::string_view kDuplicateName = "DUPLICATE_NAME";
inline constexpr std::string_view kLoneSurrogate = "LONE_SURROGATE";
inline constexpr std::string_view kNoncharacter = "NONCHARACTER";
inline constexpr std::string_view kTooDeep = "TOO_DEEP";
inline constexpr std::string_view kIntegerPrecision = "INTEGER_PRECISION";
inline constexpr std::string_view kNumberOverflow = "NUMBER_OVERFLOW";
inline constexpr std::string_view kNumberUnderflow = "NUMBER_UNDERFLOW";
inline constexpr std::string_view kTooLarge = "TOO_LARGE";
inline constexpr std::string_view kMissingMember = "MISSING_MEMBER";
inline constexpr std::string_view kUnknownMember = "UNKNOWN_MEMBER";
inline constexpr std::string_view kWrongType = "WRONG_TYPE";
inline constexpr std::string_view kWrongValue = "WRONG_VALUE";
inline constexpr std::string_view kTooLong = "TOO_LONG";
// Keys, envelopes, statements (§4).
inline constexpr std::string_view kBadKey = "BAD_KEY";
inline constexpr std::string_view kBadSignature = "BAD_SIGNATURE";
inline constexpr std::string_view kBadBase64 = "BAD_BASE64";
inline constexpr std::string_view kPayloadType = "PAYLOAD_TYPE";
inline constexpr std::string_view kMultipleSignatures = "MULTIPLE_SIGNATURES";
inline constexpr std::string_view kNotCanonical = "NOT_CANONICAL";
inline constexpr std::string_view kUnknownType = "UNKNOWN_TYPE";
inline constexpr std::string_view kSubjectCount = "SUBJECT_COUNT";
inline constexpr std::string_view kSubjectKind = "SUBJECT_KIND";
inline constexpr std::string_view kDuplicateSubject = "DUPLICATE_SUBJECT";
inline constexpr std::string_view kSubjectMismatch = "SUBJECT_MISMATCH";
inline constexpr std::string_view kDuplicateKey = "DUPLICATE_KEY";
inline constexpr std::string_view kBadVkey = "BAD_VKEY";
inline constexpr std::string_view kWrongLog = "WRONG_LOG";
// Judging at a position (§4, §5).
inline constexpr std::string_view kGenesis = "GENESIS";
inline constexpr std::string_view kUnknownKey = "UNKNOWN_KEY";
inline constexpr std::string_view kReplayed = "REPLAYED";
inline constexpr std::string_view kWrongForm = "WRONG_FORM";
inline constexpr std::string_view kDetachedMismatch = "DETACHED_MISMATCH";
inline constexpr std::string_view kAuthority = "AUTHORITY";
inline constexpr std::string_view kRole = "ROLE";
inline constexpr std::string_view kPolicyClosed = "POLICY_CLOSED";
inline constexpr std::string_view kKeyKnown = "KEY_KNOWN";
inline constexpr std::string_view kStaleAfter = "STALE_AFTER";
inline constexpr std::string_view kRecoveryKey = "RECOVERY_KEY";
inline constexpr std::string_view kLastOperator = "LAST_OPERATOR";
inline constexpr std::string_view kCompromisedSince = "COMPROMISED_SINCE";
inline constexpr std::string_view kUnknownSubject = "UNKNOWN_SUBJECT";
inline constexpr std::string_view kNotOwner = "NOT_OWNER";
inline constexpr std::string_view kLogKeyRange = "LOG_KEY_RANGE";
inline constexpr std::string_view kLogKeyKnown = "LOG_KEY_KNOWN";
inline constexpr std::string_view kLogKeyUnknown = "LOG_KEY_UNKNOWN";
inline constexpr std::string_view kWithheld = "WITHHELD";
inline constexpr std::string_view kLeafTooLarge = "LEAF_TOO_LARGE";
inline constexpr std::string_view kTimeDecreased = "TIME_DECREASED";
inline constexpr std::string_view kMissingContent = "MISSING_CONTENT";
inline constexpr std::string_view kContentMismatch = "CONTENT_MISMATCH";
// The log (§6).
inline constexpr std::string_view kProofIndex = "PROOF_INDEX";
inline constexpr std::string_view kProofShape = "PROOF_SHAPE";
inline constexpr std::string_view kProofRoot = "PROOF_ROOT";
inline constexpr std::string_view kProofForm = "PROOF_FORM";
inline constexpr std::string_view kNoteForm = "NOTE_FORM";
inline constexpr std::string_view kCheckpointForm = "CHECKPOINT_FORM";
inline constexpr std::string_view kCheckpointUnsigned = "CHECKPOINT_UNSIGNED";
inline constexpr std::string_view kCheckpointSignature = "CHECKPOINT_SIGNATURE";
inline constexpr std::string_view kCheckpointOrigin = "CHECKPOINT_ORIGIN";
inline constexpr std::string_view kCheckpointRoot = "CHECKPOINT_ROOT";
inline constexpr std::string_view kCheckpointQuorum = "CHECKPOINT_QUORUM";
inline constexpr std::string_view kLogKeyRetired = "LOG_KEY_RETIRED";
inline constexpr std::string_view kBundleForm = "BUNDLE_FORM";
inline constexpr std::string_view kTileMismatch = "TILE_MISMATCH";
inline constexpr std::string_view kMissingFile = "MISSING_FILE";
// Citations (§7).
inline constexpr std::string_view kPermalink = "PERMALINK";
inline constexpr std::string_view kIdentityMismatch = "IDENTITY_MISMATCH";
inline constexpr std::string_view kManifestMismatch = "MANIFEST_MISMATCH";
inline constexpr std::string_view kEntryOrder = "ENTRY_ORDER";
inline constexpr std::string_view kNoPublication = "NO_PUBLICATION";
// The service (admission; may change between releases).
inline constexpr std::string_view kTypeNotAdmitted = "TYPE_NOT_ADMITTED";
inline constexpr std::string_view kGuestQuota = "GUEST_QUOTA";
inline constexpr std::string_view kLogKeyMissing = "LOG_KEY_MISSING";
inline constexpr std::string_view kQueueFull = "QUEUE_FULL";
inline constexpr std::string_view kDiskFull = "DISK_FULL";
inline constexpr std::string_view kStopping = "STOPPING";
inline constexpr std::string_view kReadOnly = "READ_ONLY";
inline constexpr std::string_view kClock = "CLOCK";
inline constexpr std::string_view kNotFound = "NOT_FOUND";
inline constexpr std::string_view kDamaged = "DAMAGED";
}  // namespace reason

}  // namespace stele
