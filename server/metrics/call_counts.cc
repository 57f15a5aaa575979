#include "server/metrics/call_counts.h"

namespace stele::server {

std::string_view MethodName(Method method) {
  switch (method) {
    case Method::kPublish:
      return "PublishService/Publish";
    case Method::kGetContent:
      return "RecordService/GetContent";
    case Method::kFetchContent:
      return "RecordService/FetchContent";
    case Method::kResolvePrefix:
      return "RecordService/ResolvePrefix";
    case Method::kCheckPublications:
      return "RecordService/CheckPublications";
    case Method::kGetRecord:
      return "RecordService/GetRecord";
    case Method::kGetHead:
      return "LogService/GetHead";
    case Method::kListEntries:
      return "LogService/ListEntries";
    case Method::kGetEntry:
      return "LogService/GetEntry";
    case Method::kListKeys:
      return "LogService/ListKeys";
    case Method::kGetLatestEvents:
      return "LogService/GetLatestEvents";
    case Method::kGetServerInfo:
      return "ServerService/GetServerInfo";
    case Method::kGetInclusionProof:
      return "ProofService/GetInclusionProof";
    case Method::kGetConsistencyProof:
      return "ProofService/GetConsistencyProof";
    case Method::kGetTiles:
      return "ProofService/GetTiles";
    case Method::kGetProvenEntries:
      return "ProofService/GetProvenEntries";
    case Method::kWatchHead:
      return "ProofService/WatchHead";
    case Method::kListRecordEntries:
      return "RecordService/ListRecordEntries";
    case Method::kGetCitation:
      return "RecordService/GetCitation";
    case Method::kListRecords:
      return "QueryService/ListRecords";
    case Method::kGetHistory:
      return "QueryService/GetHistory";
    case Method::kGetStandings:
      return "QueryService/GetStandings";
    case Method::kListReferences:
      return "QueryService/ListReferences";
    case Method::kGetCohort:
      return "QueryService/GetCohort";
    case Method::kListResults:
      return "QueryService/ListResults";
    case Method::kGetEvidence:
      return "QueryService/GetEvidence";
    case Method::kGetArtifact:
      return "ArtifactService/GetArtifact";
    case Method::kUploadArtifact:
      return "ArtifactService/UploadArtifact";
    case Method::kDownloadArtifact:
      return "ArtifactService/DownloadArtifact";
  }
  return "";
}

}  // namespace stele::server
