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
    case Method::kGetServerInfo:
      return "ServerService/GetServerInfo";
  }
  return "";
}

}  // namespace stele::server
