#include <optional>

#include "core/base/concat.h"
#include "disk/v1/frames.capnp.h"
#include "store/codec/message.h"
#include "store/codec/rows.h"

namespace stele::store {
namespace {

// One digest for each chunk, no more.
bool Fits(std::string_view chunk_digests, uint64_t size) {
  return chunk_digests.size() % Digest::kBytes == 0 &&
         chunk_digests.size() / Digest::kBytes == ChunksOf(size);
}

}  // namespace

std::string EncodeArtifact(const ArtifactRow& row) {
  const size_t bytes = Digest::kBytes + row.chunk_digests.size();
  return WriteFrame<disk::v1::Artifact>(RowType::kArtifact, bytes,
                                        [&](disk::v1::Artifact::Builder out) {
                                          out.setDigest(ToData(row.digest));
                                          out.setSize(row.size);
                                          out.setChunkDigests(ToData(row.chunk_digests));
                                        });
}

absl::StatusOr<ArtifactRow> DecodeArtifact(std::string_view frame, const Digest& digest) {
  auto row = [&] { return Concat("the artifact ", digest.ToText()); };
  return ReadFrame<disk::v1::Artifact, ArtifactRow>(
      RowType::kArtifact, frame, row,
      [&](disk::v1::Artifact::Reader in) -> std::optional<ArtifactRow> {
        ArtifactRow value{.digest = {}, .size = in.getSize(), .chunk_digests = {}};
        if (!ReadDigest(in.getDigest(), value.digest) || value.digest != digest) {
          return std::nullopt;
        }
        value.chunk_digests = View(in.getChunkDigests());
        if (!Fits(value.chunk_digests, value.size)) return std::nullopt;
        return value;
      });
}

std::string EncodeStaged(const StagedArtifact& row) {
  const size_t bytes = Digest::kBytes + row.chunk_digests.size();
  return WriteFrame<disk::v1::StagedArtifact>(RowType::kStagedArtifact, bytes,
                                              [&](disk::v1::StagedArtifact::Builder out) {
                                                out.setDigest(ToData(row.digest));
                                                out.setSize(row.size);
                                                out.setTouched(row.touched.value());
                                                out.setWhole(row.whole);
                                                out.setChunkDigests(ToData(row.chunk_digests));
                                              });
}

absl::StatusOr<StagedArtifact> DecodeStaged(std::string_view frame, const Digest& digest) {
  auto row = [&] { return Concat("the staged artifact ", digest.ToText()); };
  return ReadFrame<disk::v1::StagedArtifact, StagedArtifact>(
      RowType::kStagedArtifact, frame, row,
      [&](disk::v1::StagedArtifact::Reader in) -> std::optional<StagedArtifact> {
        StagedArtifact value{.digest = {},
                             .size = in.getSize(),
                             .touched = TimeMs(in.getTouched()),
                             .whole = in.getWhole(),
                             .chunk_digests = {}};
        if (!ReadDigest(in.getDigest(), value.digest) || value.digest != digest) {
          return std::nullopt;
        }
        value.chunk_digests = View(in.getChunkDigests());
        if (!Fits(value.chunk_digests, value.whole ? value.size : 0)) return std::nullopt;
        return value;
      });
}

}  // namespace stele::store
