#include "client/source/server_source.h"

#include <utility>

#include "client/artifacts.h"
#include "client/status.h"
#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"

namespace stele::client {

absl::StatusOr<std::string> ServerSource::Checkpoint() {
  STELE_ASSIGN_OR_RETURN(LogHead head, fetcher_.GetHead());
  return std::move(head.note);
}

absl::StatusOr<std::vector<std::string>> ServerSource::Entries(EntryIndex start, uint64_t count,
                                                               TreeSize) {
  std::vector<std::string> leaves;
  leaves.reserve(count);
  STELE_RETURN_IF_ERROR(fetcher_.ListEntries(start, count, [&](EntryIndex, std::string_view leaf) {
    leaves.emplace_back(leaf);
    return absl::OkStatus();
  }));
  if (leaves.size() == count) return leaves;
  return Untrusted(
      Concat(name_, " lists ", leaves.size(), " entries from ", start.value(), " on, not ", count));
}

absl::StatusOr<std::string> ServerSource::Tile(const TileId& id) {
  STELE_ASSIGN_OR_RETURN(std::vector<std::string> tiles, proofs_.GetTiles({&id, 1}));
  return std::move(tiles.front());
}

absl::Status ServerSource::Content(absl::Span<const Digest> digests, const VisitContent& visit) {
  size_t at = 0;
  const auto take = [&](const Digest&, absl::StatusOr<std::string> content) -> absl::Status {
    if (content.ok()) return visit(at++, *std::move(content));
    const bool large = ReasonOf(content.status()) == reason::kTooLarge;
    if (large || absl::IsNotFound(content.status())) return visit(at++, std::nullopt);
    return content.status();
  };
  return fetcher_.FetchContent(digests, take);
}

absl::StatusOr<bool> ServerSource::Artifact(const Digest& digest, ByteSink& sink) {
  STELE_RETURN_IF_ERROR(sink.Begin());
  const auto take = [&](std::string_view piece) { return sink.Take(piece); };
  const absl::StatusOr<uint64_t> size = DownloadContent(connection_, digest, 0, take, {});
  if (absl::IsNotFound(size.status())) return false;
  STELE_RETURN_IF_ERROR(size.status());
  return true;
}

}  // namespace stele::client
