#include "store/log/log_signer.h"

#include <algorithm>
#include <utility>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"

namespace stele::store {

absl::StatusOr<LogSigner> LogSigner::Make(std::string_view origin, std::vector<PrivateKey> keys) {
  std::vector<Held> held;
  for (PrivateKey& key : keys) {
    STELE_ASSIGN_OR_RETURN(NoteVerifier verifier, NoteVerifier::Make(origin, key.public_key()));
    held.push_back({std::move(verifier), std::move(key)});
  }
  return LogSigner(std::move(held));
}

const LogSigner::Held* LogSigner::Find(const NoteVerifier& key) const {
  const auto found = std::find_if(held_.begin(), held_.end(), [&](const Held& held) {
    return held.verifier.ToVkey() == key.ToVkey();
  });
  return found == held_.end() ? nullptr : &*found;
}

bool LogSigner::Holds(const NoteVerifier& key) const { return Find(key) != nullptr; }

absl::Status LogSigner::CheckCanSign(TreeSize size, absl::Span<const LogKeySpan> log_keys) const {
  std::string wanted;
  for (const LogKeySpan& span : log_keys) {
    if (!span.Current(size)) continue;
    if (Holds(span.key)) return absl::OkStatus();
    wanted += " " + span.key.ToVkey();
  }
  return Refuse(absl::StatusCode::kUnavailable, reason::kLogKeyMissing, "",
                Concat("a checkpoint of size ", size.value(), " has to be signed by the log key",
                       wanted, ", which this server does not have: start it with --log-key FILE"));
}

absl::StatusOr<std::string> LogSigner::Sign(const Checkpoint& checkpoint,
                                            absl::Span<const LogKeySpan> log_keys) const {
  STELE_RETURN_IF_ERROR(CheckCanSign(checkpoint.size, log_keys));
  std::optional<Note> note;
  for (const LogKeySpan& span : log_keys) {
    const Held* held = span.Current(checkpoint.size) ? Find(span.key) : nullptr;
    if (held == nullptr) continue;
    if (!note) {
      STELE_ASSIGN_OR_RETURN(const std::string signed_note,
                             SignCheckpoint(checkpoint, held->verifier, held->key));
      STELE_ASSIGN_OR_RETURN(note, ParseNote(signed_note));
      continue;
    }
    STELE_ASSIGN_OR_RETURN(NoteSignature signature,
                           SignNote(note->text, held->verifier, held->key));
    note->signatures.push_back(std::move(signature));
  }
  return FormatNote(*note);
}

std::vector<LogKeySpan> LogSigner::Missing(TreeSize size,
                                           absl::Span<const LogKeySpan> log_keys) const {
  std::vector<LogKeySpan> missing;
  for (const LogKeySpan& span : log_keys) {
    if (span.until && *span.until < size) continue;
    if (!Holds(span.key)) missing.push_back(span);
  }
  return missing;
}

std::optional<TreeSize> LogSigner::EndOfSigning(TreeSize size,
                                                absl::Span<const LogKeySpan> log_keys) const {
  // Each turn passes the end of a span, so there are no more turns than spans.
  for (;;) {
    const auto current =
        std::find_if(log_keys.begin(), log_keys.end(),
                     [&](const LogKeySpan& span) { return span.Current(size) && Holds(span.key); });
    if (current == log_keys.end()) return size;
    if (!current->until) return std::nullopt;
    size = TreeSize{current->until->value() + 1};
  }
}

}  // namespace stele::store
