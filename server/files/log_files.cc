#include "server/files/log_files.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/tlog/tile.h"
#include "server/base/cat.h"

namespace stele::server {
namespace {

constexpr char kImmutable[] = "public, max-age=31536000, immutable";

HttpResponse ErrorOf(const absl::Status& status) {
  const int code = absl::IsNotFound(status) ? 404 : absl::IsDataLoss(status) ? 500 : 503;
  return HttpError(code, FromAbsl(status.message()));
}

HttpResponse AnswerTile(const store::Reader& reader, const TileId& id) {
  const uint32_t width = TileWidth(id.level, id.number, reader.head().size);
  if (width < id.width) {
    return HttpError(404, Cat("the log has no such tile at its size ", reader.head().size.value()));
  }
  absl::StatusOr<std::string> tile = reader.Tile(id);
  if (!tile.ok()) return ErrorOf(tile.status());
  HttpResponse response;
  response.content_type = "application/octet-stream";
  response.cache_control = kImmutable;
  response.body = *std::move(tile);
  return response;
}

}  // namespace

HttpResponse AnswerLogFile(const ReaderSource& source, const HttpRequest& request) {
  const std::string_view path = std::string_view(request.path).substr(1);
  const std::optional<TileId> tile = ParseTilePath(path);
  if (request.has_query || (!tile && path != "checkpoint")) {
    return HttpError(404, "nothing is here; the log is at /checkpoint and /tile/");
  }
  absl::StatusOr<std::shared_ptr<const store::Reader>> reader = source();
  if (!reader.ok()) return ErrorOf(reader.status());
  if (tile) return AnswerTile(**reader, *tile);
  HttpResponse response;  // text/plain, never cached
  response.body = (*reader)->head().checkpoint;
  return response;
}

}  // namespace stele::server
