#include "server/http/negotiate.h"

#include <utility>

#include "core/base/serving_limits.h"
#include "server/base/cat.h"
#include "server/http/fields.h"
#include "server/http/gzip.h"

namespace stele::server {
namespace {

bool Zips(const HttpRequest& request, const HttpResponse& response) {
  return response.compressible && response.body.size() >= limits::kHttpGzipLeastBytes &&
         response.body.size() <= limits::kHttpGzipMostBytes && AcceptsGzip(request.accept_encoding);
}

}  // namespace

HttpResponse Negotiate(const HttpRequest& request, HttpResponse response) {
  if (response.status != 200 || response.etag.empty()) return response;
  const bool zips = Zips(request, response);
  response.etag = Cat("\"", response.etag, zips ? "-gzip\"" : "\"");
  if (!request.if_match.empty() &&
      !NamesTag(request.if_match, response.etag, TagComparison::kStrong)) {
    return HttpError(412, "what is here has another ETag");
  }
  if (!request.if_none_match.empty() &&
      NamesTag(request.if_none_match, response.etag, TagComparison::kWeak)) {
    response.status = 304;
    response.body.clear();
    response.stream.reset();
    return response;
  }
  if (!zips) return response;
  std::optional<std::string> zipped = Gzip(response.body);
  if (!zipped) return HttpError(503, "out of memory; try again later");
  response.body = *std::move(zipped);
  response.content_encoding = "gzip";
  return response;
}

}  // namespace stele::server
