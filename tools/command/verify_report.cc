#include "tools/command/verify_report.h"

#include <algorithm>
#include <utility>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/time_text.h"
#include "tools/command/output.h"

namespace stele::tools {
namespace {

constexpr std::string_view kNotShown =
    "that these are all entries about the record: completeness is the server's word as of this "
    "checkpoint";

void Line(std::string_view label, std::string_view text, std::string& out) {
  constexpr size_t kWidth = 12;
  out += Concat(label, std::string(kWidth - std::min(kWidth, label.size()), ' '), text, "\n");
}

// A witness may have signed a time beyond the years that there are.
std::string CosignedAt(CosignatureTime time) {
  constexpr uint64_t kLast = 253402300799;  // 9999-12-31T23:59:59Z
  if (time.value() > kLast) return Concat(time.value(), " s");
  return FormatTime(TimeMs(static_cast<int64_t>(time.value()) * 1000));
}

std::string_view TypeName(const CitationVerdict::About& about) {
  return about.type == StatementType::kForeign ? std::string_view(about.predicate_type)
                                               : StatementTypeName(about.type);
}

json::Value Texts(const std::vector<std::string>& texts) {
  json::Array array;
  for (const std::string& text : texts) array.push_back(JsonText(text));
  return json::Value(std::move(array));
}

json::Value Indexes(const std::vector<EntryIndex>& indexes) {
  json::Array array;
  for (EntryIndex index : indexes) array.push_back(JsonNumber(index.value()));
  return json::Value(std::move(array));
}

json::Value JsonFlag(bool flag) { return json::Value(json::Value::Data(flag)); }

void CheckpointLines(const TrustedCheckpoint& trusted, const TrustPolicy& policy,
                     std::string& out) {
  const Checkpoint& checkpoint = trusted.checkpoint;
  Line("checkpoint",
       Concat(checkpoint.origin, ", ", checkpoint.size.value(), " entries, root ",
              checkpoint.root.ToText()),
       out);
  for (const std::string& vkey : trusted.signers) Line("signed by", vkey, out);
  for (const Cosigner& cosigner : trusted.cosigners) {
    Line("cosigned by",
         Concat(cosigner.name, " at ", CosignedAt(cosigner.time), " (", cosigner.vkey, ")"), out);
  }
  Line("quorum", policy.quorum ? "met" : "the policy demands no witness", out);
}

json::Value CheckpointJson(const TrustedCheckpoint& trusted, const TrustPolicy& policy) {
  json::Array cosigners;
  for (const Cosigner& cosigner : trusted.cosigners) {
    cosigners.push_back(JsonObject({{"name", JsonText(cosigner.name)},
                                    {"time", JsonText(CosignedAt(cosigner.time))},
                                    {"vkey", JsonText(cosigner.vkey)}}));
  }
  return JsonObject({{"origin", JsonText(trusted.checkpoint.origin)},
                     {"size", JsonNumber(trusted.checkpoint.size.value())},
                     {"root", JsonText(trusted.checkpoint.root.ToText())},
                     {"signers", Texts(trusted.signers)},
                     {"cosigners", json::Value(std::move(cosigners))},
                     {"quorum", JsonText(policy.quorum ? "met" : "none")}});
}

void StateLines(const CitationVerdict& verdict, std::string& out) {
  for (const auto& [entry, revocation] : verdict.disputed) {
    Line("disputed",
         Concat("entry ", entry.value(), ", by the revocation in entry ", revocation.value()), out);
  }
  for (EntryIndex entry : verdict.withheld_entries) {
    Line("withheld", Concat("the envelope of entry ", entry.value()), out);
  }
  if (verdict.withheld) Line("WITHHELD", "the log withholds the record or its manifest", out);
  if (verdict.retracted) {
    Line("RETRACTED",
         verdict.superseded_by ? Concat("superseded by ", verdict.superseded_by->ToText())
                               : std::string("without a successor"),
         out);
  }
  for (const std::string& vkey : verdict.missing_log_keys) {
    Line("warning", Concat("no signature that this policy can check by the log key ", vkey), out);
  }
  for (EntryIndex entry : verdict.time_faults) {
    Line("warning",
         Concat("entry ", entry.value(), " bears an earlier time than one shown below it"), out);
  }
}

}  // namespace

std::string CitationReport(const CitationVerdict& verdict, const TrustPolicy& policy) {
  std::string out;
  Line("record", Concat(verdict.record.ToText(), ", the hash of the identity bytes"), out);
  Line("permalink", Permalink(verdict.checkpoint.checkpoint.origin, verdict.record), out);
  Line("manifest", Concat(verdict.manifest.ToText(), ", named by a publication shown"), out);
  CheckpointLines(verdict.checkpoint, policy, out);
  Line("entries",
       Concat(verdict.entries,
              ": each is in the tree, its signature verifies, its signer was allowed to say it"),
       out);
  for (const CitationVerdict::About& about : verdict.about) {
    Line(Concat("entry ", about.index.value()),
         Concat(TypeName(about), " by ", about.signer.ToText(), ", logged ",
                FormatTime(about.logged)),
         out);
  }
  Line("owner", verdict.owner.ToText(), out);
  StateLines(verdict, out);
  Line("not shown", kNotShown, out);
  return out;
}

json::Value CitationReportJson(const CitationVerdict& verdict, const TrustPolicy& policy) {
  json::Array about;
  for (const CitationVerdict::About& entry : verdict.about) {
    about.push_back(JsonObject({{"index", JsonNumber(entry.index.value())},
                                {"type", JsonText(TypeName(entry))},
                                {"signer", JsonText(entry.signer.ToText())},
                                {"logged", JsonText(FormatTime(entry.logged))}}));
  }
  json::Array disputed;
  for (const auto& [entry, revocation] : verdict.disputed) {
    disputed.push_back(
        JsonObject({{"index", JsonNumber(entry.value())}, {"by", JsonNumber(revocation.value())}}));
  }
  std::vector<json::Member> members = {
      {"verified", JsonFlag(true)},
      {"record", JsonText(verdict.record.ToText())},
      {"permalink", JsonText(Permalink(verdict.checkpoint.checkpoint.origin, verdict.record))},
      {"manifest", JsonText(verdict.manifest.ToText())},
      {"checkpoint", CheckpointJson(verdict.checkpoint, policy)},
      {"entries", JsonNumber(verdict.entries)},
      {"about", json::Value(std::move(about))},
      {"disputed", json::Value(std::move(disputed))},
      {"withheldEntries", Indexes(verdict.withheld_entries)},
      {"withheld", JsonFlag(verdict.withheld)},
      {"owner", JsonText(verdict.owner.ToText())},
      {"retracted", JsonFlag(verdict.retracted)},
      {"missingLogKeys", Texts(verdict.missing_log_keys)},
      {"timeFaults", Indexes(verdict.time_faults)},
      {"notShown", JsonText(kNotShown)}};
  if (verdict.superseded_by) {
    members.emplace_back("supersededBy", JsonText(verdict.superseded_by->ToText()));
  }
  return JsonObject(std::move(members));
}

std::string ProofReport(const TlogProof& proof, const Hash& leaf_hash,
                        const TrustedCheckpoint& checkpoint, const TrustPolicy& policy) {
  std::string out;
  Line("leaf", Concat(leaf_hash.ToText(), ", the leaf hash of the file"), out);
  CheckpointLines(checkpoint, policy, out);
  Line("entry", Concat(proof.index.value(), ": the leaf is in the tree at this index"), out);
  if (proof.extra) {
    Line("extra", Concat(proof.extra->size(), " bytes, for which nobody vouches"), out);
  }
  Line("not shown", "that what the leaf says is allowed: `stele verify` of a citation checks that",
       out);
  return out;
}

json::Value ProofReportJson(const TlogProof& proof, const Hash& leaf_hash,
                            const TrustedCheckpoint& checkpoint, const TrustPolicy& policy) {
  return JsonObject({{"verified", JsonFlag(true)},
                     {"index", JsonNumber(proof.index.value())},
                     {"leafHash", JsonText(leaf_hash.ToText())},
                     {"checkpoint", CheckpointJson(checkpoint, policy)}});
}

json::Value RefusalJson(const absl::Status& refusal) {
  return JsonObject({{"verified", JsonFlag(false)},
                     {"message", JsonText(std::string(refusal.message()))},
                     {"reason", JsonText(ReasonOf(refusal))},
                     {"pointer", JsonText(PointerOf(refusal))}});
}

}  // namespace stele::tools
