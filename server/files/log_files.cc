#include "server/files/log_files.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/crypto/sha256.h"
#include "core/tlog/tile.h"
#include "server/base/cat.h"
#include "server/files/file_error.h"

namespace stele::server {
namespace {

constexpr char kImmutable[] = "public, max-age=31536000, immutable";

HttpResponse AnswerTile(const store::Reader& reader, const TileId& id) {
  const uint32_t width = TileWidth(id.level, id.number, reader.head().size);
  if (width < id.width) {
    return HttpError(404, Cat("the log has no such tile at its size ", reader.head().size.value()));
  }
  absl::StatusOr<std::string> tile = reader.Tile(id);
  if (!tile.ok()) return FileError(tile.status());
  HttpResponse response;
  response.content_type = "application/octet-stream";
  response.cache_control = kImmutable;
  response.body = *std::move(tile);
  response.etag = Sha256(response.body).ToHex();
  response.compressible = id.level == TileId::kEntries;  // hashes are not
  return response;
}

}  // namespace

HttpResponse AnswerLogFile(const ReaderSource& source, const HttpRequest& request) {
  const std::string_view path = std::string_view(request.path).substr(1);
  const std::optional<TileId> tile = ParseTilePath(path);
  if (request.has_query || (!tile && path != "checkpoint")) {
    return HttpError(404,
                     "nothing is here; the log is at /checkpoint and /tile/, content at /content/");
  }
  absl::StatusOr<std::shared_ptr<const store::Reader>> reader = source();
  if (!reader.ok()) return FileError(reader.status());
  if (tile) return AnswerTile(**reader, *tile);
  HttpResponse response;  // text/plain, never cached
  response.body = (*reader)->head().checkpoint;
  return response;
}

}  // namespace stele::server
