// The layout of C2SP tlog-tiles, and `content/<hex>`, over anything that has files by name:
//
//   checkpoint, tile/<L>/<N>[.p/<W>], tile/entries/<N>[.p/<W>], content/<64 hex digits>
//
// Where a partial tile is gone the full one answers: a log that grows may drop the former.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "client/source/source.h"

namespace stele::client {

class StaticSource : public Source {
 public:
  absl::StatusOr<std::string> Checkpoint() override;
  absl::StatusOr<std::vector<std::string>> Entries(EntryIndex start, uint64_t count,
                                                   TreeSize size) override;
  absl::StatusOr<std::string> Tile(const TileId& id) override;
  absl::Status Content(absl::Span<const Digest> digests, const VisitContent& visit) override;
  absl::StatusOr<bool> Artifact(const Digest& digest, ByteSink& sink) override;

 protected:
  // The whole file, piece by piece. NOT_FOUND if there is none, RESOURCE_EXHAUSTED above
  // `max_bytes`.
  virtual absl::Status Stream(const std::string& path, uint64_t max_bytes, ByteSink& sink) = 0;
  // The whole file, at most `max_bytes`. NOT_FOUND if there is none.
  virtual absl::StatusOr<std::string> File(const std::string& path, size_t max_bytes) = 0;
  // The same for many at once, told in order; by default one after the other.
  using VisitFile = std::function<absl::Status(size_t at, absl::StatusOr<std::string> bytes)>;
  virtual absl::Status Files(const std::vector<std::string>& paths, size_t max_bytes,
                             const VisitFile& visit);

 private:
  absl::StatusOr<std::string> Required(const std::string& path, size_t max_bytes);
  // At its width, else the full one.
  absl::StatusOr<std::string> TileFile(const TileId& id, size_t max_bytes, TileId& found);
};

}  // namespace stele::client
