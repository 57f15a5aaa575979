// A trust policy: the file that names the keys of a log (C2SP tlog-policy, as `stele init` writes
// it).
//
//   log log.example/x+1b2c3d4e+AbCd…      every vkey that ever signed, all of one name; an address
//   may
//                                         follow it
//   quorum none
//
// Empty lines and lines that begin with # do not count. Witnesses are refused: a policy that
// demands more than this program checks must not pass as checked.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/tlog/note.h"

namespace stele::client {

struct TrustPolicy {
  std::string origin;
  std::vector<NoteVerifier> log_keys;  // at least one
};

// INVALID_ARGUMENT with the line.
absl::StatusOr<TrustPolicy> ParseTrustPolicy(std::string_view text);

}  // namespace stele::client
