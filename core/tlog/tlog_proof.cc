#include "core/tlog/tlog_proof.h"

#include <utility>
#include <vector>

#include "core/base/base64.h"
#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/tlog/lines.h"

namespace stele {
namespace {

constexpr std::string_view kFirstLine = "c2sp.org/tlog-proof@v1";
constexpr std::string_view kExtra = "extra ";
constexpr std::string_view kIndex = "index ";
constexpr size_t kMaxHashes = 63;  // of the highest path in a tree of any size

absl::Status BadForm(std::string_view message) {
  return RefuseInput(reason::kProofForm, "", message);
}

// Cuts one line from the front; all that is left if it has no newline.
std::string_view TakeLine(std::string_view& text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

bool TakePrefix(std::string_view& line, std::string_view prefix) {
  if (line.substr(0, prefix.size()) != prefix) return false;
  line.remove_prefix(prefix.size());
  return true;
}

// The hash lines, and the empty line that ends them.
absl::StatusOr<Proof> TakeHashes(std::string_view& text) {
  std::vector<std::string> hashes;
  while (!text.empty()) {
    const std::string_view line = TakeLine(text);
    if (line.empty()) break;
    std::optional<std::string> hash = Base64DecodeStrict(line);
    if (!hash) return BadForm("a hash of the proof is a line of base64");
    if (hashes.size() == kMaxHashes) return BadForm("a proof has at most 63 hashes");
    hashes.push_back(*std::move(hash));
  }
  return ProofFromBytes(hashes);
}

}  // namespace

absl::StatusOr<TlogProof> ParseTlogProof(std::string_view text) {
  if (TakeLine(text) != kFirstLine) return BadForm(Concat("the first line is ", kFirstLine));
  TlogProof proof;
  std::string_view line = TakeLine(text);
  if (TakePrefix(line, kExtra)) {
    proof.extra = Base64DecodeStrict(line);
    if (!proof.extra || proof.extra->empty()) return BadForm("`extra ` is followed by base64");
    line = TakeLine(text);
  }
  const std::optional<uint64_t> index =
      TakePrefix(line, kIndex) ? ParseDecimal(line) : std::nullopt;
  if (!index) return BadForm("expected `index ` and a decimal number without leading zeros");
  proof.index = EntryIndex(*index);
  STELE_ASSIGN_OR_RETURN(proof.hashes, TakeHashes(text));
  STELE_RETURN_IF_ERROR(ParseNote(text).status());
  proof.checkpoint = text;
  return proof;
}

std::string FormatTlogProof(const TlogProof& proof) {
  std::string text = Concat(kFirstLine, "\n");
  if (proof.extra) text += Concat(kExtra, Base64Encode(*proof.extra), "\n");
  text += Concat(kIndex, proof.index.value(), "\n");
  for (const Hash& hash : proof.hashes) text += Concat(Base64Encode(hash.bytes()), "\n");
  return text + "\n" + proof.checkpoint;
}

absl::StatusOr<TrustedCheckpoint> VerifyTlogProof(const TlogProof& proof, const Hash& leaf_hash,
                                                  const TrustPolicy& policy) {
  STELE_ASSIGN_OR_RETURN(TrustedCheckpoint trusted, OpenCheckpoint(proof.checkpoint, policy));
  STELE_RETURN_IF_ERROR(VerifyInclusion(proof.index, trusted.checkpoint.size, leaf_hash,
                                        proof.hashes, trusted.checkpoint.root));
  return trusted;
}

}  // namespace stele
