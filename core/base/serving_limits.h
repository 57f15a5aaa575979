// The limits of reading, over gRPC and HTTP: limits.h goes on here, in the same namespace and under
// the same rules. Admission limits, all of them; listed by ServerService.GetServerInfo.
#pragma once

#include <cstddef>
#include <cstdint>

namespace stele::limits {

// gRPC.
inline constexpr size_t kRequestTiles = 256;    // of one GetTiles request
inline constexpr size_t kProvenEntries = 4096;  // of one GetProvenEntries request, of a citation
inline constexpr size_t kRecordEntries = 1024;  // of one page of a record's entries

// HTTP.
inline constexpr size_t kHttpConnections = 1024;            // open at a time; the default
inline constexpr size_t kHttpHeaderBytes = 16 * 1024;       // request line and headers
inline constexpr int64_t kHttpRequestMs = 10 * 1000;        // until a request's last byte is there
inline constexpr int64_t kHttpAnswerMs = 30 * 1000;         // until an answer's last byte is taken,
inline constexpr size_t kHttpSlowestBytesPerS = 64 * 1024;  // and a second more for so many bytes
inline constexpr size_t kHttpAnswersBytes = 512 * 1024 * 1024;  // being sent, all connections
inline constexpr size_t kHttpGzipLeastBytes = 256;
inline constexpr size_t kHttpGzipMostBytes = 16 * 1024 * 1024 + 64 * 1024;  // any entry bundle

}  // namespace stele::limits
