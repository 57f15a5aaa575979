#include <algorithm>
#include <memory>
#include <utility>

#include "client/artifacts.h"
#include "client/persist.h"
#include "client/stall_guard.h"
#include "client/status.h"
#include "client/stubs.h"
#include "core/base/artifact_limits.h"
#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"

namespace stele::client {
namespace {

constexpr std::string_view kUploadOffset = "UPLOAD_OFFSET";

absl::StatusOr<RemoteArtifact> From(v1::ArtifactState state, uint64_t size, uint64_t held) {
  switch (state) {
    case v1::ARTIFACT_STATE_PARTIAL:
      return RemoteArtifact{RemoteArtifact::Phase::kPartial, size, held};
    case v1::ARTIFACT_STATE_STAGED:
      return RemoteArtifact{RemoteArtifact::Phase::kStaged, size, held};
    case v1::ARTIFACT_STATE_STORED:
      return RemoteArtifact{RemoteArtifact::Phase::kStored, size, held};
    default:
      return Untrusted("the server answered a state of an artifact that is none");
  }
}

class Upload {
 public:
  Upload(const Connection& connection, const OutgoingArtifact& artifact, const ReadPiece& read,
         const TransferHooks& hooks)
      : connection_(connection), artifact_(artifact), read_(read), hooks_(hooks) {}

  absl::StatusOr<RemoteArtifact> Run() {
    const auto attempt = [this](bool& progress) { return Attempt(progress); };
    STELE_RETURN_IF_ERROR(PersistWhileMoving(connection_.timeout(), attempt, hooks_.on_trouble));
    return result_;
  }

 private:
  absl::Status Attempt(bool& progress) {
    STELE_ASSIGN_OR_RETURN(const uint64_t held, Held());
    const uint64_t before = furthest_;
    furthest_ = std::max(furthest_, held);
    absl::Status sent = Send(held);
    progress = furthest_ > before;
    // Somebody else moved it on between the question and the upload.
    if (ReasonOf(sent) == kUploadOffset) return absl::UnavailableError(std::string(sent.message()));
    // What was there before was not of this artifact, and is gone now: once more, all of it ours.
    if (ReasonOf(sent) == reason::kContentMismatch && held > 0 && !std::exchange(anew_, true)) {
      furthest_ = 0;
      return absl::UnavailableError(std::string(sent.message()));
    }
    return sent;
  }

  absl::StatusOr<uint64_t> Held() const {
    const absl::StatusOr<RemoteArtifact> remote = FindArtifact(connection_, artifact_.digest);
    if (absl::IsNotFound(remote.status())) return 0;  // withheld: the upload is told
    STELE_RETURN_IF_ERROR(remote.status());
    if (remote->phase == RemoteArtifact::Phase::kPartial && remote->size != artifact_.size)
      return 0;
    return std::min(remote->held, artifact_.size);
  }

  absl::Status Send(uint64_t offset) {
    grpc::ClientContext context;
    StallGuard guard(context, connection_.timeout());
    v1::UploadArtifactResponse response;
    const auto stream = connection_.stubs().artifacts->UploadArtifact(&context, &response);
    const absl::Status read = Write(*stream, guard, offset);
    if (!read.ok()) context.TryCancel();
    stream->WritesDone();
    const grpc::Status ended = stream->Finish();
    STELE_RETURN_IF_ERROR(read);
    if (guard.stalled()) {
      return absl::DeadlineExceededError(
          Concat("nothing moved to ", connection_.address(), " in time (--timeout)"));
    }
    STELE_RETURN_IF_ERROR(FromGrpc(ended, connection_.address()));
    STELE_ASSIGN_OR_RETURN(result_, From(response.state(), artifact_.size, response.held_bytes()));
    if (result_.phase != RemoteArtifact::Phase::kPartial) return absl::OkStatus();
    return Untrusted("all bytes were sent, and the server says that some are missing");
  }

  // Ends early if the server does: its status says why. An error is of reading.
  template <class Stream>
  absl::Status Write(Stream& stream, StallGuard& guard, uint64_t offset) {
    v1::UploadArtifactRequest request;
    v1::UploadStart& start = *request.mutable_start();
    start.set_digest(std::string(artifact_.digest.bytes()));
    start.set_size(artifact_.size);
    start.set_offset(offset);
    start.set_key_id(std::string(artifact_.key.bytes()));
    start.set_envelope(artifact_.envelope);
    if (!stream.Write(request)) return absl::OkStatus();
    while (offset < artifact_.size) {
      const size_t bytes = std::min<uint64_t>(limits::kArtifactChunkBytes, artifact_.size - offset);
      STELE_ASSIGN_OR_RETURN(*request.mutable_data(), read_(offset, bytes));
      if (!stream.Write(request)) return absl::OkStatus();
      guard.Touch();
      offset += bytes;
      furthest_ = std::max(furthest_, offset);
      if (hooks_.progress) hooks_.progress(offset, artifact_.size);
    }
    return absl::OkStatus();
  }

  const Connection& connection_;
  const OutgoingArtifact& artifact_;
  const ReadPiece& read_;
  const TransferHooks& hooks_;
  RemoteArtifact result_;
  uint64_t furthest_ = 0;  // what was held or sent: beyond it there is progress
  bool anew_ = false;
};

}  // namespace

absl::StatusOr<RemoteArtifact> FindArtifact(const Connection& connection, const Digest& digest) {
  v1::GetArtifactRequest request;
  request.set_digest(std::string(digest.bytes()));
  v1::GetArtifactResponse response;
  STELE_RETURN_IF_ERROR(Call(connection, *connection.stubs().artifacts,
                             &v1::ArtifactService::Stub::GetArtifact, request, response));
  return From(response.state(), response.size(), response.held_bytes());
}

absl::StatusOr<RemoteArtifact> UploadArtifact(const Connection& connection,
                                              const OutgoingArtifact& artifact,
                                              const ReadPiece& read, const TransferHooks& hooks) {
  return Upload(connection, artifact, read, hooks).Run();
}

}  // namespace stele::client
