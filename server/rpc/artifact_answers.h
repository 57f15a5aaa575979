// Answers about artifacts. Pure but for reading.
#pragma once

#include "absl/status/status.h"
#include "stele/v1/artifacts.pb.h"
#include "store/store.h"

namespace stele::server {

v1::ArtifactState ToWire(store::ArtifactState::Phase phase);

absl::Status AnswerGetArtifact(const store::Store& store, const v1::GetArtifactRequest& request,
                               v1::GetArtifactResponse& response);

}  // namespace stele::server
