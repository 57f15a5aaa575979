#include "core/statement/json_reader.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "core/base/base64.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/json/pointer.h"

namespace stele {
namespace {

bool Contains(JsonReader::Names names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Bytes that do not continue a code point; the text is valid UTF-8.
size_t CodePoints(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::string JsonReader::Pointer() const {
  if (parent_ == nullptr) return "";
  const std::string up = parent_->Pointer();
  return index_ == kNoIndex ? json::ChildPointer(up, name_) : json::ChildPointer(up, index_);
}

void JsonReader::Fail(std::string_view reason, std::string_view message) const {
  if (fault_->ok()) *fault_ = RefuseInput(reason, Pointer(), message);
}

bool JsonReader::IsObject() const {
  if (Skip()) return false;
  if (value_->object() != nullptr) return true;
  Fail(reason::kWrongType, "must be an object");
  return false;
}

void JsonReader::Members(Names required, Names optional) const {
  if (!IsObject()) return;
  for (const auto& [name, value] : value_->object()->members) {
    if (Contains(required, name) || Contains(optional, name)) continue;
    return At(name).Fail(reason::kUnknownMember, "this member has no place here");
  }
  Require(required);
}

void JsonReader::Require(Names required) const {
  if (!IsObject()) return;
  for (std::string_view name : required) {
    if (Has(name)) continue;
    return At(name).Fail(reason::kMissingMember, "this member must be there");
  }
}

bool JsonReader::Has(std::string_view name) const {
  return !Skip() && value_->object() != nullptr && value_->object()->Find(name) != nullptr;
}

JsonReader JsonReader::At(std::string_view name) const& {
  const json::Object* object = Skip() ? nullptr : value_->object();
  JsonReader child(object == nullptr ? nullptr : object->Find(name), fault_, this);
  child.name_ = name;
  return child;
}

size_t JsonReader::Items() const {
  if (Skip()) return 0;
  if (const json::Array* array = value_->array()) return array->size();
  Fail(reason::kWrongType, "must be an array");
  return 0;
}

JsonReader JsonReader::At(size_t index) const& {
  const json::Array* array = Skip() ? nullptr : value_->array();
  const bool there = array != nullptr && index < array->size();
  JsonReader child(there ? &(*array)[index] : nullptr, fault_, this);
  child.index_ = index;
  return child;
}

const std::string& JsonReader::String() const {
  static const std::string kEmpty;
  if (Skip()) return kEmpty;
  if (const std::string* text = value_->string()) return *text;
  Fail(reason::kWrongType, "must be a string");
  return kEmpty;
}

std::string JsonReader::Text(size_t max_bytes) const {
  const std::string& text = String();
  if (Skip()) return "";
  if (text.empty()) Fail(reason::kWrongValue, "must not be empty");
  if (text.size() > max_bytes) {
    Fail(reason::kTooLong, absl::StrCat("has ", text.size(), " bytes, at most ", max_bytes));
  }
  return text;
}

std::string JsonReader::Body() const {
  const std::string& text = String();
  if (Skip()) return "";
  if (text.empty()) Fail(reason::kWrongValue, "must not be empty");
  if (CodePoints(text) > limits::kBodyCharacters) {
    Fail(reason::kTooLong, absl::StrCat("at most ", limits::kBodyCharacters, " characters"));
  }
  return text;
}

bool JsonReader::Boolean() const {
  if (Skip()) return false;
  if (const bool* value = value_->boolean()) return *value;
  Fail(reason::kWrongType, "must be true or false");
  return false;
}

double JsonReader::Number() const {
  if (Skip()) return 0;
  if (const double* value = value_->number()) return *value;
  Fail(reason::kWrongType, "must be a number");
  return 0;
}

int64_t JsonReader::Integer(int64_t least) const {
  const double number = Number();
  if (Skip()) return 0;
  if (std::trunc(number) != number || std::abs(number) > static_cast<double>(limits::kMaxInteger)) {
    Fail(reason::kWrongType, "must be an integer within 2^53-1");
    return 0;
  }
  const auto integer = static_cast<int64_t>(number);
  if (integer < least) Fail(reason::kWrongValue, absl::StrCat("must be at least ", least));
  return integer;
}

Digest JsonReader::DigestText() const {
  const auto digest = Digest::FromText(String());
  if (!digest && !Skip()) Fail(reason::kWrongValue, "must be sha256: and 64 lowercase hex digits");
  return digest.value_or(Digest());
}

Digest JsonReader::DigestHex() const {
  const auto digest = Digest::FromHex(String());
  if (!digest && !Skip()) Fail(reason::kWrongValue, "must be 64 lowercase hex digits");
  return digest.value_or(Digest());
}

std::optional<Digest> JsonReader::ReadableHex() const {
  if (Skip() || value_->string() == nullptr) return std::nullopt;
  return Digest::FromHex(*value_->string());
}

std::string JsonReader::Base64() const {
  auto bytes = Base64DecodeStrict(String());
  if (!bytes && !Skip()) Fail(reason::kBadBase64, "must be standard base64 with padding");
  return std::move(bytes).value_or("");
}

std::optional<PublicKey> JsonReader::Key() const {
  const std::string spki = Base64();
  if (Skip()) return std::nullopt;
  absl::StatusOr<PublicKey> key = PublicKey::FromSpki(spki);
  if (key.ok()) return *std::move(key);
  Fail(reason::kBadKey, std::string(key.status().message()));
  return std::nullopt;
}

}  // namespace stele
