#include "server/rpc/publish_service.h"

#include <memory>
#include <string>
#include <utility>

#include "server/rpc/peer_address.h"
#include "server/rpc/publish_session.h"
#include "server/rpc/status.h"

namespace stele::server {
namespace {

// Lives until OnDone; the session may live longer, in the store.
class PublishReactor final
    : public grpc::ServerBidiReactor<v1::PublishRequest, v1::PublishResponse>,
      public PublishWire {
 public:
  PublishReactor(store::Store& store, Streams& streams, CallCounts& calls, std::string address)
      : streams_(streams),
        calls_(calls),
        session_(
            std::make_shared<PublishSession>(store, streams.load(), *this, std::move(address))) {
    absl::Status entered = streams_.Enter(*session_);
    if (entered.ok()) {
      session_->Start();
    } else {
      PublishReactor::Finish(entered);
    }
  }

  void StartRead(v1::PublishRequest* request) override { ServerBidiReactor::StartRead(request); }
  void StartWrite(const v1::PublishResponse* response) override {
    ServerBidiReactor::StartWrite(response);
  }
  void Finish(const absl::Status& status) override {
    code_ = status.code();
    ServerBidiReactor::Finish(ToGrpcStatus(status));
  }

  void OnReadDone(bool ok) override { session_->OnRead(ok); }
  void OnWriteDone(bool ok) override { session_->OnWritten(ok); }
  void OnCancel() override { session_->OnCancelled(); }
  void OnDone() override {
    session_->OnDone();
    streams_.Leave(*session_);
    calls_.Count(Method::kPublish, code_);
    delete this;
  }

 private:
  Streams& streams_;
  CallCounts& calls_;
  const std::shared_ptr<PublishSession> session_;
  absl::StatusCode code_ = absl::StatusCode::kCancelled;
};

}  // namespace

grpc::ServerBidiReactor<v1::PublishRequest, v1::PublishResponse>* PublishService::Publish(
    grpc::CallbackServerContext* context) {
  return new PublishReactor(store_, streams_, calls_, PeerAddress(context->peer()));
}

}  // namespace stele::server
