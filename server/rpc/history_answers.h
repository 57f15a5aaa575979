// What RecordService answers about a record's entries, free of gRPC: from a moment of the store to
// a message. Each refusal is the call's.
#pragma once

#include "absl/status/status.h"
#include "stele/v1/records.pb.h"
#include "store/read/reader.h"

namespace stele::server {

absl::Status AnswerListRecordEntries(const store::Reader& reader,
                                     const v1::ListRecordEntriesRequest& request,
                                     v1::ListRecordEntriesResponse& response);
absl::Status AnswerGetCitation(const store::Reader& reader, const v1::GetCitationRequest& request,
                               v1::GetCitationResponse& response);

}  // namespace stele::server
