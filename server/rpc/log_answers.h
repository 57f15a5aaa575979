// What LogService answers, free of gRPC: from a moment of the store to a message.
#pragma once

#include "absl/status/status.h"
#include "core/base/strong_int.h"
#include "stele/v1/log.pb.h"
#include "store/read/reader.h"

namespace stele::server {

void AnswerGetHead(const store::Reader& reader, v1::GetHeadResponse& response);

// NOT_FOUND if the tree has no such entry.
absl::Status AnswerGetEntry(const store::Reader& reader, EntryIndex index,
                            v1::GetEntryResponse& response);

// INVALID_ARGUMENT for a page size or token that this server did not give.
absl::Status AnswerListKeys(const store::Reader& reader, const v1::ListKeysRequest& request,
                            v1::ListKeysResponse& response);

// INVALID_ARGUMENT for a subject that has not 32 bytes.
absl::Status AnswerGetLatestEvents(const store::Reader& reader,
                                   const v1::GetLatestEventsRequest& request,
                                   v1::GetLatestEventsResponse& response);

// One page of [begin, end): at most limits::kListEntries leaves, and no further one once
// limits::kListEntriesBytes are reached. Sets `start` and `leaves`.
absl::Status FillEntries(const store::Reader& reader, EntryIndex begin, EntryIndex end,
                         v1::ListEntriesResponse& response);

}  // namespace stele::server
