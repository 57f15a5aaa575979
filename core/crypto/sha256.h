// SHA-256, through OpenSSL.
#pragma once

#include <initializer_list>
#include <memory>
#include <string_view>

#include "core/crypto/digest.h"

namespace stele {

Digest Sha256(std::string_view bytes);
// Of the concatenation, without making it.
Digest Sha256(std::initializer_list<std::string_view> parts);

// For what is too large to hold. One thread at a time.
class Sha256Stream {
 public:
  Sha256Stream();
  ~Sha256Stream();
  Sha256Stream(Sha256Stream&&) noexcept;
  Sha256Stream& operator=(Sha256Stream&&) noexcept;
  void Update(std::string_view bytes);
  Digest Finish();  // once; the stream is spent

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace stele
