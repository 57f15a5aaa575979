#include "core/tlog/add_checkpoint.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/base64.h"
#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/tlog/lines.h"

namespace stele {
namespace {

constexpr std::string_view kOld = "old ";
constexpr size_t kMaxHashes = 63;

absl::Status BadForm(std::string_view message) {
  return RefuseInput(reason::kProofForm, "", message);
}

std::optional<TreeSize> ParseSize(std::string_view text) {
  const std::optional<uint64_t> size = ParseDecimal(text);
  return size ? std::optional(TreeSize(*size)) : std::nullopt;
}

absl::Status WithCode(absl::StatusCode code, const absl::Status& status) {
  return Refuse(code, ReasonOf(status), "", std::string(status.message()));
}

// The signatures of these keys alone.
std::vector<NoteSignature> SignaturesOf(const Note& note,
                                        const std::vector<NoteVerifier>& verifiers) {
  std::vector<NoteSignature> lines;
  for (const NoteSignature& line : note.signatures) {
    const bool known =
        std::any_of(verifiers.begin(), verifiers.end(), [&](const NoteVerifier& verifier) {
          return verifier.name == line.name && verifier.key_hash == line.key_hash;
        });
    if (known) lines.push_back(line);
  }
  return lines;
}

}  // namespace

absl::StatusOr<AddCheckpoint> ParseAddCheckpoint(std::string_view body) {
  AddCheckpoint request;
  std::optional<std::string_view> line = TakeWholeLine(body);
  std::optional<TreeSize> old_size;
  if (line && line->starts_with(kOld)) old_size = ParseSize(line->substr(kOld.size()));
  if (!old_size) {
    return BadForm("the first line is `old ` and a decimal size without leading zeros");
  }
  request.old_size = *old_size;
  std::vector<std::string> hashes;
  for (line = TakeWholeLine(body); line && !line->empty(); line = TakeWholeLine(body)) {
    std::optional<std::string> hash = Base64DecodeStrict(*line);
    if (!hash) return BadForm(Concat("line ", hashes.size() + 2, " is no base64 of a hash"));
    if (hashes.size() == kMaxHashes) return BadForm("a proof has at most 63 hashes");
    hashes.push_back(*std::move(hash));
  }
  if (!line) return BadForm("an empty line stands between the proof and the checkpoint");
  STELE_ASSIGN_OR_RETURN(request.proof, ProofFromBytes(hashes));
  STELE_ASSIGN_OR_RETURN(const Note note, ParseNote(body));
  STELE_RETURN_IF_ERROR(ParseCheckpointText(note.text).status());
  request.checkpoint = body;
  return request;
}

std::string FormatAddCheckpoint(const AddCheckpoint& request) {
  std::string body = Concat(kOld, request.old_size.value(), "\n");
  for (const Hash& hash : request.proof) {
    Base64Append(hash.bytes(), body);
    body += '\n';
  }
  return Concat(body, "\n", request.checkpoint);
}

absl::StatusOr<ToWitness> OpenAddCheckpoint(std::string_view body, KeysOfOrigin keys_of) {
  STELE_ASSIGN_OR_RETURN(AddCheckpoint request, ParseAddCheckpoint(body));
  STELE_ASSIGN_OR_RETURN(Note note, ParseNote(request.checkpoint));
  STELE_ASSIGN_OR_RETURN(Checkpoint checkpoint, ParseCheckpointText(note.text));
  const std::vector<NoteVerifier> keys = keys_of(checkpoint.origin);
  if (keys.empty()) {
    return Refuse(absl::StatusCode::kNotFound, reason::kCheckpointOrigin, "",
                  Concat("this witness does not know the log ", checkpoint.origin));
  }
  const auto opened = OpenCheckpoint(request.checkpoint, keys);
  if (!opened.ok()) return WithCode(absl::StatusCode::kPermissionDenied, opened.status());
  if (request.old_size > checkpoint.size) {
    return RefuseInput(reason::kProofIndex, "",
                       Concat("the old size ", request.old_size.value(),
                              " is above the checkpoint's, ", checkpoint.size.value()));
  }
  note.signatures = SignaturesOf(note, keys);
  return ToWitness{request.old_size, std::move(request.proof), std::move(checkpoint),
                   std::move(note)};
}

absl::Status CheckStep(TreeSize last_size, const Hash& last_root, const ToWitness& request) {
  constexpr auto kRefused = absl::StatusCode::kFailedPrecondition;
  const Checkpoint& next = request.checkpoint;
  if (request.old_size != last_size) {
    return Refuse(absl::StatusCode::kAborted, reason::kCheckpointRoot, "",
                  Concat("the checkpoint cosigned last has size ", last_size.value(), ", not ",
                         request.old_size.value()));
  }
  if (next.size == TreeSize(0) && next.root != EmptyRoot()) {
    return Refuse(kRefused, reason::kCheckpointRoot, "", "the empty tree has another root");
  }
  if (last_size == TreeSize(0)) {
    if (request.proof.empty()) return absl::OkStatus();
    return Refuse(kRefused, reason::kProofShape, "", "from size 0 there is nothing to prove");
  }
  if (last_size == next.size && next.root != last_root) {
    return Refuse(kRefused, reason::kCheckpointRoot, "",
                  Concat("two roots at size ", next.size.value()));
  }
  const absl::Status proven =
      VerifyConsistency(last_size, next.size, last_root, next.root, request.proof);
  return proven.ok() ? proven : WithCode(kRefused, proven);
}

int HttpStatusOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return 200;
    case absl::StatusCode::kInvalidArgument:
      return 400;
    case absl::StatusCode::kPermissionDenied:
      return 403;
    case absl::StatusCode::kNotFound:
      return 404;
    case absl::StatusCode::kAborted:
      return 409;
    case absl::StatusCode::kFailedPrecondition:
      return 422;
    default:
      return 500;
  }
}

std::string FormatTlogSize(TreeSize size) { return Concat(size.value(), "\n"); }

absl::StatusOr<TreeSize> ParseTlogSize(std::string_view body) {
  const std::optional<std::string_view> line = TakeWholeLine(body);
  const std::optional<TreeSize> size = line ? ParseSize(*line) : std::nullopt;
  if (!size || !body.empty()) return BadForm("expected a decimal size and a newline");
  return *size;
}

}  // namespace stele
