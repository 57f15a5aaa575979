// Where a whole log is read from: a folder of static files, an HTTP prefix, a server. For audits
// and mirrors.
//
// Nothing that a source gives is verified here but digests of content in one piece: the reader is
// the one who checks. Errors: MISSING_FILE (NOT_FOUND) for what the log's size demands and is not
// there, UNAVAILABLE and DEADLINE_EXCEEDED if the source cannot be reached, after trying again for
// its timeout, DATA_LOSS for an answer that contradicts itself. All calls may come from several
// threads at a time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/base/byte_sink.h"
#include "core/base/strong_int.h"
#include "core/crypto/digest.h"
#include "core/tlog/tile.h"

namespace stele::client {

class Source {
 public:
  virtual ~Source() = default;

  // What messages call it, and under what it is pinned: a path, a URL, an address.
  virtual const std::string& name() const = 0;
  // The signed note of the newest checkpoint.
  virtual absl::StatusOr<std::string> Checkpoint() = 0;
  // The leaves from `start` on, exactly `count` of them, of the tree of `size`. BUNDLE_FORM
  // (DATA_LOSS) if the source holds something else there.
  virtual absl::StatusOr<std::vector<std::string>> Entries(EntryIndex start, uint64_t count,
                                                           TreeSize size) = 0;
  // A tile of hashes, at its width; the bytes are whatever the source holds.
  virtual absl::StatusOr<std::string> Tile(const TileId& id) = 0;

  // Hears each content asked for, in order: its bytes, or nothing if it is not there, its bytes
  // have another digest, or it has more than limits::kWholeContentBytes. An error ends the call and
  // is returned.
  using VisitContent = std::function<absl::Status(size_t at, std::optional<std::string> bytes)>;
  virtual absl::Status Content(absl::Span<const Digest> digests, const VisitContent& visit) = 0;
  // One content of any size up to limits::kArtifactBytesMost, piece by piece. False if it is not
  // there. Its digest is the sink's to check.
  virtual absl::StatusOr<bool> Artifact(const Digest& digest, ByteSink& sink) = 0;
};

}  // namespace stele::client
