#include "core/statement/dsse.h"

#include <gtest/gtest.h>

#include "core/base/base64.h"
#include "core/base/hex.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/crypto/key.h"
#include "core/json/parse.h"
#include "tests/support/vector_file.h"

namespace stele {
namespace {

using testing::Base64Member;
using testing::Text;
using testing::VectorFile;
using testing::VectorsDir;

TEST(Dsse, GoldenPae) {
  const VectorFile file(VectorsDir() / "statements.json");
  size_t cases = 0;
  for (simdjson::dom::element c : simdjson::dom::array(file.root()["pae"])) {
    EXPECT_EQ(Pae(Base64Member(c, "payload")), Base64Member(c, "pae"));
    ++cases;
  }
  EXPECT_EQ(cases, 4u);
}

TEST(Dsse, GoldenEnvelopes) {
  const VectorFile file(VectorsDir() / "statements.json");
  size_t cases = 0, accepted = 0;
  for (simdjson::dom::element c : simdjson::dom::array(file.root()["envelopes"])) {
    SCOPED_TRACE(Text(c, "name"));
    ++cases;
    const auto envelope = ParseEnvelope(simdjson::minify(simdjson::dom::element(c["envelope"])));
    ASSERT_EQ(envelope.ok(), bool(c["accept"])) << envelope.status();
    if (!envelope.ok()) {
      EXPECT_EQ(ReasonOf(envelope.status()), Text(c, "reason"));
      EXPECT_EQ(PointerOf(envelope.status()), Text(c, "pointer"));
      EXPECT_EQ(envelope.status().code(), absl::StatusCode::kInvalidArgument);
      continue;
    }
    ++accepted;
    EXPECT_EQ(envelope->payload, Base64Member(c, "payload"));
    EXPECT_EQ(envelope->signature, Base64Member(c, "signature"));
    std::string_view keyid;
    if (c["envelope"]["signatures"].at(0)["keyid"].get(keyid) == simdjson::SUCCESS) {
      EXPECT_EQ(envelope->keyid, keyid);
    } else {
      EXPECT_FALSE(envelope->keyid.has_value());
    }
  }
  EXPECT_EQ(cases, 31u);
  EXPECT_EQ(accepted, 9u);
}

TEST(Dsse, KeyIdThatIsNoStringIsNoHint) {
  const auto envelope =
      ParseEnvelope(R"({"payloadType":"application/vnd.in-toto+json","payload":"AA","signatures":[)"
                    R"({"keyid":7,"sig":"AA=="}]})");
  ASSERT_TRUE(envelope.ok()) << envelope.status();
  EXPECT_FALSE(envelope->keyid.has_value());
}

TEST(Dsse, SizeLimits) {
  const std::string encoded((limits::kPayloadBytes + 3) / 3 * 4, 'A');
  const std::string big = R"({"payload":")" + encoded +
                          R"(","payloadType":"application/vnd.in-toto+json","signatures":[)" +
                          R"({"sig":"AA=="}]})";
  ASSERT_LE(big.size(), limits::kEnvelopeBytes);
  EXPECT_EQ(ReasonOf(ParseEnvelope(big).status()), reason::kTooLarge);
  EXPECT_EQ(PointerOf(ParseEnvelope(big).status()), "/payload");
  const std::string padded = big + std::string(limits::kEnvelopeBytes, ' ');
  EXPECT_EQ(ReasonOf(ParseEnvelope(padded).status()), reason::kTooLarge);
  EXPECT_EQ(PointerOf(ParseEnvelope(padded).status()), "");
}

// What FormatEnvelope writes is read back, strictly and as input.
TEST(Dsse, RoundTrip) {
  KeyId key;
  key.data()[0] = 0xAB;
  for (size_t size = 0; size < 70; ++size) {
    const std::string payload(size, '\xFB'), signature(70 - size, '\xFF');
    const std::string text = FormatEnvelope(payload, key, signature);
    const auto value = json::Parse(text);
    ASSERT_TRUE(value.ok()) << value.status();
    const auto stored = StoredEnvelopeFromValue(*value);
    ASSERT_TRUE(stored.ok()) << stored.status();
    EXPECT_EQ(stored->key, key);
    EXPECT_EQ(stored->payload, payload);
    EXPECT_EQ(stored->signature, signature);
    const auto input = ParseEnvelope(text);
    ASSERT_TRUE(input.ok()) << input.status();
    EXPECT_EQ(input->payload, payload);
    EXPECT_EQ(input->keyid, key.ToText());
  }
}

// The test vector that DSSE's own protocol text publishes. Its payload is no statement: the
// envelope is refused for its type, and its parts are checked one by one.
TEST(Dsse, PublishedVector) {
  const std::string pae = Pae("http://example.com/HelloWorld", "hello world");
  EXPECT_EQ(pae, "DSSEv1 29 http://example.com/HelloWorld 11 hello world");
  const auto key = PublicKey::FromSpki(
      *HexDecode("3059301306072a8648ce3d020106082a8648ce3d0301070342000467cd390f77"
                 "aa359cb08c2235f652270493a9ed832b0abcc01f70954c0390d2380c782bd54e"
                 "269125a44f4433aff1432ce94e12bca73aa67ac80cea12608ddf74"));
  ASSERT_TRUE(key.ok()) << key.status();
  const std::string signature =
      "A3JqsQGtVsJ2O2xqrI5IcnXip5GToJ3F+FnZ+O88SjtR6rDAajabZKciJTfUiHqJPcIAriEGAHTVeCUjW2JIZA==";
  EXPECT_TRUE(key->Verify(pae, *Base64DecodeInput(signature)).ok());
  EXPECT_FALSE(key->Verify(pae + " ", *Base64DecodeInput(signature)).ok());
  const auto envelope = ParseEnvelope(
      R"({"payload": "aGVsbG8gd29ybGQ=",
 "payloadType": "http://example.com/HelloWorld",
 "signatures": [{"sig": ")" +
      signature + R"("}]})");
  EXPECT_EQ(ReasonOf(envelope.status()), reason::kPayloadType);
}

}  // namespace
}  // namespace stele
