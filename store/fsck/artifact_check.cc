#include "store/fsck/artifact_check.h"

#include <string>
#include <utility>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"
#include "store/read/artifact_chunks.h"

namespace stele::store {
namespace {

constexpr std::string_view kKind = "artifact";

absl::Status CheckOne(const Snapshot& snapshot, const ArtifactRow& artifact, Findings& findings) {
  Sha256Stream whole;
  bool all = true;
  for (uint64_t i = 0; i < ChunksOf(artifact.size); ++i) {
    const absl::StatusOr<std::string> chunk = ReadChunk(snapshot, artifact, i);
    if (absl::IsUnavailable(chunk.status())) return chunk.status();
    all = all && chunk.ok();
    if (chunk.ok()) {
      whole.Update(*chunk);
    } else {
      findings.Add(kKind, Concat(artifact.digest.ToText(), " chunk ", i),
                   std::string(chunk.status().message()), kRefetch);
    }
  }
  if (!all) return absl::OkStatus();
  if (const Digest is = whole.Finish(); is != artifact.digest) {
    findings.Add(kKind, artifact.digest.ToText(), Concat("its chunks lead to ", is.ToText()),
                 kRefetch);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckArtifacts(const Snapshot& snapshot, const Replay& replay, Findings& findings) {
  absl::Status error;
  const absl::Status read = snapshot.VisitRows(RowKind::kArtifact, [&](absl::StatusOr<AnyRow> any) {
    if (!any.ok()) {
      findings.AddRow(kKind, any.status(), kRefetch);
      return true;
    }
    const ArtifactRow& artifact = std::get<ArtifactRow>(*any);
    if (!replay.IsWithheld(artifact.digest)) error = CheckOne(snapshot, artifact, findings);
    return error.ok();
  });
  STELE_RETURN_IF_ERROR(error);
  if (!absl::IsDataLoss(read)) return read;
  findings.Add(kKind, "", std::string(read.message()), kRefetch);
  return absl::OkStatus();
}

}  // namespace stele::store
