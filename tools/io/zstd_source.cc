#include <zstd.h>

#include <utility>
#include <vector>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "tools/io/byte_source.h"

namespace stele::tools {
namespace {

class Decompressor final : public ByteSource {
 public:
  Decompressor(std::unique_ptr<ByteSource> compressed, std::string name)
      : compressed_(std::move(compressed)),
        name_(std::move(name)),
        context_(ZSTD_createDCtx()),
        buffer_(ZSTD_DStreamInSize()) {}

  absl::StatusOr<size_t> Read(char* buffer, size_t room) override {
    ZSTD_outBuffer out{buffer, room, 0};
    while (out.pos == 0) {
      if (in_.pos == in_.size && !drained_) {
        STELE_RETURN_IF_ERROR(Refill());
      }
      size_t before = in_.pos;
      size_t hint = ZSTD_decompressStream(context_.get(), &out, &in_);
      if (ZSTD_isError(hint)) {
        return absl::InvalidArgumentError(
            Concat(name_, ": damaged zstd data: ", ZSTD_getErrorName(hint)));
      }
      in_frame_ = hint != 0 && (in_frame_ || in_.pos != before || out.pos != 0);
      if (out.pos == 0 && drained_ && in_.pos == in_.size) {
        if (!in_frame_) return size_t{0};
        return absl::InvalidArgumentError(Concat(name_, ": zstd data is cut short"));
      }
    }
    return out.pos;
  }

 private:
  struct FreeContext {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  absl::Status Refill() {
    STELE_ASSIGN_OR_RETURN(size_t n, compressed_->Read(buffer_.data(), buffer_.size()));
    in_ = ZSTD_inBuffer{buffer_.data(), n, 0};
    drained_ = n == 0;
    return absl::OkStatus();
  }

  std::unique_ptr<ByteSource> compressed_;
  const std::string name_;
  std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
  std::vector<char> buffer_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool drained_ = false;
  bool in_frame_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> ZstdSource(std::unique_ptr<ByteSource> compressed, std::string name) {
  return std::make_unique<Decompressor>(std::move(compressed), std::move(name));
}

}  // namespace stele::tools
