#include "tests/support/client/lying_server.h"

#include <chrono>
#include <thread>
#include <utility>

#include "core/base/limits.h"

namespace stele::client {
namespace {

using grpc::ClientContext;
using grpc::ServerContext;
using grpc::Status;

template <class Response>
Status Edit(const Lies& lies, const Lie<void(Response&)>& lie, Response& response,
            const Status& status = Status::OK) {
  if (!status.ok()) return status;
  lie(response);
  lies.any(response);
  return status;
}

// Says the last answer again for as long as it is told to and anybody listens.
template <class Writer, class Response>
void SayForEver(const Lies& lies, Writer& writer, const Response& response) {
  ++lies.endless_streams;
  while (lies.endless() && writer.Write(response)) {
  }
  --lies.endless_streams;
}

class LyingServerInfo final : public v1::ServerService::Service {
 public:
  LyingServerInfo(const std::shared_ptr<grpc::Channel>& honest, const Lies& lies)
      : honest_(v1::ServerService::NewStub(honest)), lies_(lies) {}
  Status GetServerInfo(ServerContext*, const v1::GetServerInfoRequest* request,
                       v1::GetServerInfoResponse* response) override {
    ClientContext context;
    const Status status = honest_->GetServerInfo(&context, *request, response);
    return Edit(lies_, lies_.info, *response, status);
  }

 private:
  const std::unique_ptr<v1::ServerService::Stub> honest_;
  const Lies& lies_;
};

class LyingLog final : public v1::LogService::Service {
 public:
  LyingLog(const std::shared_ptr<grpc::Channel>& honest, const Lies& lies)
      : honest_(v1::LogService::NewStub(honest)), lies_(lies) {}
  Status GetHead(ServerContext*, const v1::GetHeadRequest* request,
                 v1::GetHeadResponse* response) override {
    ClientContext context;
    const Status status = honest_->GetHead(&context, *request, response);
    return Edit(lies_, lies_.head, *response, status);
  }
  Status GetEntry(ServerContext*, const v1::GetEntryRequest* request,
                  v1::GetEntryResponse* response) override {
    ClientContext context;
    const Status status = honest_->GetEntry(&context, *request, response);
    return Edit(lies_, lies_.entry, *response, status);
  }
  Status ListKeys(ServerContext*, const v1::ListKeysRequest* request,
                  v1::ListKeysResponse* response) override {
    ClientContext context;
    const Status status = honest_->ListKeys(&context, *request, response);
    return Edit(lies_, lies_.keys, *response, status);
  }
  Status ListEntries(ServerContext*, const v1::ListEntriesRequest* request,
                     grpc::ServerWriter<v1::ListEntriesResponse>* writer) override {
    ClientContext context;
    auto reader = honest_->ListEntries(&context, *request);
    v1::ListEntriesResponse response;
    while (reader->Read(&response)) {
      Edit(lies_, lies_.entries, response);
      writer->Write(response);
    }
    SayForEver(lies_, *writer, response);
    return reader->Finish();
  }

 private:
  const std::unique_ptr<v1::LogService::Stub> honest_;
  const Lies& lies_;
};

class LyingProofs final : public v1::ProofService::Service {
 public:
  LyingProofs(const std::shared_ptr<grpc::Channel>& honest, const Lies& lies)
      : honest_(v1::ProofService::NewStub(honest)), lies_(lies) {}
  Status GetInclusionProof(ServerContext*, const v1::GetInclusionProofRequest* request,
                           v1::GetInclusionProofResponse* response) override {
    ClientContext context;
    const Status status = honest_->GetInclusionProof(&context, *request, response);
    return Edit(lies_, lies_.inclusion, *response, status);
  }
  Status GetConsistencyProof(ServerContext*, const v1::GetConsistencyProofRequest* request,
                             v1::GetConsistencyProofResponse* response) override {
    ClientContext context;
    const Status status = honest_->GetConsistencyProof(&context, *request, response);
    return Edit(lies_, lies_.consistency, *response, status);
  }
  Status GetTiles(ServerContext*, const v1::GetTilesRequest* request,
                  v1::GetTilesResponse* response) override {
    ClientContext context;
    const Status status = honest_->GetTiles(&context, *request, response);
    return Edit(lies_, lies_.tiles, *response, status);
  }
  Status GetProvenEntries(ServerContext* server, const v1::GetProvenEntriesRequest* request,
                          grpc::ServerWriter<v1::GetProvenEntriesResponse>* writer) override {
    const auto context = ClientContext::FromServerContext(*server);
    return HandOn(*honest_->GetProvenEntries(context.get(), *request), lies_.proven, *writer);
  }
  Status WatchHead(ServerContext* server, const v1::WatchHeadRequest* request,
                   grpc::ServerWriter<v1::WatchHeadResponse>* writer) override {
    const auto context = ClientContext::FromServerContext(*server);
    return HandOn(*honest_->WatchHead(context.get(), *request), lies_.watched, *writer);
  }

 private:
  // Ends with the side that ends first: a client that goes away cancels the call behind.
  template <class Response>
  Status HandOn(grpc::ClientReader<Response>& reader, const Lie<void(Response&)>& lie,
                grpc::ServerWriter<Response>& writer) const {
    Response response;
    while (reader.Read(&response)) {
      Edit(lies_, lie, response);
      writer.Write(response);
      SayForEver(lies_, writer, response);
    }
    return reader.Finish();
  }

  const std::unique_ptr<v1::ProofService::Stub> honest_;
  const Lies& lies_;
};

class LyingQueries final : public v1::QueryService::Service {
 public:
  LyingQueries(const std::shared_ptr<grpc::Channel>& honest, const Lies& lies)
      : honest_(v1::QueryService::NewStub(honest)), lies_(lies) {}
  Status ListRecords(ServerContext*, const v1::ListRecordsRequest* request,
                     v1::ListRecordsResponse* response) override {
    return HandOn(&v1::QueryService::Stub::ListRecords, *request, *response);
  }
  Status GetHistory(ServerContext*, const v1::GetHistoryRequest* request,
                    v1::GetHistoryResponse* response) override {
    return HandOn(&v1::QueryService::Stub::GetHistory, *request, *response);
  }
  Status GetStandings(ServerContext*, const v1::GetStandingsRequest* request,
                      v1::GetStandingsResponse* response) override {
    return HandOn(&v1::QueryService::Stub::GetStandings, *request, *response);
  }
  Status ListReferences(ServerContext*, const v1::ListReferencesRequest* request,
                        v1::ListReferencesResponse* response) override {
    return HandOn(&v1::QueryService::Stub::ListReferences, *request, *response);
  }
  Status GetCohort(ServerContext*, const v1::GetCohortRequest* request,
                   v1::GetCohortResponse* response) override {
    return HandOn(&v1::QueryService::Stub::GetCohort, *request, *response);
  }
  Status ListResults(ServerContext*, const v1::ListResultsRequest* request,
                     v1::ListResultsResponse* response) override {
    return HandOn(&v1::QueryService::Stub::ListResults, *request, *response);
  }
  Status GetEvidence(ServerContext*, const v1::GetEvidenceRequest* request,
                     v1::GetEvidenceResponse* response) override {
    return HandOn(&v1::QueryService::Stub::GetEvidence, *request, *response);
  }

 private:
  template <class Request, class Response>
  Status HandOn(Status (v1::QueryService::Stub::*method)(ClientContext*, const Request&, Response*),
                const Request& request, Response& response) const {
    ClientContext context;
    const Status status = ((*honest_).*method)(&context, request, &response);
    if (status.ok()) lies_.any(response);
    return status;
  }

  const std::unique_ptr<v1::QueryService::Stub> honest_;
  const Lies& lies_;
};

class LyingRecords final : public v1::RecordService::Service {
 public:
  LyingRecords(const std::shared_ptr<grpc::Channel>& honest, const Lies& lies)
      : honest_(v1::RecordService::NewStub(honest)), lies_(lies) {}
  Status GetContent(ServerContext*, const v1::GetContentRequest* request,
                    v1::GetContentResponse* response) override {
    ClientContext context;
    const Status status = honest_->GetContent(&context, *request, response);
    return Edit(lies_, lies_.content, *response, status);
  }
  Status ResolvePrefix(ServerContext*, const v1::ResolvePrefixRequest* request,
                       v1::ResolvePrefixResponse* response) override {
    ClientContext context;
    const Status status = honest_->ResolvePrefix(&context, *request, response);
    return Edit(lies_, lies_.prefix, *response, status);
  }
  Status CheckPublications(ServerContext*, const v1::CheckPublicationsRequest* request,
                           v1::CheckPublicationsResponse* response) override {
    ClientContext context;
    const Status status = honest_->CheckPublications(&context, *request, response);
    return Edit(lies_, lies_.publications, *response, status);
  }
  Status GetRecord(ServerContext*, const v1::GetRecordRequest* request,
                   v1::GetRecordResponse* response) override {
    ClientContext context;
    const Status status = honest_->GetRecord(&context, *request, response);
    return Edit(lies_, lies_.record, *response, status);
  }
  Status GetCitation(ServerContext*, const v1::GetCitationRequest* request,
                     v1::GetCitationResponse* response) override {
    ClientContext context;
    const Status status = honest_->GetCitation(&context, *request, response);
    return Edit(lies_, lies_.citation, *response, status);
  }
  Status ListRecordEntries(ServerContext*, const v1::ListRecordEntriesRequest* request,
                           v1::ListRecordEntriesResponse* response) override {
    ClientContext context;
    return honest_->ListRecordEntries(&context, *request, response);
  }
  Status FetchContent(ServerContext*,
                      grpc::ServerReaderWriter<v1::FetchContentResponse, v1::FetchContentRequest>*
                          stream) override {
    v1::FetchContentRequest request;
    while (stream->Read(&request)) {
      ClientContext context;
      auto honest = honest_->FetchContent(&context);
      honest->Write(request);
      honest->WritesDone();
      v1::FetchContentResponse response;
      while (honest->Read(&response)) {
        Edit(lies_, lies_.fetched, response);
        stream->Write(response);
      }
      SayForEver(lies_, *stream, response);
      if (Status status = honest->Finish(); !status.ok()) return status;
    }
    return Status::OK;
  }

 private:
  const std::unique_ptr<v1::RecordService::Stub> honest_;
  const Lies& lies_;
};

class LyingArtifacts final : public v1::ArtifactService::Service {
 public:
  LyingArtifacts(const std::shared_ptr<grpc::Channel>& honest, const Lies& lies)
      : honest_(v1::ArtifactService::NewStub(honest)), lies_(lies) {}
  Status GetArtifact(ServerContext*, const v1::GetArtifactRequest* request,
                     v1::GetArtifactResponse* response) override {
    ClientContext context;
    const Status status = honest_->GetArtifact(&context, *request, response);
    return Edit(lies_, lies_.artifact, *response, status);
  }
  Status UploadArtifact(ServerContext*, grpc::ServerReader<v1::UploadArtifactRequest>* reader,
                        v1::UploadArtifactResponse* response) override {
    ClientContext context;
    const auto honest = honest_->UploadArtifact(&context, response);
    v1::UploadArtifactRequest request;
    while (reader->Read(&request) && honest->Write(request)) {
    }
    honest->WritesDone();
    return Edit(lies_, lies_.uploaded, *response, honest->Finish());
  }
  Status DownloadArtifact(ServerContext*, const v1::DownloadArtifactRequest* request,
                          grpc::ServerWriter<v1::DownloadArtifactResponse>* writer) override {
    ClientContext context;
    const auto honest = honest_->DownloadArtifact(&context, *request);
    v1::DownloadArtifactResponse response;
    while (honest->Read(&response)) {
      if (lies_.cut_download(response)) {
        context.TryCancel();
        honest->Finish();
        return Status(grpc::StatusCode::UNAVAILABLE, "cut");
      }
      Edit(lies_, lies_.downloaded, response);
      writer->Write(response);
    }
    SayForEver(lies_, *writer, response);
    return honest->Finish();
  }

 private:
  const std::unique_ptr<v1::ArtifactService::Stub> honest_;
  const Lies& lies_;
};

class LyingPublish final : public v1::PublishService::Service {
 public:
  using Stream = grpc::ServerReaderWriter<v1::PublishResponse, v1::PublishRequest>;

  LyingPublish(const std::shared_ptr<grpc::Channel>& honest, const Lies& lies)
      : honest_(v1::PublishService::NewStub(honest)), lies_(lies) {}
  Status Publish(ServerContext*, Stream* stream) override {
    v1::PublishRequest request;
    while (stream->Read(&request)) {
      v1::PublishResponse refused;
      v1::PublishRequest rest = Refuse(request, refused);
      if (refused.results_size() > 0) stream->Write(refused);
      if (rest.items_size() == 0) continue;
      const bool cut = lies_.cut(rest);
      if (Status status = HandOn(rest, cut ? nullptr : stream); !status.ok()) return status;
      if (cut) return Status(grpc::StatusCode::UNAVAILABLE, "cut");
    }
    return Status::OK;
  }

 private:
  v1::PublishRequest Refuse(const v1::PublishRequest& request, v1::PublishResponse& refused) {
    v1::PublishRequest rest;
    for (const v1::StatementItem& item : request.items()) {
      std::optional<google::rpc::Status> error = lies_.refuse(item);
      if (!error) {
        *rest.add_items() = item;
        continue;
      }
      v1::PublishResult* result = refused.add_results();
      result->set_tag(item.tag());
      *result->mutable_error() = *std::move(error);
    }
    return rest;
  }

  Status HandOn(const v1::PublishRequest& request, Stream* answers) {
    ClientContext context;
    auto honest = honest_->Publish(&context);
    honest->Write(request);
    honest->WritesDone();
    v1::PublishResponse response;
    while (honest->Read(&response)) {
      Edit(lies_, lies_.published, response);
      if (answers != nullptr) answers->Write(response);
    }
    return honest->Finish();
  }

  const std::unique_ptr<v1::PublishService::Stub> honest_;
  const Lies& lies_;
};

std::shared_ptr<grpc::Channel> ChannelTo(const std::string& honest) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(static_cast<int>(limits::kMessageBytes));
  return grpc::CreateCustomChannel(honest, grpc::InsecureChannelCredentials(), arguments);
}

}  // namespace

void Lies::Clear() {
  any = nullptr;
  endless = nullptr;
  info = nullptr;
  head = nullptr;
  entry = nullptr;
  entries = nullptr;
  keys = nullptr;
  inclusion = nullptr;
  consistency = nullptr;
  proven = nullptr;
  watched = nullptr;
  content = nullptr;
  fetched = nullptr;
  prefix = nullptr;
  publications = nullptr;
  record = nullptr;
  citation = nullptr;
  artifact = nullptr;
  uploaded = nullptr;
  downloaded = nullptr;
  cut_download = nullptr;
  published = nullptr;
  refuse = nullptr;
  while (endless_streams > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  cut = nullptr;
}

struct LyingServer::Services {
  Services(const std::shared_ptr<grpc::Channel>& honest, const Lies& lies)
      : info(honest, lies),
        log(honest, lies),
        records(honest, lies),
        publish(honest, lies),
        proofs(honest, lies),
        queries(honest, lies),
        artifacts(honest, lies) {}
  LyingServerInfo info;
  LyingLog log;
  LyingRecords records;
  LyingPublish publish;
  LyingProofs proofs;
  LyingQueries queries;
  LyingArtifacts artifacts;
};

LyingServer::LyingServer(const std::string& honest,
                         const std::shared_ptr<grpc::ServerCredentials>& credentials)
    : services_(std::make_unique<Services>(ChannelTo(honest), lies)) {
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", credentials, &port);
  builder.SetMaxReceiveMessageSize(static_cast<int>(limits::kMessageBytes));
  builder.RegisterService(&services_->info);
  builder.RegisterService(&services_->log);
  builder.RegisterService(&services_->records);
  builder.RegisterService(&services_->publish);
  builder.RegisterService(&services_->proofs);
  builder.RegisterService(&services_->queries);
  builder.RegisterService(&services_->artifacts);
  server_ = builder.BuildAndStart();
  address_ = "127.0.0.1:" + std::to_string(port);
}

LyingServer::~LyingServer() {
  server_->Shutdown(std::chrono::system_clock::now() + std::chrono::seconds(5));
}

}  // namespace stele::client
