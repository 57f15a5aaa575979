// Rows on disk: values ↔ checksummed frames (frame.h) of Cap'n Proto messages
// (proto/disk/v1/frames.capnp). The only library that knows Cap'n Proto.
//
// Each Encode gives one frame. Each Decode takes a frame and the key that it was read under; it
// answers DATA_LOSS naming the row if anything is amiss (cut, flipped, another row's),
// FAILED_PRECONDITION if a newer Stele wrote it. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "store/backend/backend.h"

namespace stele::store {

std::string EncodeHead(const Head& head);
absl::StatusOr<Head> DecodeHead(std::string_view frame);

std::string EncodeEntry(const EntryRow& row);
absl::StatusOr<EntryRow> DecodeEntry(std::string_view frame, EntryIndex index);

std::string EncodeTile(const TileRow& row);
absl::StatusOr<TileRow> DecodeTile(std::string_view frame, int level, uint64_t number);

std::string EncodeReplay(const ReplayRow& row);
absl::StatusOr<ReplayRow> DecodeReplay(std::string_view frame, const ReplayKey& key);

std::string EncodePublication(const PublicationRow& row);
absl::StatusOr<PublicationRow> DecodePublication(std::string_view frame, const Digest& record,
                                                 EntryIndex index);

std::string EncodeSubject(const SubjectRow& row);
absl::StatusOr<SubjectRow> DecodeSubject(std::string_view frame, const Digest& subject,
                                         EntryIndex index);

std::string EncodeArtifact(const ArtifactRow& row);
absl::StatusOr<ArtifactRow> DecodeArtifact(std::string_view frame, const Digest& digest);

std::string EncodeStaged(const StagedArtifact& row);
absl::StatusOr<StagedArtifact> DecodeStaged(std::string_view frame, const Digest& digest);

// Events of one entry are told apart by their ordinal, 0 for the first.
std::string EncodeKeyEvent(const KeyEvent& event, uint32_t ordinal);
absl::StatusOr<KeyEvent> DecodeKeyEvent(std::string_view frame, EntryIndex index, uint32_t ordinal);

}  // namespace stele::store
