// stele verify: a citation bundle or a tlog-proof, offline.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "core/base/concat.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "tools/command/common.h"
#include "tools/command/exit_code.h"
#include "tools/command/output.h"
#include "tools/command/policy_file.h"
#include "tools/command/verify_report.h"
#include "tools/io/file.h"

namespace stele::tools {
namespace {

constexpr std::string_view kProofFile = "c2sp.org/tlog-proof";

struct VerifyFlags {
  std::string file;
  std::string leaf;
};

absl::StatusOr<std::string> ReadNamedFile(const std::string& path, size_t max_bytes) {
  absl::StatusOr<std::string> bytes = ReadFileAtMost(path, max_bytes);
  if (bytes.ok()) return bytes;
  return UsageError(std::string(bytes.status().message()));
}

// The file is what it should be, and says what does not hold: do not trust its source.
absl::Status DoesNotVerify(const absl::Status& refusal) {
  return Refuse(absl::StatusCode::kDataLoss, ReasonOf(refusal), PointerOf(refusal),
                Concat("does not verify: ", std::string(refusal.message())));
}

absl::Status Report(bool as_json, const std::string& text, const json::Value& value) {
  return as_json ? WriteJson(value) : WriteOut(text);
}

absl::Status VerifyBundle(std::string_view text, const TrustPolicy& policy, bool as_json) {
  STELE_ASSIGN_OR_RETURN(const Citation citation, ParseCitation(text));
  const absl::StatusOr<CitationVerdict> verdict = VerifyCitation(citation, policy);
  if (!verdict.ok()) return DoesNotVerify(verdict.status());
  return Report(as_json, CitationReport(*verdict, policy), CitationReportJson(*verdict, policy));
}

absl::Status VerifyProof(std::string_view text, std::string_view leaf, const TrustPolicy& policy,
                         bool as_json) {
  STELE_ASSIGN_OR_RETURN(const TlogProof proof, ParseTlogProof(text));
  const Hash hash = LeafHash(leaf);
  const absl::StatusOr<TrustedCheckpoint> checkpoint = VerifyTlogProof(proof, hash, policy);
  if (!checkpoint.ok()) return DoesNotVerify(checkpoint.status());
  return Report(as_json, ProofReport(proof, hash, *checkpoint, policy),
                ProofReportJson(proof, hash, *checkpoint, policy));
}

absl::Status Verify(const VerifyFlags& verify, const CommonFlags& flags) {
  if (flags.policy.empty()) return UsageError("--policy FILE is needed: whom to trust");
  STELE_ASSIGN_OR_RETURN(const TrustPolicy policy, ReadPolicyFile(flags.policy));
  STELE_ASSIGN_OR_RETURN(const std::string text,
                         ReadNamedFile(verify.file, limits::kCitationBytes));
  const bool is_proof = text.compare(0, kProofFile.size(), kProofFile) == 0;
  if (is_proof == verify.leaf.empty()) {
    return UsageError(is_proof ? "a tlog-proof is verified with --leaf FILE, the leaf that it is of"
                               : "--leaf goes with a tlog-proof, which this file is not");
  }
  absl::Status status;
  if (is_proof) {
    STELE_ASSIGN_OR_RETURN(const std::string leaf, ReadNamedFile(verify.leaf, limits::kLeafBytes));
    status = VerifyProof(text, leaf, policy, flags.json);
  } else {
    status = VerifyBundle(text, policy, flags.json);
  }
  if (flags.json && !ReasonOf(status).empty())
    STELE_RETURN_IF_ERROR(WriteJson(RefusalJson(status)));
  return status;
}

}  // namespace

void AddVerifyCommand(CLI::App& app, const CommonFlags& flags, int& exit_code) {
  auto verify = std::make_shared<VerifyFlags>();
  CLI::App* command = app.add_subcommand(
      "verify",
      "Verify a citation bundle, or a tlog-proof of a leaf, without any server, under the\n"
      "policy of --policy. Says each thing that was checked, and what it does not show.");
  command->add_option("FILE", verify->file, "*.stele-citation.json or *.tlog-proof")->required();
  command->add_option("--leaf", verify->leaf, "Of a tlog-proof: the file with the leaf, exactly");
  command->footer(
      "Exit codes: 1 the file is neither, 4 it does not verify.\n"
      "Examples:\n"
      "  stele verify run.stele-citation.json --policy policy\n"
      "  stele verify entry.tlog-proof --leaf entry.leaf --policy policy --json");
  command->callback([verify, &flags, &exit_code] { exit_code = Fail(Verify(*verify, flags)); });
}

}  // namespace stele::tools
