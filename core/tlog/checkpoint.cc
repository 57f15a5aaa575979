#include "core/tlog/checkpoint.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/base64.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/tlog/lines.h"

namespace stele {
namespace {

absl::Status BadForm(std::string_view message) {
  return RefuseInput(reason::kCheckpointForm, "", message);
}

absl::Status BadOrigin(std::string_view message) {
  return RefuseInput(reason::kCheckpointOrigin, "", message);
}

std::optional<Hash> ParseRoot(std::string_view text) {
  const std::optional<std::string> bytes = Base64DecodeStrict(text);
  if (!bytes) return std::nullopt;
  return Hash::FromBytes(*bytes);
}

}  // namespace

bool ValidOrigin(std::string_view origin) {
  return !origin.empty() && origin.size() <= limits::kOriginBytes &&
         std::all_of(origin.begin(), origin.end(),
                     [](char c) { return c > ' ' && c <= '~' && c != '+'; });
}

std::string FormatCheckpoint(const Checkpoint& checkpoint) {
  std::string text = checkpoint.origin + "\n" + std::to_string(checkpoint.size.value()) + "\n";
  Base64Append(checkpoint.root.bytes(), text);
  text += '\n';
  for (const std::string& line : checkpoint.extensions) text += line + "\n";
  return text;
}

absl::StatusOr<Checkpoint> ParseCheckpointText(std::string_view text) {
  const std::optional<std::string_view> origin = TakeWholeLine(text);
  if (!origin || origin->empty()) return BadForm("a checkpoint begins with its origin");
  const std::optional<std::string_view> size_line = TakeWholeLine(text);
  const std::optional<uint64_t> size = size_line ? ParseDecimal(*size_line) : std::nullopt;
  if (!size) return BadForm("the second line is the tree size, decimal without leading zeros");
  const std::optional<std::string_view> root_line = TakeWholeLine(text);
  const std::optional<Hash> root = root_line ? ParseRoot(*root_line) : std::nullopt;
  if (!root) return BadForm("the third line is the root, base64 of 32 bytes");
  Checkpoint checkpoint{std::string(*origin), TreeSize(*size), *root, {}};
  while (!text.empty()) {
    const std::optional<std::string_view> line = TakeWholeLine(text);
    if (!line || line->empty())
      return BadForm("extension lines are not empty and end in a newline");
    checkpoint.extensions.emplace_back(*line);
  }
  return checkpoint;
}

absl::StatusOr<SignedCheckpoint> OpenCheckpoint(std::string_view note,
                                                const std::vector<NoteVerifier>& verifiers) {
  STELE_ASSIGN_OR_RETURN(Note parsed, ParseNote(note));
  SignedCheckpoint opened;
  STELE_ASSIGN_OR_RETURN(opened.checkpoint, ParseCheckpointText(parsed.text));
  STELE_ASSIGN_OR_RETURN(std::vector<const NoteVerifier*> signers, VerifyNote(parsed, verifiers));
  for (const NoteVerifier* signer : signers) {
    if (signer->name != opened.checkpoint.origin) {
      return BadOrigin("the checkpoint is of another origin than the key " + signer->ToVkey());
    }
    opened.signers.push_back(signer->ToVkey());
  }
  return opened;
}

absl::StatusOr<std::string> SignCheckpoint(const Checkpoint& checkpoint,
                                           const NoteVerifier& verifier, const PrivateKey& key) {
  if (!ValidOrigin(checkpoint.origin) || checkpoint.origin != verifier.name) {
    return BadOrigin("the origin is not the name of the log key, or none that is allowed");
  }
  Note note{FormatCheckpoint(checkpoint), {}};
  // Nothing is signed that would not be read back as what it is.
  STELE_ASSIGN_OR_RETURN(const Checkpoint again, ParseCheckpointText(note.text));
  if (again != checkpoint) return BadForm("an extension line holds a newline");
  STELE_ASSIGN_OR_RETURN(NoteSignature signature, SignNote(note.text, verifier, key));
  note.signatures.push_back(std::move(signature));
  return FormatNote(note);
}

}  // namespace stele
