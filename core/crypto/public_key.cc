#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/pem.h>

#include <utility>

#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/crypto/ecdsa_signature.h"
#include "core/crypto/ed25519_point.h"
#include "core/crypto/ed25519_quick.h"
#include "core/crypto/key.h"
#include "core/crypto/openssl.h"
#include "core/crypto/sha256.h"
#include "core/crypto/spki.h"

namespace stele {

// `verifier` is set up once and never verifies itself: each call copies it, which costs a tenth of
// a microsecond where setting up anew costs two, and leaves it constant for all threads.
struct PublicKey::State {
  KeyAlgorithm algorithm;
  std::string spki;
  KeyId id;
  openssl::MdCtx verifier;
};

namespace {

absl::Status BadKey(std::string_view message) {
  ERR_clear_error();
  return RefuseInput(reason::kBadKey, "", message);
}

absl::Status BadSignature() {
  ERR_clear_error();
  return RefuseInput(reason::kBadSignature, "", "the signature does not verify");
}

// Null if the point is not on the curve or not reduced.
openssl::Pkey P256Pkey(std::string_view uncompressed) {
  openssl::PkeyCtx ctx(EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr));
  if (ctx == nullptr || EVP_PKEY_fromdata_init(ctx.get()) != 1) return nullptr;
  std::string group(spki::kP256Name);
  std::string point(uncompressed);  // the parameters want mutable memory
  OSSL_PARAM params[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group.data(), group.size()),
      OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size()),
      OSSL_PARAM_construct_end()};
  EVP_PKEY* pkey = nullptr;
  if (EVP_PKEY_fromdata(ctx.get(), &pkey, EVP_PKEY_PUBLIC_KEY, params) != 1) return nullptr;
  return openssl::Pkey(pkey);
}

absl::StatusOr<openssl::MdCtx> NewVerifier(EVP_PKEY* pkey, const EVP_MD* md) {
  openssl::MdCtx ctx(EVP_MD_CTX_new());
  if (ctx == nullptr || EVP_DigestVerifyInit(ctx.get(), nullptr, md, nullptr, pkey) != 1) {
    return openssl::Failed("EVP_DigestVerifyInit");
  }
  return ctx;
}

}  // namespace

std::string_view KeyAlgorithmName(KeyAlgorithm algorithm) {
  return algorithm == KeyAlgorithm::kEd25519 ? "ed25519" : "ecdsa-p256";
}

PublicKey::PublicKey(std::shared_ptr<const State> state) : state_(std::move(state)) {}

absl::StatusOr<PublicKey> PublicKey::FromSpki(std::string_view spki) {
  KeyAlgorithm algorithm = KeyAlgorithm::kEd25519;
  openssl::Pkey pkey;
  if (std::string_view point =
          spki::PointAfter(spki::kEd25519Prefix, spki::kEd25519PointBytes, spki);
      !point.empty()) {
    if (!AllowedEd25519Point(point)) {
      return BadKey("the Ed25519 point is not canonical, not on the curve or of small order");
    }
    pkey.reset(EVP_PKEY_new_raw_public_key_ex(nullptr, "ED25519", nullptr, openssl::Bytes(point),
                                              point.size()));
    if (pkey == nullptr) return openssl::Failed("EVP_PKEY_new_raw_public_key_ex");
  } else if (!spki::PointAfter(spki::kP256Prefix, 2 * spki::kP256CoordinateBytes, spki).empty()) {
    algorithm = KeyAlgorithm::kEcdsaP256;
    pkey = P256Pkey(spki.substr(spki::kP256Prefix.size() - 1));  // from the 0x04 on
    if (pkey == nullptr) return BadKey("the P-256 point is not on the curve");
  } else {
    return BadKey("expected the SPKI of an Ed25519 key or of an uncompressed P-256 key");
  }
  const EVP_MD* md = algorithm == KeyAlgorithm::kEd25519 ? nullptr : openssl::Sha256Md();
  STELE_ASSIGN_OR_RETURN(openssl::MdCtx verifier, NewVerifier(pkey.get(), md));
  return PublicKey(std::make_shared<const State>(
      State{algorithm, std::string(spki), Sha256(spki), std::move(verifier)}));
}

absl::StatusOr<PublicKey> PublicKey::FromEd25519(std::string_view raw) {
  return FromSpki(std::string(spki::kEd25519Prefix).append(raw));
}

absl::StatusOr<PublicKey> PublicKey::FromPem(std::string_view pem) {
  openssl::PemBody body;
  STELE_RETURN_IF_ERROR(openssl::PemBody::Read(pem, "PUBLIC KEY", body));
  return FromSpki(body.bytes());
}

KeyAlgorithm PublicKey::algorithm() const { return state_->algorithm; }
const std::string& PublicKey::spki() const { return state_->spki; }
const KeyId& PublicKey::id() const { return state_->id; }

std::string_view PublicKey::ed25519_raw() const {
  return spki::PointAfter(spki::kEd25519Prefix, spki::kEd25519PointBytes, state_->spki);
}

std::string PublicKey::ToPem() const {
  openssl::Bio bio(BIO_new(BIO_s_mem()));
  PEM_write_bio(bio.get(), "PUBLIC KEY", "", openssl::Bytes(spki()),
                static_cast<long>(spki().size()));
  return openssl::TakeText(bio.get());
}

absl::Status PublicKey::Verify(std::string_view message, std::string_view signature) const {
  std::optional<std::string> der;
  if (algorithm() == KeyAlgorithm::kEd25519) {
    if (AcceptedQuickly(ed25519_raw(), message, signature)) return absl::OkStatus();
  } else {
    der = NormalizeEcdsaSignature(signature);
    if (!der) return BadSignature();
    signature = *der;
  }
  openssl::MdCtx ctx(EVP_MD_CTX_new());
  if (ctx == nullptr || EVP_MD_CTX_copy_ex(ctx.get(), state_->verifier.get()) != 1) {
    return openssl::Failed("EVP_MD_CTX_copy_ex");
  }
  // Ed25519 in OpenSSL 3.0 is the frozen verdict: cofactorless, R compared as bytes, S < L.
  if (EVP_DigestVerify(ctx.get(), openssl::Bytes(signature), signature.size(),
                       openssl::Bytes(message), message.size()) != 1) {
    return BadSignature();
  }
  return absl::OkStatus();
}

}  // namespace stele
