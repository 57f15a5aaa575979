// Cap'n Proto messages in frames, for the files of this folder only: no other includes it.
#pragma once

#include <capnp/message.h>
#include <capnp/serialize.h>
#include <kj/exception.h>
#include <kj/io.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/crypto/digest.h"
#include "store/codec/frame.h"

namespace stele::store {

// A frame whose message `fill` writes. `payload_bytes` is what its variable parts need, so that the
// message is one segment and its body one copy.
template <class Root, class Fill>
std::string WriteFrame(RowType type, size_t payload_bytes, Fill fill) {
  constexpr size_t kFixedWords = 32;  // root, pointers, rounding
  capnp::MallocMessageBuilder message(static_cast<unsigned>(payload_bytes / 8 + kFixedWords));
  fill(message.initRoot<Root>());
  std::string frame(kFrameHeaderBytes + capnp::computeSerializedSizeInWords(message) * 8, '\0');
  kj::ArrayOutputStream out(
      kj::arrayPtr(reinterpret_cast<kj::byte*>(frame.data()) + kFrameHeaderBytes,
                   frame.size() - kFrameHeaderBytes));
  capnp::writeMessage(out, message);
  SealFrame(type, frame);
  return frame;
}

// The words of a body: in place when they are aligned, else copied once into `copy`. Cap'n Proto
// 0.9 throws on unaligned input, and most values that a database hands out are unaligned.
inline kj::ArrayPtr<const capnp::word> AlignedWords(std::string_view body,
                                                    std::unique_ptr<uint64_t[]>& copy) {
  const size_t words = body.size() / sizeof(capnp::word);
  if (reinterpret_cast<uintptr_t>(body.data()) % alignof(uint64_t) == 0) {
    return kj::arrayPtr(reinterpret_cast<const capnp::word*>(body.data()), words);
  }
  copy.reset(new uint64_t[words]);
  std::memcpy(copy.get(), body.data(), body.size());
  return kj::arrayPtr(reinterpret_cast<const capnp::word*>(copy.get()), words);
}

// Opens a frame and gives its message to `read`, which returns Value, or nothing if some field is
// not what it may be or the row is another one. Whatever Cap'n Proto throws ends here.
template <class Root, class Value, class Read>
absl::StatusOr<Value> ReadFrame(RowType type, std::string_view frame, RowName row, Read read) {
  STELE_ASSIGN_OR_RETURN(std::string_view body, OpenFrame(type, frame, row));
  try {
    std::unique_ptr<uint64_t[]> copy;
    const auto words = AlignedWords(body, copy);
    capnp::ReaderOptions options;
    options.traversalLimitInWords = 4 * words.size() + 64;
    options.nestingLimit = 4;
    capnp::FlatArrayMessageReader message(words, options);
    if (message.getEnd() != words.end()) return DamagedRow(row, "bytes follow its message");
    std::optional<Value> value = read(message.getRoot<Root>());
    if (!value) return DamagedRow(row, "its fields are not those of the row with this key");
    return *std::move(value);
  } catch (const kj::Exception& e) {
    return DamagedRow(row, e.getDescription().cStr());
  }
}

inline capnp::Data::Reader ToData(std::string_view bytes) {
  return {reinterpret_cast<const kj::byte*>(bytes.data()), bytes.size()};
}
inline capnp::Data::Reader ToData(const Digest& digest) { return ToData(digest.bytes()); }
inline capnp::Text::Reader ToText(const std::string& text) { return {text.c_str(), text.size()}; }

inline std::string_view View(capnp::Data::Reader data) {
  return {reinterpret_cast<const char*>(data.begin()), data.size()};
}
inline std::string ToString(capnp::Text::Reader text) { return {text.begin(), text.size()}; }

// False if `data` has not 32 bytes.
inline bool ReadDigest(capnp::Data::Reader data, Digest& out) {
  std::optional<Digest> digest = Digest::FromBytes(View(data));
  if (digest) out = *digest;
  return digest.has_value();
}

}  // namespace stele::store
