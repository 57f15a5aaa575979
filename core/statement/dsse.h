// DSSE v1 envelopes with exactly one signature (formats §4, §5).
//
// What is signed is PAE(payloadType, payload); the payload's bytes are kept as they came. The
// envelope's own JSON is rewritten in one form: standard base64, the verified key's id, no extra
// members.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/crypto/digest.h"
#include "core/json/value.h"

namespace stele {

inline constexpr std::string_view kPayloadType = "application/vnd.in-toto+json";

// An envelope as it comes in: decoded, unverified.
struct Envelope {
  std::string payload;
  std::string signature;
  std::optional<std::string> keyid;  // as written, a hint only; absent if not a string
};

// PAE(payload_type, payload): what is signed.
std::string Pae(std::string_view payload_type, std::string_view payload);
// The same of kPayloadType.
std::string Pae(std::string_view payload);

// Reads DSSE input JSON: both base64 alphabets, padding optional, extra members dropped. Refusals:
// the JSON words, PAYLOAD_TYPE, MULTIPLE_SIGNATURES, BAD_BASE64, WRONG_TYPE, MISSING_MEMBER,
// WRONG_VALUE; TOO_LARGE if the text is over limits::kEnvelopeBytes or the payload over
// limits::kPayloadBytes.
absl::StatusOr<Envelope> ParseEnvelope(std::string_view text);

// The one form: {"payload":…,"payloadType":…,"signatures":[{"keyid":…,"sig":…}]}.
std::string FormatEnvelope(std::string_view payload, const KeyId& key, std::string_view signature);

// Reads an `envelope` object strictly as it stands in a leaf or in detached content: no extra
// members, the key id there; base64 that input would accept and is not standard is NOT_CANONICAL at
// the empty pointer. Pointers are relative to the envelope.
struct StoredEnvelope {
  KeyId key;
  std::string payload;
  std::string signature;
};
absl::StatusOr<StoredEnvelope> StoredEnvelopeFromValue(const json::Value& value);

}  // namespace stele
