#include "server/files/content_files.h"

#include <optional>
#include <string_view>
#include <utility>

#include "core/base/status_macros.h"
#include "core/crypto/digest.h"
#include "server/files/file_error.h"
#include "store/read/content_stream.h"

namespace stele::server {
namespace {

constexpr char kContentCaching[] = "public, max-age=86400";

absl::StatusOr<std::string> Read(const ReaderSource& source, const Digest& digest) {
  STELE_ASSIGN_OR_RETURN(const auto reader, source());
  return reader->Content(digest);
}

// A fresh reader for each piece, so that a slow client pins nothing.
class LargeContent final : public HttpBody {
 public:
  // The first piece is read at once: what is damaged there is an answer of its own.
  static absl::StatusOr<std::shared_ptr<HttpBody>> Open(const ReaderSource& source,
                                                        const Digest& digest) {
    STELE_ASSIGN_OR_RETURN(const auto reader, source());
    STELE_ASSIGN_OR_RETURN(store::ContentStream stream,
                           store::ContentStream::Open(*reader, digest, 0));
    STELE_ASSIGN_OR_RETURN(std::string first, stream.Next(*reader));
    return std::shared_ptr<HttpBody>(new LargeContent(source, std::move(stream), std::move(first)));
  }

  uint64_t size() const override { return stream_.size(); }
  absl::StatusOr<std::string> Next() override {
    if (!first_.empty()) return std::exchange(first_, std::string());
    STELE_ASSIGN_OR_RETURN(const auto reader, source_());
    return stream_.Next(*reader);
  }

 private:
  LargeContent(const ReaderSource& source, store::ContentStream stream, std::string first)
      : source_(source), stream_(std::move(stream)), first_(std::move(first)) {}

  const ReaderSource source_;
  store::ContentStream stream_;
  std::string first_;
};

}  // namespace

HttpResponse AnswerContentFile(const ReaderSource& source, const HttpRequest& request) {
  std::string_view hex = request.path;
  if (!hex.starts_with(kContentPath)) return HttpError(404, "nothing is here");
  hex.remove_prefix(kContentPath.size());
  const std::optional<Digest> digest = Digest::FromHex(hex);
  if (!digest || request.has_query) {
    return HttpError(404, "nothing is here; content is at /content/ and 64 lowercase hex digits");
  }
  HttpResponse response;
  response.content_type = "application/octet-stream";
  response.cache_control = kContentCaching;
  response.etag = digest->ToHex();
  absl::StatusOr<std::string> bytes = Read(source, *digest);
  if (absl::IsResourceExhausted(bytes.status())) {
    absl::StatusOr<std::shared_ptr<HttpBody>> large = LargeContent::Open(source, *digest);
    if (!large.ok()) return FileError(large.status());
    response.stream = *std::move(large);
    return response;
  }
  if (!bytes.ok()) return FileError(bytes.status());
  response.body = *std::move(bytes);
  response.compressible = true;
  return response;
}

}  // namespace stele::server
