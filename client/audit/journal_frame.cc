#include "client/audit/journal_frame.h"

#include <utility>

#include "core/base/limits.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"
#include "core/replay/byte_reader.h"
#include "core/replay/said_codec.h"

namespace stele::client {
namespace {

constexpr size_t kLengthBytes = 4;
constexpr size_t kDigestBytes = 8;
static_assert(kFrameHeaderBytes == kLengthBytes + kDigestBytes);

absl::Status BadFrame() { return absl::DataLossError("a frame that no audit wrote"); }

std::vector<ContentFault> TakeFaults(ByteReader& bytes) {
  std::vector<ContentFault> faults;
  const uint64_t count = bytes.Varint();
  for (uint64_t i = 0; i < count && bytes.ok(); ++i) {
    const Digest digest = bytes.Digest();
    faults.push_back({digest, std::string(bytes.Text())});
  }
  return faults;
}

}  // namespace

void FrameBuilder::Add(const Hash& leaf_hash, const ReadEntry& read,
                       const std::vector<ContentFault>& faults) {
  if (count_++ == 0) first_ = read.said.index.value();
  entries_ += leaf_hash.bytes();
  AppendSaid(read, entries_);
  AppendVarint(faults.size(), entries_);
  for (const ContentFault& fault : faults) {
    entries_ += fault.digest.bytes();
    AppendText(fault.reason, entries_);
  }
}

std::string FrameBuilder::Take() {
  std::string payload;
  AppendVarint(first_, payload);
  AppendVarint(count_, payload);
  payload += entries_;
  std::string frame;
  for (size_t i = 0; i < kLengthBytes; ++i) {
    frame += static_cast<char>(payload.size() >> (8 * i) & 0xff);
  }
  frame += Sha256(payload).bytes().substr(0, kDigestBytes);
  frame += payload;
  count_ = 0;
  entries_.clear();
  return frame;
}

std::optional<size_t> FramePayloadBytes(std::string_view header) {
  size_t size = 0;
  for (size_t i = 0; i < kLengthBytes; ++i) {
    size |= static_cast<size_t>(static_cast<unsigned char>(header[i])) << (8 * i);
  }
  if (size > limits::kAuditFrameBytes) return std::nullopt;
  return size;
}

bool FrameIntact(std::string_view header, std::string_view payload) {
  return Sha256(payload).bytes().substr(0, kDigestBytes) == header.substr(kLengthBytes);
}

absl::StatusOr<std::vector<AuditedEntry>> ParseFrame(std::string_view payload, EntryIndex next,
                                                     std::string_view origin) {
  ByteReader reader(payload);
  const uint64_t first = reader.Varint();
  const uint64_t count = reader.Varint();
  if (!reader.ok() || first != next.value()) return BadFrame();
  std::vector<AuditedEntry> entries;
  for (uint64_t i = 0; i < count; ++i, ++next) {
    AuditedEntry entry;
    entry.leaf_hash = reader.Digest();
    std::string_view rest = reader.rest();
    STELE_ASSIGN_OR_RETURN(entry.said, TakeSaid(next, origin, rest));
    reader = ByteReader(rest);
    entry.content_faults = TakeFaults(reader);
    if (!reader.ok()) return BadFrame();
    entries.push_back(std::move(entry));
  }
  if (!reader.rest().empty()) return BadFrame();
  return entries;
}

}  // namespace stele::client
