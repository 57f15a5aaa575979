#include "store/codec/frame.h"

#include <xxhash.h>

#include <cstring>

#include "core/base/concat.h"
#include "core/base/refusal.h"

namespace stele::store {
namespace {

constexpr char kMagic[2] = {'S', 't'};

uint64_t ReadU64(const char* at) {
  uint64_t value = 0;
  for (int i = 7; i >= 0; --i) value = value << 8 | static_cast<uint8_t>(at[i]);
  return value;
}

uint32_t ReadU32(const char* at) {
  uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<uint8_t>(at[i]);
  return value;
}

void WriteLittleEndian(uint64_t value, int bytes, char* at) {
  for (int i = 0; i < bytes; ++i) at[i] = static_cast<char>(value >> (8 * i));
}

uint64_t Checksum(std::string_view frame) {
  std::string_view body = frame.substr(kFrameHeaderBytes);
  return XXH3_64bits_withSeed(body.data(), body.size(), ReadU64(frame.data()));
}

}  // namespace

absl::Status DamagedRow(RowName row, const std::string& what) {
  return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "",
                Concat(row(), " is damaged: ", what));
}

void SealFrame(RowType type, std::string& frame, uint8_t version) {
  std::memcpy(frame.data(), kMagic, sizeof(kMagic));
  frame[2] = static_cast<char>(type);
  frame[3] = static_cast<char>(version);
  WriteLittleEndian(frame.size() - kFrameHeaderBytes, 4, frame.data() + 4);
  WriteLittleEndian(Checksum(frame), 8, frame.data() + 8);
}

absl::StatusOr<std::string_view> OpenFrame(RowType type, std::string_view frame, RowName row) {
  if (frame.size() < kFrameHeaderBytes) return DamagedRow(row, "shorter than a frame's header");
  if (std::memcmp(frame.data(), kMagic, sizeof(kMagic)) != 0) {
    return DamagedRow(row, "does not begin like a frame");
  }
  if (ReadU32(frame.data() + 4) != frame.size() - kFrameHeaderBytes) {
    return DamagedRow(row, "its length is not what its header says");
  }
  if (ReadU64(frame.data() + 8) != Checksum(frame)) {
    return DamagedRow(row, "the checksum of its frame does not match");
  }
  const int version = static_cast<uint8_t>(frame[3]);
  if (version != kFrameVersion) {
    return absl::FailedPreconditionError(Concat(row(), " is of disk format version ", version,
                                                ", this program reads version ", int{kFrameVersion},
                                                ": use the Stele that wrote it, or a newer one"));
  }
  if (static_cast<uint8_t>(frame[2]) != static_cast<uint8_t>(type)) {
    return DamagedRow(row, Concat("row type ", static_cast<uint8_t>(frame[2]),
                                  " stands there instead of ", static_cast<uint8_t>(type)));
  }
  if ((frame.size() - kFrameHeaderBytes) % 8 != 0) {
    return DamagedRow(row, "its body is not whole words");
  }
  return frame.substr(kFrameHeaderBytes);
}

}  // namespace stele::store
