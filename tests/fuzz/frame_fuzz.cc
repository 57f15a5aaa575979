// Frames of the store on disk: any bytes, and any body under a checksum that fits, so that Cap'n
// Proto's own checks are reached. Byte 0 of the input: bits 0 to 2 and 7 the row type, bit 3
// whether to seal the rest as a body, bits 4 to 6 the alignment.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "store/codec/frame.h"
#include "store/codec/rows.h"

namespace {

using namespace stele;
using namespace stele::store;

void Check(bool good) {
  if (!good) std::abort();
}

// Every answer but OK names damage or a newer version.
template <class Row>
bool Read(const absl::StatusOr<Row>& row) {
  Check(row.ok() || absl::IsDataLoss(row.status()) || absl::IsFailedPrecondition(row.status()));
  return row.ok();
}

void ReadAs(RowType type, std::string_view frame) {
  const EntryIndex index(5);
  const Digest zero;
  switch (type) {
    case RowType::kHead:
      if (auto row = DecodeHead(frame); Read(row)) Check(*DecodeHead(EncodeHead(*row)) == *row);
      return;
    case RowType::kEntry:
      if (auto row = DecodeEntry(frame, index); Read(row)) {
        Check(*DecodeEntry(EncodeEntry(*row), index) == *row);
      }
      return;
    case RowType::kTile:
      if (auto row = DecodeTile(frame, 1, 7); Read(row)) {
        Check(DecodeTile(EncodeTile(*row), 1, 7)->bytes == row->bytes);
      }
      return;
    case RowType::kReplay:
      if (auto row = DecodeReplay(frame, {zero, zero}); Read(row)) {
        Check(DecodeReplay(EncodeReplay(*row), row->key)->index == row->index);
      }
      return;
    case RowType::kPublication:
      if (auto row = DecodePublication(frame, zero, index); Read(row)) {
        Check(*DecodePublication(EncodePublication(*row), zero, index) == *row);
      }
      return;
    case RowType::kSubject:
      if (auto row = DecodeSubject(frame, zero, index); Read(row)) {
        Check(*DecodeSubject(EncodeSubject(*row), zero, index) == *row);
      }
      return;
    case RowType::kKeyEvent:
      if (auto row = DecodeKeyEvent(frame, index, 0); Read(row)) {
        const auto again = DecodeKeyEvent(EncodeKeyEvent(*row, 0), index, 0);
        Check(again.ok() && again->subject == row->subject && again->role == row->role &&
              again->name == row->name && again->compromised_since == row->compromised_since);
      }
      return;
    case RowType::kArtifact:
      if (auto row = DecodeArtifact(frame, zero); Read(row)) {
        Check(*DecodeArtifact(EncodeArtifact(*row), zero) == *row);
      }
      return;
    case RowType::kStagedArtifact:
      if (auto row = DecodeStaged(frame, zero); Read(row)) {
        Check(*DecodeStaged(EncodeStaged(*row), zero) == *row);
      }
      return;
    default:
      return;  // the index's: index_fuzz.cc
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const auto type = static_cast<RowType>(1 + ((data[0] & 7) + (data[0] >> 7) * 8) % 9);
  const bool seal = (data[0] & 8) != 0;
  const size_t shift = (data[0] >> 4) & 7;
  std::string frame(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (seal) {
    frame.insert(0, kFrameHeaderBytes, '\0');
    SealFrame(type, frame);
  }
  std::vector<uint64_t> room(frame.size() / 8 + 2);
  char* at = reinterpret_cast<char*>(room.data()) + shift;
  std::memcpy(at, frame.data(), frame.size());
  ReadAs(type, {at, frame.size()});
  return 0;
}
