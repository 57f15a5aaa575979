// add-checkpoint (C2SP tlog-witness): what a log sends to a witness, and how a witness judges it.
// Pure; what a witness remembers and signs is the caller's.
//
//   old 20852014                                      size that the witness cosigned last, 0 if
//   none PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=      consistency proof from there, RFC 6962
//   order
//                                                     empty line
//   log.example/x                                     the checkpoint note as it stands
//   …
//
// A refusal's code says which HTTP status the protocol has for it (HttpStatusOf).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/strong_int.h"
#include "core/merkle/proof.h"
#include "core/tlog/checkpoint.h"
#include "core/tlog/note.h"

namespace stele {

struct AddCheckpoint {
  TreeSize old_size;
  Proof proof;             // at most 63 hashes
  std::string checkpoint;  // a signed note
};

// Inverse of each other. INVALID_ARGUMENT: PROOF_FORM for what is not this text, PROOF_SHAPE for a
// hash that has not 32 bytes, NOTE_FORM, CHECKPOINT_FORM.
absl::StatusOr<AddCheckpoint> ParseAddCheckpoint(std::string_view body);
std::string FormatAddCheckpoint(const AddCheckpoint& request);

// A request whose checkpoint is known to be its log's.
struct ToWitness {
  TreeSize old_size;
  Proof proof;
  Checkpoint checkpoint;
  // Its text, with the signatures of the log that were verified and nothing else: a witness keeps
  // and hands on only what it checked.
  Note note;
};

// The keys that a witness trusts for an origin; empty if it does not know it.
using KeysOfOrigin = absl::FunctionRef<std::vector<NoteVerifier>(std::string_view origin)>;

// What can be judged without what the witness remembers. What ParseAddCheckpoint refuses, and
// INVALID_ARGUMENT (PROOF_INDEX) if the old size is above the checkpoint's; NOT_FOUND
// (CHECKPOINT_ORIGIN) of an origin without keys; PERMISSION_DENIED (CHECKPOINT_UNSIGNED,
// CHECKPOINT_SIGNATURE) if no key of the origin signed, or a line of one does not verify.
absl::StatusOr<ToWitness> OpenAddCheckpoint(std::string_view body, KeysOfOrigin keys_of);

// May the witness go from the checkpoint that it cosigned last (size 0 if there is none) to this
// one? To be asked under the lock under which the new one is kept. ABORTED (CHECKPOINT_ROOT) if the
// old size is another than the last one's; FAILED_PRECONDITION (CHECKPOINT_ROOT, PROOF_SHAPE,
// PROOF_ROOT) if it is not shown that the one goes on from the other: proof of misbehaviour,
// perhaps, so both are worth keeping.
absl::Status CheckStep(TreeSize last_size, const Hash& last_root, const ToWitness& request);

// 200, 400, 403, 404, 409 or 422; 500 for any other code.
int HttpStatusOf(const absl::Status& status);

// The body of a 409: the size, and a newline. Its content type is text/x.tlog.size.
std::string FormatTlogSize(TreeSize size);
// Of a 409's body. INVALID_ARGUMENT (PROOF_FORM) for anything else.
absl::StatusOr<TreeSize> ParseTlogSize(std::string_view body);

}  // namespace stele
