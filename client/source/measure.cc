#include "client/source/measure.h"

#include "client/source/hash_sink.h"
#include "core/base/status_macros.h"

namespace stele::client {

absl::StatusOr<std::optional<uint64_t>> MeasureArtifact(Source& source, const Digest& digest) {
  HashSink sink;
  STELE_ASSIGN_OR_RETURN(const bool there, source.Artifact(digest, sink));
  if (!there || sink.Finish() != digest) return std::optional<uint64_t>();
  return std::optional(sink.size());
}

}  // namespace stele::client
