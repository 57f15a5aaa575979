#include "core/tlog/checkpoint.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "core/base/base64.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"

namespace stele {
namespace {

absl::Status BadForm(std::string_view message) {
  return RefuseInput(reason::kCheckpointForm, "", message);
}

absl::Status BadOrigin(std::string_view message) {
  return RefuseInput(reason::kCheckpointOrigin, "", message);
}

// Cuts one line, without its newline, from the front; nothing if there is none or it is empty.
std::optional<std::string_view> TakeLine(std::string_view& text) {
  const size_t end = text.find('\n');
  if (end == std::string_view::npos || end == 0) return std::nullopt;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

// Decimal, no leading zero, at most 2^53−1 (rule 7).
std::optional<TreeSize> ParseSize(std::string_view text) {
  uint64_t size = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, size);
  if (error != std::errc() || at != end || size > uint64_t{limits::kMaxInteger}) {
    return std::nullopt;
  }
  if (text.size() > 1 && text.front() == '0') return std::nullopt;
  return TreeSize(size);
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
  const std::optional<std::string_view> origin = TakeLine(text);
  if (!origin) return BadForm("a checkpoint begins with its origin");
  const std::optional<std::string_view> size_line = TakeLine(text);
  const std::optional<TreeSize> size = size_line ? ParseSize(*size_line) : std::nullopt;
  if (!size) return BadForm("the second line is the tree size, decimal without leading zeros");
  const std::optional<std::string_view> root_line = TakeLine(text);
  const std::optional<Hash> root = root_line ? ParseRoot(*root_line) : std::nullopt;
  if (!root) return BadForm("the third line is the root, base64 of 32 bytes");
  Checkpoint checkpoint{std::string(*origin), *size, *root, {}};
  while (!text.empty()) {
    const std::optional<std::string_view> line = TakeLine(text);
    if (!line) return BadForm("extension lines are not empty and end in a newline");
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
