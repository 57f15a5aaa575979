#include <optional>

#include "client/artifacts.h"
#include "client/persist.h"
#include "client/stall_guard.h"
#include "client/status.h"
#include "client/stubs.h"
#include "core/base/concat.h"
#include "core/base/status_macros.h"

namespace stele::client {
namespace {

class Download {
 public:
  Download(const Connection& connection, const Digest& digest, uint64_t offset,
           const TakePiece& take, const TransferHooks& hooks)
      : connection_(connection), digest_(digest), at_(offset), take_(take), hooks_(hooks) {}

  absl::StatusOr<uint64_t> Run() {
    const auto attempt = [this](bool& progress) {
      const uint64_t before = at_;
      const absl::Status status = Attempt();
      progress = at_ > before;
      return status;
    };
    STELE_RETURN_IF_ERROR(PersistWhileMoving(connection_.timeout(), attempt, hooks_.on_trouble));
    return *size_;
  }

 private:
  absl::Status Attempt() {
    grpc::ClientContext context;
    StallGuard guard(context, connection_.timeout());
    v1::DownloadArtifactRequest request;
    request.set_digest(std::string(digest_.bytes()));
    request.set_offset(at_);
    const auto stream = connection_.stubs().artifacts->DownloadArtifact(&context, request);
    v1::DownloadArtifactResponse response;
    absl::Status taken;
    for (bool first = true; taken.ok() && stream->Read(&response); first = false) {
      guard.Touch();
      taken = Take(response, first);
    }
    if (!taken.ok()) context.TryCancel();
    const grpc::Status ended = stream->Finish();
    STELE_RETURN_IF_ERROR(taken);
    if (guard.stalled()) {
      return absl::DeadlineExceededError(
          Concat("nothing came from ", connection_.address(), " in time (--timeout)"));
    }
    STELE_RETURN_IF_ERROR(FromGrpc(ended, connection_.address()));
    if (size_ && at_ == *size_) return absl::OkStatus();
    return Untrusted(Concat("the server sent ", at_, " bytes of ", digest_.ToText(),
                            " and said that this was all"));
  }

  absl::Status Take(const v1::DownloadArtifactResponse& response, bool first) {
    if (first && size_ && *size_ != response.size()) {
      return Untrusted(Concat("the server said that ", digest_.ToText(), " has ", *size_,
                              " bytes, and then ", response.size()));
    }
    if (first) size_ = response.size();
    if (at_ > *size_) return Untrusted("the server answered bytes behind the end");
    if (!first && response.data().empty()) return Untrusted("a piece without a byte");
    if (response.data().size() > *size_ - at_) {
      return Untrusted(Concat("more than the ", *size_, " bytes of ", digest_.ToText()));
    }
    if (!response.data().empty()) STELE_RETURN_IF_ERROR(take_(response.data()));
    at_ += response.data().size();
    if (hooks_.progress) hooks_.progress(at_, *size_);
    return absl::OkStatus();
  }

  const Connection& connection_;
  const Digest digest_;
  uint64_t at_;
  const TakePiece& take_;
  const TransferHooks& hooks_;
  std::optional<uint64_t> size_;
};

}  // namespace

absl::StatusOr<uint64_t> DownloadContent(const Connection& connection, const Digest& digest,
                                         uint64_t offset, const TakePiece& take,
                                         const TransferHooks& hooks) {
  return Download(connection, digest, offset, take, hooks).Run();
}

}  // namespace stele::client
