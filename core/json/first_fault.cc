#include "core/json/first_fault.h"

#include <simdjson.h>

#include <set>
#include <string>

#include "core/base/refusal.h"
#include "core/json/number_literal.h"
#include "core/json/pointer.h"
#include "core/json/string_literal.h"

namespace stele::json {
namespace {

struct FaultText {
  std::string_view reason;
  std::string_view message;
};

FaultText Describe(Fault fault) {
  switch (fault) {
    case Fault::kNone:
      break;
    case Fault::kByteOrderMark:
      return {reason::kByteOrderMark, "the text begins with a byte-order mark"};
    case Fault::kInvalidUtf8:
      return {reason::kInvalidUtf8, "the text is not UTF-8"};
    case Fault::kSyntax:
      return {reason::kSyntax, "not JSON"};
    case Fault::kTrailingBytes:
      return {reason::kTrailingBytes, "something follows the value"};
    case Fault::kDuplicateName:
      return {reason::kDuplicateName, "a member name stands twice in one object"};
    case Fault::kLoneSurrogate:
      return {reason::kLoneSurrogate, "an escape is half of a surrogate pair"};
    case Fault::kNoncharacter:
      return {reason::kNoncharacter, "a Unicode noncharacter"};
    case Fault::kTooDeep:
      return {reason::kTooDeep, "too many open arrays and objects"};
    case Fault::kIntegerPrecision:
      return {reason::kIntegerPrecision, "an integer that a double cannot hold exactly"};
    case Fault::kNumberOverflow:
      return {reason::kNumberOverflow, "a number beyond the largest double"};
    case Fault::kNumberUnderflow:
      return {reason::kNumberUnderflow, "a number that is not zero would become zero"};
  }
  return {reason::kSyntax, "not JSON"};
}

// Reads left to right and stops at the first fault. Every method returns kNone or that fault, and
// leaves `pointer_` at its place.
class Scanner {
 public:
  Scanner(std::string_view text, int max_depth) : text_(text), max_depth_(max_depth) {}

  absl::Status Scan() {
    const Fault fault = ReadText();
    if (fault == Fault::kNone) return absl::OkStatus();
    FaultText description = Describe(fault);
    return RefuseInput(description.reason, pointer_,
                       std::string(description.message) + ", near byte " + std::to_string(at_));
  }

 private:
  Fault ReadText() {
    if (text_.starts_with("\xEF\xBB\xBF")) return Fault::kByteOrderMark;
    if (!simdjson::validate_utf8(text_.data(), text_.size())) return Fault::kInvalidUtf8;
    if (Fault fault = ReadValue(0); fault != Fault::kNone) return fault;
    SkipSpace();
    return at_ == text_.size() ? Fault::kNone : Fault::kTrailingBytes;
  }

  // `depth` counts the arrays and objects open around the value.
  Fault ReadValue(int depth) {
    SkipSpace();
    if (Take('{')) return depth < max_depth_ ? ReadObject(depth + 1) : Fault::kTooDeep;
    if (Take('[')) return depth < max_depth_ ? ReadArray(depth + 1) : Fault::kTooDeep;
    if (Take('"')) return ReadStringLiteral();
    for (std::string_view word : {"null", "true", "false"}) {
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return Fault::kNone;
    }
    return ReadNumber();
  }

  Fault ReadNumber() {
    const std::string_view rest = text_.substr(at_);
    const NumberLiteral literal = MatchNumber(rest);
    if (literal.length == 0) return Fault::kSyntax;
    double number;
    Fault fault = ConvertNumber(rest.substr(0, literal.length), literal, number);
    if (fault == Fault::kNone) at_ += literal.length;
    return fault;
  }

  // Into `string_`.
  Fault ReadStringLiteral() {
    size_t length = 0;
    Fault fault = ReadString(text_.substr(at_), string_, length);
    at_ += length;
    return fault;
  }

  Fault ReadArray(int depth) {
    if (SkipSpace(), Take(']')) return Fault::kNone;
    const size_t parent = pointer_.size();
    for (size_t index = 0;; ++index) {
      pointer_.append("/").append(std::to_string(index));
      if (Fault fault = ReadValue(depth); fault != Fault::kNone) return fault;
      pointer_.resize(parent);
      SkipSpace();
      if (Take(']')) return Fault::kNone;
      if (!Take(',')) return Fault::kSyntax;
    }
  }

  Fault ReadObject(int depth) {
    if (SkipSpace(), Take('}')) return Fault::kNone;
    const size_t parent = pointer_.size();
    std::set<std::string> names;  // ordered: no input makes it slow
    while (true) {
      SkipSpace();
      if (!Take('"')) return Fault::kSyntax;
      if (Fault fault = ReadStringLiteral(); fault != Fault::kNone) return fault;
      AppendPointer(pointer_, string_);
      if (!names.insert(string_).second) return Fault::kDuplicateName;
      SkipSpace();
      if (!Take(':')) return Fault::kSyntax;
      if (Fault fault = ReadValue(depth); fault != Fault::kNone) return fault;
      pointer_.resize(parent);
      SkipSpace();
      if (Take('}')) return Fault::kNone;
      if (!Take(',')) return Fault::kSyntax;
    }
  }

  void SkipSpace() {
    const size_t next = text_.find_first_not_of(" \t\n\r", at_);
    at_ = next == text_.npos ? text_.size() : next;
  }

  bool Take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  const std::string_view text_;
  const int max_depth_;
  size_t at_ = 0;
  std::string pointer_;
  std::string string_;
};

}  // namespace

absl::Status FirstFault(std::string_view text, int max_depth) {
  return Scanner(text, max_depth).Scan();
}

}  // namespace stele::json
