#include "core/json/parse.h"

#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>

#include "core/base/refusal.h"
#include "core/json/canonical.h"
#include "core/json/first_fault.h"
#include "core/json/number_literal.h"
#include "core/json/string_literal.h"

namespace stele::json {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr size_t kLeastCapacity = 16 * 1024;
constexpr size_t kKeptCapacity = 4 * 1024 * 1024;  // larger workspaces are freed after use
constexpr size_t kFirstReserve = 4;                // elements or members
constexpr std::string_view kSpace = " \t\n\r";

// simdjson's parser and the padded copy that it reads, reused by every parse of one thread.
class Workspace {
 public:
  // The padded copy of `text`; the padding is zero, so that no reader runs past the end.
  bool Load(std::string_view text, ondemand::document& document) {
    if (parser_.capacity() < text.size() || buffer_ == nullptr) {
      const size_t capacity = std::bit_ceil(std::max(text.size(), kLeastCapacity));
      if (parser_.allocate(capacity) != simdjson::SUCCESS) return false;
      buffer_ = std::make_unique_for_overwrite<char[]>(capacity + simdjson::SIMDJSON_PADDING);
    }
    // An empty view may have no address, and memcpy wants one.
    if (!text.empty()) std::memcpy(buffer_.get(), text.data(), text.size());
    std::memset(buffer_.get() + text.size(), 0, simdjson::SIMDJSON_PADDING);
    return parser_.iterate(buffer_.get(), text.size(), text.size() + simdjson::SIMDJSON_PADDING)
               .get(document) == simdjson::SUCCESS;
  }
  bool Oversized() const { return parser_.capacity() > kKeptCapacity; }
  const char* begin() const { return buffer_.get(); }

 private:
  ondemand::parser parser_;
  std::unique_ptr<char[]> buffer_;
};

// Turns a document into a Value. Knows only "good" and "not good": the exact fault is found by
// FirstFault, so that the common case keeps no pointers and asks no questions.
class Reader {
 public:
  Reader(ondemand::document& document, const char* begin, size_t size, int max_depth)
      : document_(document), begin_(begin), size_(size), max_depth_(max_depth) {}

  bool ReadDocument(Value& out) {
    std::string_view token;
    if (document_.raw_json_token().get(token) || token.empty()) return false;
    switch (token.front()) {
      case '{':
      case '[':
        return ReadContainer(document_, token, 0, out) && AtEnd();
      default:
        return token.data() + token.size() == begin_ + size_ && ReadScalar(token, out);
    }
  }

 private:
  // `depth` counts the arrays and objects open around the value.
  bool ReadValue(ondemand::value& value, int depth, Value& out) {
    const std::string_view token = value.raw_json_token();
    switch (token.front()) {
      case '{':
      case '[':
        return ReadContainer(value, token, depth, out);
      case '"': {
        // Consumed at once: a value left for simdjson to skip may pass for a member name.
        ondemand::raw_json_string consumed;
        return !value.get_raw_json_string().get(consumed) && ReadScalar(token, out);
      }
      default:
        return ReadScalar(token, out);
    }
  }

  template <class Source>  // the document or a value
  bool ReadContainer(Source& source, std::string_view token, int depth, Value& out) {
    if (depth >= max_depth_) return false;
    bool good;
    if (token.front() == '{') {
      ondemand::object object;
      good = !source.get_object().get(object) &&
             ReadObject(object, depth + 1, out.data().emplace<Object>().members);
    } else {
      ondemand::array array;
      good = !source.get_array().get(array) &&
             ReadArray(array, depth + 1, out.data().emplace<Array>());
    }
    if (!good) return false;
    out.source_begin = static_cast<uint32_t>(token.data() - begin_);
    out.source_end = static_cast<uint32_t>(End());
    return true;
  }

  bool ReadArray(ondemand::array& array, int depth, Array& out) {
    for (auto element : array) {
      ondemand::value value;
      if (out.empty()) out.reserve(kFirstReserve);
      if (element.get(value) || !ReadValue(value, depth, out.emplace_back())) return false;
    }
    return true;
  }

  bool ReadObject(ondemand::object& object, int depth, std::vector<Member>& out) {
    for (auto result : object) {
      ondemand::field field;
      if (std::move(result).get(field)) return false;
      if (out.empty()) out.reserve(kFirstReserve);
      Member& member = out.emplace_back();
      const char* name = field.key().raw();
      size_t length;
      if (ReadString({name, size_ - static_cast<size_t>(name - begin_)}, member.first, length) !=
              Fault::kNone ||
          !ReadValue(field.value(), depth, member.second)) {
        return false;
      }
    }
    return SortMembers(out);
  }

  // False if a name stands twice.
  static bool SortMembers(std::vector<Member>& members) {
    auto less = [](const Member& a, const Member& b) { return CanonicalLess(a.first, b.first); };
    auto not_less = [&](const Member& a, const Member& b) { return !less(a, b); };
    if (std::adjacent_find(members.begin(), members.end(), not_less) == members.end()) return true;
    std::sort(members.begin(), members.end(), less);
    return std::adjacent_find(members.begin(), members.end(), not_less) == members.end();
  }

  // `token` reaches to the next token, so white space may follow the scalar, and nothing else.
  static bool ReadScalar(std::string_view token, Value& out) {
    token = token.substr(0, token.find_last_not_of(kSpace) + 1);
    if (token.front() == '"') {
      size_t length;
      std::string& string = out.data().emplace<std::string>();
      return ReadString(token.substr(1), string, length) == Fault::kNone &&
             length + 1 == token.size();
    }
    if (token == "null") return true;
    if (token == "true" || token == "false") {
      out.data() = token == "true";
      return true;
    }
    const NumberLiteral literal = MatchNumber(token);
    return literal.length == token.size() &&
           ConvertNumber(token, literal, out.data().emplace<double>()) == Fault::kNone;
  }

  bool AtEnd() { return document_.current_location().error() == simdjson::OUT_OF_BOUNDS; }

  // Offset past the last byte read: the next token, less the white space before it.
  size_t End() {
    const char* next;
    size_t end = size_;
    if (!document_.current_location().get(next)) end = static_cast<size_t>(next - begin_);
    while (kSpace.find(begin_[end - 1]) != kSpace.npos) --end;
    return end;
  }

  ondemand::document& document_;
  const char* const begin_;
  const size_t size_;
  const int max_depth_;
};

}  // namespace

absl::StatusOr<Value> Parse(std::string_view text, const ParseLimits& limits) {
  if (text.size() > limits.max_bytes) {
    return RefuseInput(reason::kTooLarge, "",
                       "the text has " + std::to_string(text.size()) + " bytes, the limit is " +
                           std::to_string(limits.max_bytes));
  }
  thread_local std::unique_ptr<Workspace> workspace;
  if (workspace == nullptr) workspace = std::make_unique<Workspace>();
  absl::StatusOr<Value> result{Value()};
  ondemand::document document;
  const bool good =
      !text.starts_with("\xEF\xBB\xBF") && workspace->Load(text, document) &&
      Reader(document, workspace->begin(), text.size(), limits.max_depth).ReadDocument(*result);
  if (workspace->Oversized()) workspace = nullptr;
  if (good) return result;
  if (absl::Status fault = FirstFault(text, limits.max_depth); !fault.ok()) return fault;
  return absl::InternalError("the two JSON readers disagree, or memory has run out");
}

}  // namespace stele::json
