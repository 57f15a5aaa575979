// Owners of OpenSSL's objects, for the files of this folder only: no other includes it.
#pragma once

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/evp.h>

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace stele::openssl {

template <auto Free>
struct Deleter {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};

using Pkey = std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>>;
using PkeyCtx = std::unique_ptr<EVP_PKEY_CTX, Deleter<EVP_PKEY_CTX_free>>;
using MdCtx = std::unique_ptr<EVP_MD_CTX, Deleter<EVP_MD_CTX_free>>;
using Bio = std::unique_ptr<BIO, Deleter<BIO_free>>;
using Bn = std::unique_ptr<BIGNUM, Deleter<BN_clear_free>>;
using BnCtx = std::unique_ptr<BN_CTX, Deleter<BN_CTX_free>>;

inline const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// SHA-256, fetched once for the process: a fetch costs more than hashing a small input.
const EVP_MD* Sha256Md();

// INTERNAL for what does not depend on the input (memory, missing algorithm). Drops OpenSSL's
// queue, so that it never grows nor leaks into another user's error message.
absl::Status Failed(std::string_view what);

// The body of the first PEM block, which must be of this type and not encrypted; INVALID_ARGUMENT
// otherwise, quoting nothing of the input. The bytes are cleansed with their owner.
class PemBody {
 public:
  static absl::Status Read(std::string_view pem, std::string_view type, PemBody& out);
  PemBody() = default;
  PemBody(const PemBody&) = delete;
  PemBody& operator=(const PemBody&) = delete;
  ~PemBody();
  std::string_view bytes() const {
    return {reinterpret_cast<const char*>(data_), static_cast<size_t>(size_)};
  }

 private:
  unsigned char* data_ = nullptr;
  long size_ = 0;
};

// Everything written to a memory BIO.
std::string TakeText(BIO* bio);

}  // namespace stele::openssl
