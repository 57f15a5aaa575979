// What RecordService answers, free of gRPC: from a moment of the store to a message. Each refusal
// is the call's.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/crypto/digest.h"
#include "stele/v1/records.pb.h"
#include "store/read/reader.h"

namespace stele::server {

// 32 bytes, or WRONG_VALUE at `pointer`.
absl::StatusOr<Digest> DigestField(std::string_view bytes, std::string_view pointer);

// The bytes with this digest; NOT_FOUND names it.
absl::StatusOr<std::string> ReadContent(const store::Reader& reader, const Digest& digest);

absl::Status AnswerResolvePrefix(const store::Reader& reader,
                                 const v1::ResolvePrefixRequest& request,
                                 v1::ResolvePrefixResponse& response);
absl::Status AnswerCheckPublications(const store::Reader& reader,
                                     const v1::CheckPublicationsRequest& request,
                                     v1::CheckPublicationsResponse& response);
absl::Status AnswerGetRecord(const store::Reader& reader, const v1::GetRecordRequest& request,
                             v1::GetRecordResponse& response);

}  // namespace stele::server
