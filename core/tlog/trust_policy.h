// Trust policy (C2SP tlog-policy): the logs whose checkpoints count, the witnesses that are known,
// and how many of them must have cosigned.
//
//   # one line each; white space is spaces and tabs
//   log log.example/x+1b2c3d4e+AbCd… [<url>]       every vkey that ever signed
//   witness W1 witness.example/1+5d6e7f80+BAbC… [<url>]
//   witness W2 witness.example/2+9a0b1c2d+BEfG… [<url>]
//   group two all W1 W2                           all, any, or how many
//   quorum two                                    a witness, a group, or none; exactly once
//
// A name is defined above its use, once; each stands in at most one group. A witness with an
// ML-DSA-44 key is read, but Stele cannot verify its cosignatures: it counts as one that has not
// cosigned, and the warnings name it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/tlog/cosignature.h"
#include "core/tlog/note.h"

namespace stele {

// A value type; copies are independent. Const use from any thread.
struct TrustPolicy {
  struct Log {
    NoteVerifier key;
    std::string url;  // empty if none is given
  };
  struct Witness {
    std::string name;
    std::string vkey;
    std::optional<CosignerVerifier> cosigner;  // nothing: of a kind that Stele cannot verify
    std::string url;
  };
  // What a group or the quorum names: a witness, or a group defined above.
  struct Member {
    enum class Kind { kWitness, kGroup };
    Kind kind = Kind::kWitness;
    size_t index = 0;  // into `witnesses` or `groups`
    friend bool operator==(const Member&, const Member&) = default;
  };
  struct Group {
    std::string name;
    size_t threshold = 1;  // 1 to the number of members
    std::vector<Member> members;
  };

  std::vector<Log> logs;
  std::vector<Witness> witnesses;
  std::vector<Group> groups;
  std::optional<Member> quorum;  // nothing: `quorum none`

  // The keys of `logs`, in their order.
  std::vector<NoteVerifier> LogKeys() const;
  // A sentence for each witness that can never count.
  std::vector<std::string> Warnings() const;
};

// Strict. INVALID_ARGUMENT with the number of the line. A policy may name no log; who needs one
// refuses it.
absl::StatusOr<TrustPolicy> ParseTrustPolicy(std::string_view text);

// A policy without witnesses.
TrustPolicy PolicyOfLogKeys(const std::vector<NoteVerifier>& keys);

}  // namespace stele
