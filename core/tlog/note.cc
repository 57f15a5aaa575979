#include "core/tlog/note.h"

#include <utility>

#include "core/base/base64.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/tlog/key_name.h"

namespace stele {
namespace {

constexpr std::string_view kLinePrefix = "\xe2\x80\x94 ";  // em dash and space
constexpr size_t kMaxNoteBytes = 1024 * 1024;
constexpr size_t kMaxSignatures = 100;
constexpr size_t kKeyHashBytes = 4;

absl::Status BadForm(std::string_view message) {
  return RefuseInput(reason::kNoteForm, "", message);
}

absl::StatusOr<NoteSignature> ParseSignatureLine(std::string_view line) {
  if (line.substr(0, kLinePrefix.size()) != kLinePrefix) {
    return BadForm("a signature line begins with an em dash and a space");
  }
  line.remove_prefix(kLinePrefix.size());
  const size_t space = line.find(' ');
  if (space == std::string_view::npos || !ValidKeyName(line.substr(0, space))) {
    return BadForm("a signature line has a key name, a space and base64");
  }
  const std::optional<std::string> value = Base64DecodeStrict(line.substr(space + 1));
  if (!value || value->size() <= kKeyHashBytes) {
    return BadForm("a signature is base64 of four bytes of key id and at least one more");
  }
  NoteSignature signature;
  signature.name = line.substr(0, space);
  for (size_t i = 0; i < kKeyHashBytes; ++i) {
    signature.key_hash = signature.key_hash << 8 | static_cast<unsigned char>((*value)[i]);
  }
  signature.signature = value->substr(kKeyHashBytes);
  return signature;
}

bool Matches(const NoteSignature& signature, const NoteVerifier& verifier) {
  return signature.key_hash == verifier.key_hash && signature.name == verifier.name;
}

}  // namespace

absl::StatusOr<Note> ParseNote(std::string_view bytes) {
  if (bytes.size() > kMaxNoteBytes) return BadForm("a note has at most 1 MiB");
  if (!ValidNoteText(bytes, "\n")) return BadForm("a note is UTF-8 without control characters");
  // The last empty line parts the text, which may have empty lines itself, from the signatures.
  const size_t split = bytes.rfind("\n\n");
  if (split == std::string_view::npos || bytes.back() != '\n' || split + 2 == bytes.size()) {
    return BadForm("a note is a text, an empty line and signature lines, all ended by a newline");
  }
  Note note;
  note.text = bytes.substr(0, split + 1);
  std::string_view lines = bytes.substr(split + 2);
  while (!lines.empty()) {
    if (note.signatures.size() == kMaxSignatures) return BadForm("more than 100 signatures");
    const size_t end = lines.find('\n');
    STELE_ASSIGN_OR_RETURN(NoteSignature signature, ParseSignatureLine(lines.substr(0, end)));
    note.signatures.push_back(std::move(signature));
    lines.remove_prefix(end + 1);
  }
  return note;
}

std::string FormatNote(const Note& note) {
  std::string out = note.text + "\n";
  for (const NoteSignature& signature : note.signatures) {
    std::string value;
    for (int shift = 24; shift >= 0; shift -= 8) {
      value += static_cast<char>(signature.key_hash >> shift & 0xff);
    }
    value += signature.signature;
    out.append(kLinePrefix).append(signature.name).append(" ");
    Base64Append(value, out);
    out += '\n';
  }
  return out;
}

absl::StatusOr<NoteSignature> SignNote(std::string_view text, const NoteVerifier& verifier,
                                       const PrivateKey& key) {
  if (key.public_key().id() != verifier.key.id()) {
    return absl::InvalidArgumentError("the private key is not the one of " + verifier.ToVkey());
  }
  if (text.empty() || text.back() != '\n' || !ValidNoteText(text, "\n")) {
    return BadForm("a note's text is UTF-8, without control characters, ended by a newline");
  }
  STELE_ASSIGN_OR_RETURN(std::string signature, key.Sign(text));
  return NoteSignature{verifier.name, verifier.key_hash, std::move(signature)};
}

absl::StatusOr<std::vector<const NoteVerifier*>> VerifyNote(
    const Note& note, const std::vector<NoteVerifier>& verifiers) {
  std::vector<const NoteVerifier*> signers;
  for (const NoteVerifier& verifier : verifiers) {
    bool signed_by = false;
    for (const NoteSignature& line : note.signatures) {
      if (!Matches(line, verifier)) continue;
      if (!verifier.key.Verify(note.text, line.signature).ok()) {
        return RefuseInput(reason::kCheckpointSignature, "",
                           "the signature of " + verifier.ToVkey() + " does not verify");
      }
      signed_by = true;
    }
    if (signed_by) signers.push_back(&verifier);
  }
  if (signers.empty()) {
    return RefuseInput(reason::kCheckpointUnsigned, "", "no signature by a known key");
  }
  return signers;
}

}  // namespace stele
