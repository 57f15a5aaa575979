#include <benchmark/benchmark.h>
#include <openssl/evp.h>

#include <memory>
#include <string>

#include "core/crypto/key.h"
#include "core/crypto/sha256.h"

namespace stele {
namespace {

constexpr size_t kMessageBytes = 700;  // about a publication of one record

PrivateKey KeyOf(KeyAlgorithm algorithm) { return *PrivateKey::Generate(algorithm); }

void Verify(benchmark::State& state, KeyAlgorithm algorithm) {
  const PrivateKey key = KeyOf(algorithm);
  const std::string message(kMessageBytes, 'm');
  const std::string signature = *key.Sign(message);
  for (auto _ : state) {
    if (!key.public_key().Verify(message, signature).ok()) state.SkipWithError("not verified");
  }
}
BENCHMARK_CAPTURE(Verify, ed25519, KeyAlgorithm::kEd25519);
BENCHMARK_CAPTURE(Verify, ecdsa_p256, KeyAlgorithm::kEcdsaP256);

// What Verify is held against: one context set up once, nothing of ours around it.
void VerifyRawEd25519(benchmark::State& state) {
  const PrivateKey key = KeyOf(KeyAlgorithm::kEd25519);
  const std::string message(kMessageBytes, 'm');
  const std::string signature = *key.Sign(message);
  const auto bytes = [](std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
  };
  const std::string_view raw = key.public_key().ed25519_raw();
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> pkey(
      EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes(raw), raw.size()),
      EVP_PKEY_free);
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> ctx(EVP_MD_CTX_new(),
                                                                    EVP_MD_CTX_free);
  EVP_DigestVerifyInit(ctx.get(), nullptr, nullptr, nullptr, pkey.get());
  for (auto _ : state) {
    if (EVP_DigestVerify(ctx.get(), bytes(signature), signature.size(), bytes(message),
                         message.size()) != 1) {
      state.SkipWithError("not verified");
    }
  }
}
BENCHMARK(VerifyRawEd25519);

void Sign(benchmark::State& state, KeyAlgorithm algorithm) {
  const PrivateKey key = KeyOf(algorithm);
  const std::string message(kMessageBytes, 'm');
  for (auto _ : state) benchmark::DoNotOptimize(key.Sign(message));
}
BENCHMARK_CAPTURE(Sign, ed25519, KeyAlgorithm::kEd25519);
BENCHMARK_CAPTURE(Sign, ecdsa_p256, KeyAlgorithm::kEcdsaP256);

void PublicKeyFromSpki(benchmark::State& state, KeyAlgorithm algorithm) {
  const std::string spki = KeyOf(algorithm).public_key().spki();
  for (auto _ : state) benchmark::DoNotOptimize(PublicKey::FromSpki(spki));
}
BENCHMARK_CAPTURE(PublicKeyFromSpki, ed25519, KeyAlgorithm::kEd25519);
BENCHMARK_CAPTURE(PublicKeyFromSpki, ecdsa_p256, KeyAlgorithm::kEcdsaP256);

void Sha256OneShot(benchmark::State& state) {
  const std::string bytes(static_cast<size_t>(state.range(0)), 'b');
  for (auto _ : state) benchmark::DoNotOptimize(Sha256(bytes));
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(Sha256OneShot)->Arg(32)->Arg(1024)->Arg(1 << 20);

}  // namespace
}  // namespace stele
