#include "server/http/gzip.h"

#include <zlib.h>

namespace stele::server {
namespace {

constexpr int kLevel = 4;  // three quarters of the gain for a third of the time
constexpr int kGzipWrapper = 16 + MAX_WBITS;
constexpr int kMemory = 8;

}  // namespace

std::optional<std::string> Gzip(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, kLevel, Z_DEFLATED, kGzipWrapper, kMemory, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    return std::nullopt;
  }
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int done = deflate(&stream, Z_FINISH);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  if (done != Z_STREAM_END) return std::nullopt;
  return out;
}

}  // namespace stele::server
