// A checked walk over a parsed JSON value: every getter says what must stand there, knows the
// place, and reports the first fault only.
//
//   absl::Status fault;
//   JsonReader root(value, fault);
//   root.Members({"after", "log"}, {"reason"});          // unknown ones first, then missing ones
//   EventIndex after{root.At("after").Integer(-1)};
//   if (!fault.ok()) return fault;                        // e.g. WRONG_TYPE at /after
//
// After a fault, and where a member is absent, getters give an empty value and do nothing, so code
// reads straight through in the order in which faults are to be found, and looks at `fault` before
// it uses what it got. The value and the parent reader must outlive a reader. One thread at a time.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "core/crypto/digest.h"
#include "core/crypto/key.h"
#include "core/json/value.h"

namespace stele {

class JsonReader {
 public:
  using Names = std::initializer_list<std::string_view>;

  JsonReader(const json::Value& value, absl::Status& fault) : value_(&value), fault_(&fault) {}

  bool ok() const { return fault_->ok(); }
  // Records INVALID_ARGUMENT `reason` at this place, unless there is a fault already.
  void Fail(std::string_view reason, std::string_view message) const;

  // Objects. WRONG_TYPE if it is none.
  bool IsObject() const;
  // Exactly these members: UNKNOWN_MEMBER, then MISSING_MEMBER.
  void Members(Names required, Names optional = {}) const;
  // At least these: MISSING_MEMBER.
  void Require(Names required) const;
  bool Has(std::string_view name) const;
  JsonReader At(std::string_view name) const&;
  JsonReader At(std::string_view name) const&& = delete;  // would outlive its parent

  // Arrays. WRONG_TYPE if it is none; the number of items.
  size_t Items() const;
  JsonReader At(size_t index) const&;
  JsonReader At(size_t index) const&& = delete;

  const std::string& String() const;         // any, the empty one too
  std::string Text(size_t max_bytes) const;  // WRONG_VALUE if empty, TOO_LONG
  std::string Body() const;                  // as Text, limits::kBodyCharacters code points
  bool Boolean() const;
  double Number() const;  // any
  // WRONG_TYPE if no integer within ±(2^53−1), WRONG_VALUE if below `least`.
  int64_t Integer(int64_t least) const;
  Digest DigestText() const;                  // sha256:…, WRONG_VALUE
  Digest DigestHex() const;                   // 64 hex digits, WRONG_VALUE
  std::optional<Digest> ReadableHex() const;  // 64 hex digits if that is what stands there
  std::string Base64() const;                 // strict, BAD_BASE64
  std::optional<PublicKey> Key() const;       // base64 of an SPKI, BAD_BASE64 or BAD_KEY

 private:
  JsonReader(const json::Value* value, absl::Status* fault, const JsonReader* parent)
      : value_(value), fault_(fault), parent_(parent) {}
  bool Skip() const { return value_ == nullptr || !fault_->ok(); }
  std::string Pointer() const;

  const json::Value* value_;  // null for an absent member
  absl::Status* fault_;
  const JsonReader* parent_ = nullptr;  // null for the root
  std::string_view name_;               // of a member
  size_t index_ = kNoIndex;             // of an item
  static constexpr size_t kNoIndex = ~size_t{0};
};

}  // namespace stele
