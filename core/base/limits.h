// Every limit of Stele, the unit in its name.
//
// "Format" limits decide what an entry means and never change; "admission" limits are this
// server's policy. All of them are listed by ServerService.GetServerInfo.
#pragma once

#include <cstddef>
#include <cstdint>

namespace stele::limits {

// Format.
inline constexpr size_t kManifestBytes = 1024 * 1024;     // input text and RFC 8785 form, each
inline constexpr int kJsonDepth = 64;                     // open arrays and objects
inline constexpr size_t kPayloadBytes = 3 * 1024 * 1024;  // signed bytes of a statement
inline constexpr size_t kLeafBytes = 65535;               // one log entry
inline constexpr size_t kSubjects = 128;                  // of one statement
inline constexpr size_t kReasonBytes = 500;
inline constexpr size_t kNameBytes = 100;
inline constexpr size_t kMediaTypeBytes = 127;
inline constexpr size_t kPredicateTypeBytes = 500;
inline constexpr size_t kOriginBytes = 200;
inline constexpr size_t kBodyCharacters = 2000;  // Unicode code points
inline constexpr size_t kRecoveryKeys = 4;
inline constexpr size_t kSuccessors = 64;                       // followed of a superseded record
inline constexpr int64_t kMaxInteger = (int64_t{1} << 53) - 1;  // I and sizes
inline constexpr size_t kTileWidth = 256;                       // hashes or entries of a full tile

// Admission and service.
inline constexpr size_t kEnvelopeBytes = 4 * 1024 * 1024 + 16 * 1024;  // DSSE text as received
inline constexpr size_t kManifestFileBytes = 64 * 1024 * 1024;  // a manifest or a bundle of them
inline constexpr size_t kStatementContentBytes = 16 * 1024 * 1024;  // manifests of one statement
inline constexpr size_t kMessageBytes = 24 * 1024 * 1024;           // one gRPC message
inline constexpr size_t kRequestItems = 256;  // statements of one PublishRequest
inline constexpr size_t kStreamWindow = 512;  // unanswered statements of one stream
inline constexpr size_t kStreamWindowBytes = 32 * 1024 * 1024;
inline constexpr size_t kQueueStatements = 8192;  // waiting for the writer
inline constexpr size_t kQueueBytes = 128 * 1024 * 1024;
inline constexpr size_t kPlanBytes = 64 * 1024 * 1024;  // content and entries of one commit
// What one commit gathers; a statement that is larger goes alone. A synchronisation is long paid
// for by then, and more would only make the start after a kill longer.
inline constexpr size_t kCommitBytes = 4 * 1024 * 1024;
inline constexpr size_t kPlanStatements = 1024;  // of one commit
inline constexpr size_t kFetchDigests = 1024;    // of one streamed fetch request
inline constexpr size_t kExistsItems = 4096;     // of one existence check
inline constexpr size_t kListEntries = 1024;     // of one page of log entries
inline constexpr size_t kListEntriesBytes = 8 * 1024 * 1024;
inline constexpr size_t kSourceContentBytes = 1024 * 1024 * 1024;  // one content read by an audit
inline constexpr size_t kAuditStateBytes = 2 * 1024 * 1024;        // the state file of an audit
inline constexpr size_t kAuditFrameBytes = 64 * 1024 * 1024;       // one frame of its journal
// What a guest's statement may be, and how many of them are taken in a day; defaults.
inline constexpr size_t kGuestEnvelopeBytes = 16 * 1024;
inline constexpr uint64_t kGuestKeyStatementsPerDay = 50;
inline constexpr uint64_t kGuestAddressStatementsPerDay = 200;
inline constexpr uint64_t kGuestStatementsPerDay = 10'000;
inline constexpr size_t kForeignSubjects = 1024;  // of one foreign statement
inline constexpr uint64_t kDiskReserveBytes = 256ull * 1024 * 1024;
inline constexpr int64_t kClockBackMs = 5 * 1000;
inline constexpr int64_t kClockJumpMs = 3600 * 1000;
inline constexpr size_t kYamlAliases = 100;
inline constexpr size_t kDigestPrefixHex = 8;               // least digits of a digest prefix
inline constexpr size_t kTrustPolicyBytes = 1024 * 1024;    // a policy file
inline constexpr size_t kCitationBytes = 64 * 1024 * 1024;  // a citation bundle

}  // namespace stele::limits
