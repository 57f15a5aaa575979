#include "core/crypto/sha256.h"

#include <cstdlib>

#include "core/crypto/openssl.h"

namespace stele {
namespace {

// Hashing fails only without memory or without the algorithm: there is no digest to go on with.
void Must(int ok) {
  if (ok != 1) std::abort();
}

void Start(EVP_MD_CTX* ctx) { Must(EVP_DigestInit_ex2(ctx, openssl::Sha256Md(), nullptr)); }

Digest End(EVP_MD_CTX* ctx) {
  Digest digest;
  Must(EVP_DigestFinal_ex(ctx, digest.data(), nullptr));
  return digest;
}

// One context a thread: making one for each hash would double the cost of a small input.
EVP_MD_CTX* ThreadContext() {
  thread_local const openssl::MdCtx ctx(EVP_MD_CTX_new());
  return ctx.get();
}

}  // namespace

Digest Sha256(std::string_view bytes) { return Sha256({bytes}); }

Digest Sha256(std::initializer_list<std::string_view> parts) {
  EVP_MD_CTX* ctx = ThreadContext();
  Start(ctx);
  for (std::string_view part : parts) Must(EVP_DigestUpdate(ctx, part.data(), part.size()));
  return End(ctx);
}

struct Sha256Stream::State {
  openssl::MdCtx ctx{EVP_MD_CTX_new()};
};

Sha256Stream::Sha256Stream() : state_(std::make_unique<State>()) { Start(state_->ctx.get()); }
Sha256Stream::~Sha256Stream() = default;
Sha256Stream::Sha256Stream(Sha256Stream&&) noexcept = default;
Sha256Stream& Sha256Stream::operator=(Sha256Stream&&) noexcept = default;

void Sha256Stream::Update(std::string_view bytes) {
  Must(EVP_DigestUpdate(state_->ctx.get(), bytes.data(), bytes.size()));
}

Digest Sha256Stream::Finish() { return End(state_->ctx.get()); }

}  // namespace stele
