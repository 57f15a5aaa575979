#include "client/source/static_source.h"

#include <algorithm>
#include <utility>

#include "client/status.h"
#include "core/base/artifact_limits.h"
#include "core/base/concat.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"
#include "core/tlog/entry_bundle.h"

namespace stele::client {
namespace {

constexpr size_t kTileBytes = limits::kTileWidth * Hash::kBytes;
constexpr size_t kLengthBytes = 2;
constexpr size_t kBundleBytes = limits::kTileWidth * (kLengthBytes + limits::kLeafBytes);
constexpr size_t kNoteBytes = 1024 * 1024;

// Something larger than it can be, as what is wrong with it.
absl::StatusOr<std::string> OversizeIs(std::string_view reason, absl::StatusOr<std::string> bytes) {
  if (!absl::IsResourceExhausted(bytes.status())) return bytes;
  return Refuse(absl::StatusCode::kDataLoss, reason, "", std::string(bytes.status().message()));
}

}  // namespace

absl::StatusOr<std::string> StaticSource::Required(const std::string& path, size_t max_bytes) {
  absl::StatusOr<std::string> bytes = File(path, max_bytes);
  if (!absl::IsNotFound(bytes.status())) return bytes;
  return Refuse(absl::StatusCode::kNotFound, reason::kMissingFile, "",
                Concat(name(), " has no file ", path, ", which the size of the log demands"));
}

absl::StatusOr<std::string> StaticSource::TileFile(const TileId& id, size_t max_bytes,
                                                   TileId& found) {
  found = id;
  if (id.width < limits::kTileWidth) {
    absl::StatusOr<std::string> partial = File(TilePath(id), max_bytes);
    if (!absl::IsNotFound(partial.status())) return partial;
    found.width = limits::kTileWidth;
    absl::StatusOr<std::string> full = File(TilePath(found), max_bytes);
    if (!absl::IsNotFound(full.status())) return full;
    found = id;
  }
  return Required(TilePath(id), max_bytes);
}

absl::StatusOr<std::string> StaticSource::Checkpoint() {
  return OversizeIs(reason::kNoteForm, Required("checkpoint", kNoteBytes));
}

absl::StatusOr<std::string> StaticSource::Tile(const TileId& id) {
  TileId found;
  STELE_ASSIGN_OR_RETURN(std::string bytes,
                         OversizeIs(reason::kTileMismatch, TileFile(id, kTileBytes, found)));
  if (found.width != id.width) bytes.resize(std::min(bytes.size(), id.width * Hash::kBytes));
  return bytes;
}

absl::StatusOr<std::vector<std::string>> StaticSource::Entries(EntryIndex start, uint64_t count,
                                                               TreeSize size) {
  std::vector<std::string> leaves;
  leaves.reserve(count);
  const uint64_t end = start.value() + count;
  for (uint64_t at = start.value(); at < end;) {
    const uint64_t number = at / limits::kTileWidth;
    const uint64_t base = number * limits::kTileWidth;
    TileId found;
    const TileId id{TileId::kEntries, number, TileWidth(TileId::kEntries, number, size)};
    STELE_ASSIGN_OR_RETURN(const std::string bytes,
                           OversizeIs(reason::kBundleForm, TileFile(id, kBundleBytes, found)));
    const auto bundle = ParseEntryBundle(bytes, found.width);
    if (!bundle.ok()) return Untrusted(TilePath(found), bundle.status());
    const uint64_t stop = std::min(end, base + found.width);
    for (; at < stop; ++at) leaves.emplace_back((*bundle)[at - base]);
  }
  return leaves;
}

absl::Status StaticSource::Files(const std::vector<std::string>& paths, size_t max_bytes,
                                 const VisitFile& visit) {
  for (size_t i = 0; i < paths.size(); ++i) {
    STELE_RETURN_IF_ERROR(visit(i, File(paths[i], max_bytes)));
  }
  return absl::OkStatus();
}

absl::Status StaticSource::Content(absl::Span<const Digest> digests, const VisitContent& visit) {
  std::vector<std::string> paths;
  paths.reserve(digests.size());
  for (const Digest& digest : digests) paths.push_back(Concat("content/", digest.ToHex()));
  const auto check = [&](size_t at, absl::StatusOr<std::string> bytes) -> absl::Status {
    if (absl::IsNotFound(bytes.status()) || absl::IsResourceExhausted(bytes.status())) {
      return visit(at, std::nullopt);
    }
    if (!bytes.ok()) return bytes.status();
    if (Sha256(*bytes) != digests[at]) return visit(at, std::nullopt);
    return visit(at, *std::move(bytes));
  };
  return Files(paths, limits::kWholeContentBytes, check);
}

absl::StatusOr<bool> StaticSource::Artifact(const Digest& digest, ByteSink& sink) {
  const absl::Status status =
      Stream(Concat("content/", digest.ToHex()), limits::kArtifactBytesMost, sink);
  if (absl::IsNotFound(status) || absl::IsResourceExhausted(status)) return false;
  if (!status.ok()) return status;
  return true;
}

}  // namespace stele::client
