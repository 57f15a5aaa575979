// What an audit remembers between its runs: the checkpoint that it proved last. Pure.
//
//   {"checkpoint":"log.example/x\n300\n…","genesis":"sha256:…","journal":61234,
//    "stele":"audit-state/v1"}
//
// RFC 8785 and a newline. `genesis` is the leaf hash of entry 0; `journal` the bytes of the file
// beside it that cover the entries below the checkpoint's size (client/audit/journal.h).
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/tlog/checkpoint.h"

namespace stele::client {

struct AuditState {
  std::string note;  // the whole signed note
  Checkpoint checkpoint;
  Hash genesis;
  uint64_t journal_bytes = 0;
};

std::string FormatAuditState(const AuditState& state);
// Inverse; INVALID_ARGUMENT for anything else.
absl::StatusOr<AuditState> ParseAuditState(std::string_view text);

}  // namespace stele::client
