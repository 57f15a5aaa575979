// bench-echo: RecordService.GetContent that answers one fixed payload, whatever is asked, through
// the same gRPC callback API as steled and with nothing behind it. The other side of a ratio.
#include <grpcpp/grpcpp.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "stele/v1/records.grpc.pb.h"

namespace {

class Echo final : public stele::v1::RecordService::CallbackService {
 public:
  explicit Echo(std::string payload) : payload_(std::move(payload)) {}
  grpc::ServerUnaryReactor* GetContent(grpc::CallbackServerContext* context,
                                       const stele::v1::GetContentRequest*,
                                       stele::v1::GetContentResponse* response) override {
    response->set_content(payload_);
    auto* reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }

 private:
  std::string payload_;
};

}  // namespace

int main(int argc, char** argv) {
  std::string file;
  CLI::App app("A bare unary echo, as a yardstick.");
  app.add_option("--payload", file, "file with the payload")->required();
  CLI11_PARSE(app, argc, argv);
  std::ifstream in(file, std::ios::binary);
  std::ostringstream payload;
  payload << in.rdbuf();
  if (!in) {
    std::cerr << "bench-echo: cannot read " << file << "\n";
    return 1;
  }

  // Blocked before gRPC starts its threads, so that only the wait below sees the signal.
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTERM);
  sigaddset(&stop, SIGINT);
  pthread_sigmask(SIG_BLOCK, &stop, nullptr);

  Echo service(std::move(payload).str());
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(&service);
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr) {
    std::cerr << "bench-echo: cannot listen\n";
    return 1;
  }
  std::cout << "listening grpc=127.0.0.1:" << port << std::endl;
  int signal = 0;
  sigwait(&stop, &signal);
  server->Shutdown();
  return 0;
}
