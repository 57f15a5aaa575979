// Turns the events of one YAML document into JSON text. Internal to this folder.
//
// Only what JSON can say goes through: tags, merge keys, keys that are no strings, keys given
// twice, aliases to what is still open, more than limits::kYamlAliases aliases, and text that grows
// beyond limits::kManifestFileBytes are refused. The first fault is kept, with its JSON Pointer and
// line; events after it are passed over. Everything else about the result is judged by the JSON
// reader.
#pragma once

#include <yaml-cpp/anchor.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"

namespace stele::tools {

class YamlToJson final : public YAML::EventHandler {
 public:
  // `source` is the whole text that is being read, so that marks can be looked up; it must outlive
  // this object.
  explicit YamlToJson(std::string_view source) : source_(source) {}

  // Did a document begin, and where: byte and line (from 1)?
  bool begun() const { return begun_; }
  size_t begin() const { return begin_; }
  size_t line() const { return line_; }
  absl::StatusOr<std::string> Take();

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override { Close(']'); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override { Close('}'); }

 private:
  struct Level {
    bool map = false;
    YAML::anchor_t anchor = 0;
    size_t begin = 0;  // of its text in out_
    size_t values = 0;
    bool key_given = false;  // in a map: the next value belongs to `key`
    std::string key;
    absl::flat_hash_set<std::string> keys;
  };
  struct Span {
    size_t begin = 0;
    size_t end = 0;
  };

  void Fail(const YAML::Mark& mark, std::string_view reason, std::string_view message);
  std::string Pointer() const;
  bool expects_key() const {
    return !levels_.empty() && levels_.back().map && !levels_.back().key_given;
  }
  bool IsTagged(const YAML::Mark& mark, const std::string& tag) const;
  void Key(const YAML::Mark& mark, bool plain, const std::string& value);
  void Open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, bool map);
  void Close(char bracket);
  void Value(const YAML::Mark& mark, YAML::anchor_t anchor, std::string_view token);
  void Separate();
  void ValueDone() {
    if (!levels_.empty()) levels_.back().key_given = false;
  }

  const std::string_view source_;
  bool begun_ = false;
  size_t begin_ = 0;
  size_t line_ = 1;
  std::string out_;
  std::vector<Level> levels_;
  absl::flat_hash_map<YAML::anchor_t, Span> anchors_;
  size_t aliases_ = 0;
  absl::Status fault_;
};

}  // namespace stele::tools
