#include "server/rpc/artifact_answers.h"

#include "core/base/status_macros.h"
#include "server/rpc/record_answers.h"

namespace stele::server {

v1::ArtifactState ToWire(store::ArtifactState::Phase phase) {
  switch (phase) {
    case store::ArtifactState::Phase::kPartial:
      return v1::ARTIFACT_STATE_PARTIAL;
    case store::ArtifactState::Phase::kStaged:
      return v1::ARTIFACT_STATE_STAGED;
    case store::ArtifactState::Phase::kStored:
      break;
  }
  return v1::ARTIFACT_STATE_STORED;
}

absl::Status AnswerGetArtifact(const store::Store& store, const v1::GetArtifactRequest& request,
                               v1::GetArtifactResponse& response) {
  STELE_ASSIGN_OR_RETURN(const Digest digest, DigestField(request.digest(), "/digest"));
  STELE_ASSIGN_OR_RETURN(const store::ArtifactState state, store.FindArtifact(digest));
  response.set_state(ToWire(state.phase));
  response.set_size(state.size);
  response.set_held_bytes(state.held);
  return absl::OkStatus();
}

}  // namespace stele::server
