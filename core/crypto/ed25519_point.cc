#include "core/crypto/ed25519_point.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/crypto/openssl.h"

namespace stele {
namespace {

constexpr size_t kPointBytes = 32;

// p = 2^255 − 19 and the y of the eight points of small order, as BN_hex2bn reads them. A point of
// small order has one of these y whatever its sign bit.
constexpr char kPrime[] = "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed";
constexpr std::array kSmallOrder = {
    "0000000000000000000000000000000000000000000000000000000000000000",  // order 4
    "0000000000000000000000000000000000000000000000000000000000000001",  // order 1
    "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec",  // order 2
    "05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826",  // order 8
    "7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7",  // order 8
};

openssl::Bn FromHex(const char* hex) {
  BIGNUM* number = nullptr;
  if (BN_hex2bn(&number, hex) == 0) return nullptr;
  return openssl::Bn(number);
}

// Is there an x with −x² + y² = 1 + d·x²·y²? With d = −121665/121666 that is x² = u/v for
// u = 121666·(y² − 1) and v = 121666 − 121665·y²; v is never 0, so it is whether u·v is a square.
bool OnCurve(const BIGNUM* y, const BIGNUM* p) {
  openssl::BnCtx ctx(BN_CTX_new());
  openssl::Bn yy(BN_new()), u(BN_new()), v(BN_new());
  if (ctx == nullptr || yy == nullptr || u == nullptr || v == nullptr) return false;
  const bool computed =
      BN_mod_sqr(yy.get(), y, p, ctx.get()) == 1 && BN_copy(u.get(), yy.get()) != nullptr &&
      BN_sub_word(u.get(), 1) == 1 && BN_mul_word(u.get(), 121666) == 1 &&
      BN_copy(v.get(), yy.get()) != nullptr && BN_mul_word(v.get(), 121665) == 1 &&
      BN_sub_word(v.get(), 121666) == 1 && BN_mod_mul(u.get(), u.get(), v.get(), p, ctx.get()) == 1;
  if (!computed) return false;
  // v above is the negative; −1 is a square modulo p, so that changes nothing. Results are −1, 0, 1
  // or −2 on failure.
  return BN_kronecker(u.get(), p, ctx.get()) >= 0;
}

}  // namespace

bool AllowedEd25519Point(std::string_view raw) {
  if (raw.size() != kPointBytes) return false;
  std::string big_endian(raw.rbegin(), raw.rend());
  big_endian[0] = static_cast<char>(big_endian[0] & 0x7f);  // without the sign of x
  openssl::Bn y(BN_bin2bn(openssl::Bytes(big_endian), kPointBytes, nullptr));
  openssl::Bn p = FromHex(kPrime);
  if (y == nullptr || p == nullptr || BN_cmp(y.get(), p.get()) >= 0) return false;
  for (const char* hex : kSmallOrder) {
    openssl::Bn bad = FromHex(hex);
    if (bad == nullptr || BN_cmp(y.get(), bad.get()) == 0) return false;
  }
  return OnCurve(y.get(), p.get());
}

}  // namespace stele
