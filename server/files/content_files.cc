#include "server/files/content_files.h"

#include <optional>
#include <string_view>
#include <utility>

#include "core/base/status_macros.h"
#include "core/crypto/digest.h"
#include "server/files/file_error.h"

namespace stele::server {
namespace {

constexpr char kContentCaching[] = "public, max-age=86400";

absl::StatusOr<std::string> Read(const ReaderSource& source, const Digest& digest) {
  STELE_ASSIGN_OR_RETURN(const auto reader, source());
  return reader->Content(digest);
}

}  // namespace

HttpResponse AnswerContentFile(const ReaderSource& source, const HttpRequest& request) {
  std::string_view hex = request.path;
  if (!hex.starts_with(kContentPath)) return HttpError(404, "nothing is here");
  hex.remove_prefix(kContentPath.size());
  const std::optional<Digest> digest = Digest::FromHex(hex);
  if (!digest || request.has_query) {
    return HttpError(404, "nothing is here; content is at /content/ and 64 lowercase hex digits");
  }
  absl::StatusOr<std::string> bytes = Read(source, *digest);
  if (!bytes.ok()) return FileError(bytes.status());
  HttpResponse response;
  response.content_type = "application/octet-stream";
  response.cache_control = kContentCaching;
  response.body = *std::move(bytes);
  response.etag = digest->ToHex();
  response.compressible = true;
  return response;
}

}  // namespace stele::server
