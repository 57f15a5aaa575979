#include "core/crypto/openssl.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/pem.h>

namespace stele::openssl {
namespace {
constexpr size_t kMaxPemBytes = 64 * 1024;
}  // namespace

const EVP_MD* Sha256Md() {
  // Never freed: OpenSSL drops it in its own exit handler.
  static const EVP_MD* const md = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return md;
}

absl::Status Failed(std::string_view what) {
  ERR_clear_error();
  return absl::InternalError(std::string("OpenSSL: ") + std::string(what) + " failed");
}

absl::Status PemBody::Read(std::string_view pem, std::string_view type, PemBody& out) {
  if (pem.size() > kMaxPemBytes) return absl::InvalidArgumentError("too large for a key file");
  Bio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  if (bio == nullptr) return Failed("memory BIO");
  char* name = nullptr;
  char* header = nullptr;
  // PEM_FLAG_SECURE: OpenSSL cleanses what it copied, name and header included.
  const bool read = PEM_read_bio_ex(bio.get(), &name, &header, &out.data_, &out.size_,
                                    PEM_FLAG_SECURE | PEM_FLAG_ONLY_B64) == 1;
  const bool wanted = read && type == name && header[0] == '\0';
  if (read) {
    OPENSSL_secure_free(name);
    OPENSSL_secure_free(header);
  }
  if (wanted) return absl::OkStatus();
  ERR_clear_error();
  return absl::InvalidArgumentError("expected one PEM block of type \"" + std::string(type) +
                                    "\", not encrypted");
}

PemBody::~PemBody() { OPENSSL_secure_clear_free(data_, static_cast<size_t>(size_)); }

std::string TakeText(BIO* bio) {
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio, &text);
  return size > 0 ? std::string(text, static_cast<size_t>(size)) : std::string();
}

}  // namespace stele::openssl
