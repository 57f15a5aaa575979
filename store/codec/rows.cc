#include "store/codec/rows.h"

#include <optional>
#include <utility>

#include "core/base/concat.h"
#include "disk/v1/frames.capnp.h"
#include "store/codec/message.h"

namespace stele::store {
namespace disk = ::stele::disk::v1;

std::string EncodeHead(const Head& head) {
  const size_t bytes = head.origin.size() + head.checkpoint.size() + Digest::kBytes;
  return WriteFrame<disk::Head>(RowType::kHead, bytes, [&](disk::Head::Builder out) {
    out.setOrigin(ToText(head.origin));
    out.setSize(head.size.value());
    out.setRoot(ToData(head.root));
    out.setLastLogged(head.last_logged.value());
    out.setCheckpoint(ToData(head.checkpoint));
  });
}

absl::StatusOr<Head> DecodeHead(std::string_view frame) {
  auto row = [] { return std::string("the head"); };
  return ReadFrame<disk::Head, Head>(RowType::kHead, frame, row,
                                     [](disk::Head::Reader in) -> std::optional<Head> {
                                       Head head;
                                       if (!ReadDigest(in.getRoot(), head.root))
                                         return std::nullopt;
                                       head.origin = ToString(in.getOrigin());
                                       head.size = TreeSize(in.getSize());
                                       head.last_logged = TimeMs(in.getLastLogged());
                                       head.checkpoint = View(in.getCheckpoint());
                                       return head;
                                     });
}

std::string EncodeEntry(const EntryRow& row) {
  const size_t bytes = row.leaf.size() + Digest::kBytes;
  return WriteFrame<disk::Entry>(RowType::kEntry, bytes, [&](disk::Entry::Builder out) {
    out.setIndex(row.index.value());
    out.setLeafHash(ToData(row.leaf_hash));
    out.setLeaf(ToData(row.leaf));
  });
}

absl::StatusOr<EntryRow> DecodeEntry(std::string_view frame, EntryIndex index) {
  auto row = [&] { return Concat("entry ", index.value()); };
  return ReadFrame<disk::Entry, EntryRow>(
      RowType::kEntry, frame, row, [&](disk::Entry::Reader in) -> std::optional<EntryRow> {
        EntryRow value{.index = EntryIndex(in.getIndex()), .leaf = {}, .leaf_hash = {}};
        if (value.index != index || !ReadDigest(in.getLeafHash(), value.leaf_hash)) {
          return std::nullopt;
        }
        value.leaf = View(in.getLeaf());
        return value;
      });
}

std::string EncodeTile(const TileRow& row) {
  return WriteFrame<disk::Tile>(RowType::kTile, row.bytes.size(), [&](disk::Tile::Builder out) {
    out.setLevel(static_cast<uint8_t>(row.level));
    out.setNumber(row.number);
    out.setHashes(ToData(row.bytes));
  });
}

absl::StatusOr<TileRow> DecodeTile(std::string_view frame, int level, uint64_t number) {
  auto row = [&] { return Concat("tile ", number, " of level ", level); };
  return ReadFrame<disk::Tile, TileRow>(
      RowType::kTile, frame, row, [&](disk::Tile::Reader in) -> std::optional<TileRow> {
        if (in.getLevel() != level || in.getNumber() != number) return std::nullopt;
        TileRow value{.level = level, .number = number, .bytes{View(in.getHashes())}};
        if (value.bytes.empty() || value.bytes.size() % Digest::kBytes != 0) return std::nullopt;
        return value;
      });
}

std::string EncodeReplay(const ReplayRow& row) {
  return WriteFrame<disk::Replay>(RowType::kReplay, 2 * Digest::kBytes,
                                  [&](disk::Replay::Builder out) {
                                    out.setPayload(ToData(row.key.payload));
                                    out.setSigner(ToData(row.key.signer));
                                    out.setIndex(row.index.value());
                                  });
}

absl::StatusOr<ReplayRow> DecodeReplay(std::string_view frame, const ReplayKey& key) {
  auto row = [&] {
    return Concat("the replay row of payload ", key.payload.ToText(), " by ", key.signer.ToText());
  };
  return ReadFrame<disk::Replay, ReplayRow>(
      RowType::kReplay, frame, row, [&](disk::Replay::Reader in) -> std::optional<ReplayRow> {
        ReplayRow value;
        if (!ReadDigest(in.getPayload(), value.key.payload) ||
            !ReadDigest(in.getSigner(), value.key.signer) || value.key != key) {
          return std::nullopt;
        }
        value.index = EntryIndex(in.getIndex());
        return value;
      });
}

std::string EncodePublication(const PublicationRow& row) {
  return WriteFrame<disk::Publication>(RowType::kPublication, 3 * Digest::kBytes,
                                       [&](disk::Publication::Builder out) {
                                         out.setRecord(ToData(row.record));
                                         out.setIndex(row.index.value());
                                         out.setSigner(ToData(row.signer));
                                         out.setManifest(ToData(row.manifest));
                                         out.setAuthority(row.authority.value());
                                       });
}

absl::StatusOr<PublicationRow> DecodePublication(std::string_view frame, const Digest& record,
                                                 EntryIndex index) {
  auto row = [&] {
    return Concat("the publication of ", record.ToText(), " at index ", index.value());
  };
  return ReadFrame<disk::Publication, PublicationRow>(
      RowType::kPublication, frame, row,
      [&](disk::Publication::Reader in) -> std::optional<PublicationRow> {
        PublicationRow value;
        if (!ReadDigest(in.getRecord(), value.record) ||
            !ReadDigest(in.getSigner(), value.signer) ||
            !ReadDigest(in.getManifest(), value.manifest)) {
          return std::nullopt;
        }
        value.index = EntryIndex(in.getIndex());
        value.authority = EventIndex(in.getAuthority());
        if (value.record != record || value.index != index) return std::nullopt;
        return value;
      });
}

}  // namespace stele::store
