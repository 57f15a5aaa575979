#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <utility>

#include "core/base/status_macros.h"
#include "core/crypto/key.h"
#include "core/crypto/openssl.h"
#include "core/crypto/spki.h"

namespace stele {

// OpenSSL cleanses the private part when the last reference goes; nothing else holds a copy.
// `signer` is set up once and copied for each signature, as in PublicKey.
struct PrivateKey::State {
  PublicKey public_key;
  openssl::Pkey pkey;
  openssl::MdCtx signer;

  static absl::StatusOr<std::shared_ptr<const State>> Make(EVP_PKEY* owned);
};

namespace {

using Pkcs8 = std::unique_ptr<PKCS8_PRIV_KEY_INFO, openssl::Deleter<PKCS8_PRIV_KEY_INFO_free>>;

constexpr int kMaxSignatureBytes = 80;

absl::Status NotUsable(std::string_view message) {
  ERR_clear_error();
  return absl::InvalidArgumentError(std::string(message));
}

bool AppendCoordinate(EVP_PKEY* pkey, const char* name, std::string& out) {
  BIGNUM* number = nullptr;
  if (EVP_PKEY_get_bn_param(pkey, name, &number) != 1) return false;
  openssl::Bn owner(number);
  unsigned char bytes[spki::kP256CoordinateBytes];
  if (BN_bn2binpad(number, bytes, sizeof bytes) != sizeof bytes) return false;
  out.append(reinterpret_cast<const char*>(bytes), sizeof bytes);
  return true;
}

absl::StatusOr<PublicKey> Ed25519Public(EVP_PKEY* pkey) {
  unsigned char raw[spki::kEd25519PointBytes];
  size_t size = sizeof raw;
  if (EVP_PKEY_get_raw_public_key(pkey, raw, &size) != 1) {
    return openssl::Failed("EVP_PKEY_get_raw_public_key");
  }
  return PublicKey::FromEd25519({reinterpret_cast<const char*>(raw), size});
}

absl::StatusOr<PublicKey> P256Public(EVP_PKEY* pkey) {
  char group[32] = {};
  if (EVP_PKEY_get_group_name(pkey, group, sizeof group, nullptr) != 1 ||
      std::string_view(group) != spki::kP256Name) {
    return NotUsable("the private key is on another curve than P-256");
  }
  openssl::PkeyCtx ctx(EVP_PKEY_CTX_new_from_pkey(nullptr, pkey, nullptr));
  if (ctx == nullptr || EVP_PKEY_pairwise_check(ctx.get()) != 1) {
    return NotUsable("the private key does not belong to the public key beside it");
  }
  std::string spki(spki::kP256Prefix);
  if (!AppendCoordinate(pkey, OSSL_PKEY_PARAM_EC_PUB_X, spki) ||
      !AppendCoordinate(pkey, OSSL_PKEY_PARAM_EC_PUB_Y, spki)) {
    return openssl::Failed("reading the public point");
  }
  return PublicKey::FromSpki(spki);
}

absl::StatusOr<PublicKey> PublicOf(EVP_PKEY* pkey) {
  if (EVP_PKEY_is_a(pkey, "ED25519") == 1) return Ed25519Public(pkey);
  if (EVP_PKEY_is_a(pkey, "EC") == 1) return P256Public(pkey);
  return NotUsable("the private key is neither Ed25519 nor ECDSA P-256");
}

absl::StatusOr<openssl::MdCtx> NewSigner(EVP_PKEY* pkey, KeyAlgorithm algorithm) {
  const EVP_MD* md = algorithm == KeyAlgorithm::kEd25519 ? nullptr : openssl::Sha256Md();
  openssl::MdCtx ctx(EVP_MD_CTX_new());
  if (ctx == nullptr || EVP_DigestSignInit(ctx.get(), nullptr, md, nullptr, pkey) != 1) {
    return openssl::Failed("EVP_DigestSignInit");
  }
  return ctx;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const PrivateKey::State>> PrivateKey::State::Make(EVP_PKEY* owned) {
  openssl::Pkey pkey(owned);
  STELE_ASSIGN_OR_RETURN(PublicKey public_key, PublicOf(pkey.get()));
  STELE_ASSIGN_OR_RETURN(openssl::MdCtx signer, NewSigner(pkey.get(), public_key.algorithm()));
  return std::make_shared<const State>(
      State{std::move(public_key), std::move(pkey), std::move(signer)});
}

PrivateKey::PrivateKey(std::shared_ptr<const State> state) : state_(std::move(state)) {}

absl::StatusOr<PrivateKey> PrivateKey::Generate(KeyAlgorithm algorithm) {
  EVP_PKEY* pkey = algorithm == KeyAlgorithm::kEd25519
                       ? EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519")
                       : EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", spki::kP256Name);
  if (pkey == nullptr) return openssl::Failed("EVP_PKEY_Q_keygen");
  STELE_ASSIGN_OR_RETURN(std::shared_ptr<const State> state, State::Make(pkey));
  return PrivateKey(std::move(state));
}

absl::StatusOr<PrivateKey> PrivateKey::FromPem(std::string_view pem) {
  openssl::PemBody body;
  STELE_RETURN_IF_ERROR(openssl::PemBody::Read(pem, "PRIVATE KEY", body));
  const unsigned char* at = openssl::Bytes(body.bytes());
  const unsigned char* const end = at + body.bytes().size();
  Pkcs8 pkcs8(d2i_PKCS8_PRIV_KEY_INFO(nullptr, &at, static_cast<long>(body.bytes().size())));
  if (pkcs8 == nullptr || at != end) return NotUsable("the PEM block holds no PKCS#8 key");
  EVP_PKEY* pkey = EVP_PKCS82PKEY(pkcs8.get());
  if (pkey == nullptr) return NotUsable("the PEM block holds no private key that can be used");
  STELE_ASSIGN_OR_RETURN(std::shared_ptr<const State> state, State::Make(pkey));
  return PrivateKey(std::move(state));
}

absl::StatusOr<PrivateKey> PrivateKey::FromEd25519Seed(std::string_view seed) {
  EVP_PKEY* pkey = EVP_PKEY_new_raw_private_key_ex(nullptr, "ED25519", nullptr,
                                                   openssl::Bytes(seed), seed.size());
  if (pkey == nullptr) return NotUsable("an Ed25519 seed has 32 bytes");
  STELE_ASSIGN_OR_RETURN(std::shared_ptr<const State> state, State::Make(pkey));
  return PrivateKey(std::move(state));
}

std::string PrivateKey::ToPem() const {
  openssl::Bio bio(BIO_new(BIO_s_secmem()));  // cleansed when freed
  PEM_write_bio_PKCS8PrivateKey(bio.get(), state_->pkey.get(), nullptr, nullptr, 0, nullptr,
                                nullptr);
  return openssl::TakeText(bio.get());
}

const PublicKey& PrivateKey::public_key() const { return state_->public_key; }

absl::StatusOr<std::string> PrivateKey::Sign(std::string_view message) const {
  openssl::MdCtx ctx(EVP_MD_CTX_new());
  std::string signature(kMaxSignatureBytes, '\0');
  size_t size = signature.size();
  if (ctx == nullptr || EVP_MD_CTX_copy_ex(ctx.get(), state_->signer.get()) != 1 ||
      EVP_DigestSign(ctx.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                     openssl::Bytes(message), message.size()) != 1) {
    return openssl::Failed("signing");
  }
  signature.resize(size);
  return signature;
}

}  // namespace stele
