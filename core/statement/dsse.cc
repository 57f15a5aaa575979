#include "core/statement/dsse.h"

#include <utility>

#include "core/base/base64.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/json/parse.h"
#include "core/statement/concat.h"
#include "core/statement/json_reader.h"

namespace stele {
namespace {

void CheckPayloadType(const JsonReader& type) {
  if (type.String() != kPayloadType) type.Fail(reason::kPayloadType, kPayloadType);
}

void CheckOneSignature(const JsonReader& signatures) {
  const size_t count = signatures.Items();
  if (count == 0) signatures.Fail(reason::kWrongValue, "one signature is needed");
  if (count > 1) {
    signatures.Fail(reason::kMultipleSignatures,
                    "exactly one signature: split into one envelope for each");
  }
}

std::string InputBase64(const JsonReader& text) {
  auto bytes = Base64DecodeInput(text.String());
  if (!bytes) text.Fail(reason::kBadBase64, "must be base64 of either alphabet");
  return std::move(bytes).value_or("");
}

// `whole` is the envelope: the place of base64 that is readable and not standard.
std::string StoredBase64(const JsonReader& text, const JsonReader& whole) {
  const std::string& encoded = text.String();
  if (auto bytes = Base64DecodeStrict(encoded)) return *std::move(bytes);
  if (Base64DecodeInput(encoded)) {
    whole.Fail(reason::kNotCanonical, "base64 in another than the standard form");
  }
  text.Fail(reason::kBadBase64, "must be standard base64 with padding");
  return "";
}

}  // namespace

static_assert(kPayloadType.size() == 28);

std::string Pae(std::string_view payload_type, std::string_view payload) {
  return Concat({"DSSEv1 ", std::to_string(payload_type.size()), " ", payload_type, " ",
                 std::to_string(payload.size()), " ", payload});
}

std::string Pae(std::string_view payload) { return Pae(kPayloadType, payload); }

absl::StatusOr<Envelope> ParseEnvelope(std::string_view text) {
  STELE_ASSIGN_OR_RETURN(const json::Value value,
                         json::Parse(text, {.max_bytes = limits::kEnvelopeBytes}));
  absl::Status fault;
  const JsonReader root(value, fault);
  root.Require({"payload", "payloadType", "signatures"});
  CheckPayloadType(root.At("payloadType"));
  Envelope envelope;
  envelope.payload = InputBase64(root.At("payload"));
  if (envelope.payload.size() > limits::kPayloadBytes) {
    root.At("payload").Fail(reason::kTooLarge, "the payload is over 3 MiB");
  }
  const JsonReader signatures = root.At("signatures");
  CheckOneSignature(signatures);
  const JsonReader signature = signatures.At(0);
  signature.Require({"sig"});
  envelope.signature = InputBase64(signature.At("sig"));
  if (!fault.ok()) return fault;
  const json::Value* keyid =
      value.object()->Find("signatures")->array()->front().object()->Find("keyid");
  if (keyid != nullptr && keyid->string() != nullptr) envelope.keyid = *keyid->string();
  return envelope;
}

std::string FormatEnvelope(std::string_view payload, const KeyId& key, std::string_view signature) {
  static constexpr std::string_view kBegin = R"({"payload":")";
  static constexpr std::string_view kMiddle =
      R"(","payloadType":"application/vnd.in-toto+json","signatures":[{"keyid":"sha256:)";
  static constexpr std::string_view kSig = R"(","sig":")";
  static constexpr std::string_view kEnd = R"("}]})";
  const auto encoded_size = [](std::string_view bytes) { return (bytes.size() + 2) / 3 * 4; };
  std::string out;
  out.reserve(kBegin.size() + encoded_size(payload) + kMiddle.size() + 2 * KeyId::kBytes +
              kSig.size() + encoded_size(signature) + kEnd.size());
  out += kBegin;
  Base64Append(payload, out);
  out += kMiddle;
  out += key.ToHex();
  out += kSig;
  Base64Append(signature, out);
  out += kEnd;
  return out;
}

absl::StatusOr<StoredEnvelope> StoredEnvelopeFromValue(const json::Value& value) {
  absl::Status fault;
  const JsonReader root(value, fault);
  root.Members({"payload", "payloadType", "signatures"});
  StoredEnvelope envelope;
  envelope.payload = StoredBase64(root.At("payload"), root);
  CheckPayloadType(root.At("payloadType"));
  const JsonReader signatures = root.At("signatures");
  CheckOneSignature(signatures);
  const JsonReader signature = signatures.At(0);
  signature.Members({"keyid", "sig"});
  envelope.key = signature.At("keyid").DigestText();
  envelope.signature = StoredBase64(signature.At("sig"), root);
  if (!fault.ok()) return fault;
  return envelope;
}

}  // namespace stele
