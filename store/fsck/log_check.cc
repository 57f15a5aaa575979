#include "store/fsck/log_check.h"

#include <utility>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/base/time_text.h"
#include "core/crypto/sha256.h"
#include "core/tlog/checkpoint.h"

namespace stele::store {
namespace {

std::string NameOf(EntryIndex index) { return Concat(index.value()); }

StatementType DetachedTypeOf(std::string_view predicate_type) {
  for (StatementType type : {StatementType::kReproduction, StatementType::kNote}) {
    if (predicate_type == PredicateTypeOf(type)) return type;
  }
  return StatementType::kForeign;
}

}  // namespace

absl::Status LogCheck::Take(EntryIndex index, const absl::StatusOr<EntryRow>& row) {
  if (!row.ok()) {
    damaged_.insert(index);
    findings_.Add("entry", NameOf(index), std::string(row.status().message()), kRefetch);
    return absl::OkStatus();
  }
  if (LeafHash(row->leaf) != row->leaf_hash) {
    damaged_.insert(index);
    findings_.Add("entry", NameOf(index),
                  Concat("its leaf has hash ", LeafHash(row->leaf).ToHex(), ", stored is ",
                         row->leaf_hash.ToHex()),
                  kRefetch);
    return absl::OkStatus();
  }
  STELE_ASSIGN_OR_RETURN(const ReadEntry read, Read(*row));
  last_logged_ = read.said.logged;
  const absl::Status judged = replay_.Add(read.said);
  if (!judged.ok()) return absl::OkStatus();  // Finish says it, with all that is withheld known
  if (read.detached) detached_.push_back(index);
  AddRows(
      RowsOf(read.said.statement, index, read.said.signer, read.said.authority, read.said.payload));
  return CheckContent(index, read.said.statement);
}

absl::StatusOr<ReadEntry> LogCheck::Read(const EntryRow& row) const {
  const std::string& origin = snapshot_.head()->origin;
  ReadEntry read = ReadLeaf(row.index, row.leaf, origin);
  if (read.detached) {
    STELE_ASSIGN_OR_RETURN(const auto envelope, Content(read.detached->digest));
    ReadEnvelope(envelope, origin, read);
  }
  CheckSignature(replay_.ring().FindKey(read.said.signer), read);
  return read;
}

// What is damaged counts as missing.
absl::StatusOr<std::optional<std::string>> LogCheck::Content(const Digest& digest) const {
  absl::StatusOr<std::string> bytes = snapshot_.Content(digest);
  if (bytes.ok()) return std::optional(*std::move(bytes));
  if (absl::IsNotFound(bytes.status()) || absl::IsDataLoss(bytes.status())) {
    return std::optional<std::string>();
  }
  return bytes.status();
}

// Its chunks are looked at where all artifacts are (artifact_check.h).
absl::StatusOr<std::optional<uint64_t>> LogCheck::SizeOf(const Digest& artifact) const {
  const absl::StatusOr<ArtifactRow> row = snapshot_.Artifact(artifact);
  if (row.ok()) return std::optional(row->size);
  if (absl::IsUnavailable(row.status())) return row.status();
  STELE_ASSIGN_OR_RETURN(const auto bytes, Content(artifact));
  if (!bytes || Sha256(*bytes) != artifact) return std::optional<uint64_t>();
  return std::optional<uint64_t>(bytes->size());
}

absl::Status LogCheck::CheckContent(EntryIndex index, const Statement& statement) {
  ContentCheck check(statement);
  for (const Digest& digest : check.wanted()) {
    if (check.ArtifactSize(digest)) {
      STELE_ASSIGN_OR_RETURN(const auto size, SizeOf(digest));
      check.TakeArtifact(size);
      if (size) ++contents_;
      continue;
    }
    STELE_ASSIGN_OR_RETURN(const auto bytes, Content(digest));
    check.Take(bytes);
    if (bytes) ++contents_;
  }
  content_bytes_ += check.bytes();
  for (ContentFault& fault : check.Faults()) content_faults_.emplace_back(index, std::move(fault));
  return absl::OkStatus();
}

void LogCheck::AddRows(const EntryRows& rows) {
  if (rows.replay) sums_.replays.Add(*rows.replay);
  for (const PublicationRow& row : rows.publications) sums_.publications.Add(row);
  for (const SubjectRow& row : rows.subjects) sums_.subjects.Add(row);
  for (const KeyEvent& event : rows.key_events) sums_.key_events.Add(event);
}

// Rows are added as the entries come, and what is withheld is known in the end.
absl::Status LogCheck::ForgetWithheldRows() {
  for (EntryIndex index : detached_) {
    if (replay_.JudgementOf(index).verdict != Verdict::kWithheld) continue;
    STELE_ASSIGN_OR_RETURN(const EntryRow row, snapshot_.Entry(index));
    STELE_ASSIGN_OR_RETURN(const ReadEntry read, Read(row));
    const EntryRows rows = RowsOf(read.said.statement, index, read.said.signer, read.said.authority,
                                  read.said.payload);
    for (const SubjectRow& subject : rows.subjects) sums_.subjects.Subtract(subject);
  }
  return absl::OkStatus();
}

absl::Status LogCheck::Finish() {
  STELE_RETURN_IF_ERROR(ForgetWithheldRows());
  for (const auto& [index, fault] : content_faults_) {
    if (replay_.IsWithheld(fault.digest)) continue;
    if (fault.reason == reason::kMissingContent) {
      findings_.Add(
          "content", fault.digest.ToText(),
          Concat("entry ", index.value(), " names it, and it is missing or has other bytes"),
          kRefetch);
    } else {
      findings_.Add("content", fault.digest.ToText(),
                    Concat("is not what entry ", index.value(), " says that it is"), kLogSaysSo);
    }
  }
  if (!whole()) return absl::OkStatus();
  for (const EntryFault& fault : replay_.Faults()) {
    const bool missing = fault.reason == reason::kMissingContent;
    findings_.Add(
        "entry", NameOf(fault.index),
        missing ? "its envelope is missing or has other bytes" : Concat("is void: ", fault.reason),
        missing ? kRefetch : kLogSaysSo);
  }
  const Head& head = *snapshot_.head();
  if (head.last_logged != last_logged_) {
    findings_.Add("head", "",
                  Concat("says that the last entry was logged at ", FormatTime(head.last_logged),
                         ", that entry says ", FormatTime(last_logged_)),
                  kRestore);
  }
  return CheckCheckpoint();
}

absl::Status LogCheck::CheckCheckpoint() {
  const Head& head = *snapshot_.head();
  std::vector<NoteVerifier> due;
  for (const LogKeySpan& span : replay_.LogKeys()) {
    if (span.Current(head.size)) due.push_back(span.key);
  }
  const absl::StatusOr<SignedCheckpoint> opened = OpenCheckpoint(head.checkpoint, due);
  if (!opened.ok()) {
    findings_.Add(
        "checkpoint", "",
        Concat("does not verify with the log's key: ", std::string(opened.status().message())),
        kRestore);
    return absl::OkStatus();
  }
  const Checkpoint& is = opened->checkpoint;
  if (is.origin != head.origin || is.size != head.size || is.root != head.root) {
    findings_.Add("checkpoint", "",
                  Concat("is of ", is.origin, ", size ", is.size.value(), " and root ",
                         is.root.ToHex(), ", the head of ", head.origin, ", size ",
                         head.size.value(), " and root ", head.root.ToHex()),
                  kRestore);
  }
  if (opened->signers.size() != due.size()) {
    findings_.Add("checkpoint", "signatures",
                  Concat(opened->signers.size(), " of the log's ", due.size(), " keys have signed"),
                  kLogSaysSo);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::optional<EntryRows>> LogCheck::RowsAt(EntryIndex index) const {
  std::optional<EntryRows> rows;
  if (index.value() >= snapshot_.head()->size.value() || damaged_.contains(index)) return rows;
  if (replay_.JudgementOf(index).verdict != Verdict::kValid) return rows;
  STELE_ASSIGN_OR_RETURN(const EntryRow row, snapshot_.Entry(index));
  STELE_ASSIGN_OR_RETURN(const ReadEntry read, Read(row));
  rows =
      RowsOf(read.said.statement, index, read.said.signer, read.said.authority, read.said.payload);
  return rows;
}

absl::StatusOr<bool> LogCheck::IsOpen(const SubjectRow& row) const {
  if (!AlwaysDetached(row.type) || row.index.value() >= snapshot_.head()->size.value())
    return false;
  const Judgement judgement = replay_.JudgementOf(row.index);
  if (judgement.verdict != Verdict::kWithheld && judgement.reason != reason::kMissingContent) {
    return false;
  }
  STELE_ASSIGN_OR_RETURN(const EntryRow entry, snapshot_.Entry(row.index));
  const absl::StatusOr<Entry> leaf = ParseLeaf(entry.leaf);
  const auto* detached = leaf.ok() ? std::get_if<DetachedEnvelope>(&leaf->body) : nullptr;
  return detached != nullptr && detached->key == row.signer && leaf->authority == row.authority &&
         DetachedTypeOf(detached->predicate_type) == row.type;
}

}  // namespace stele::store
