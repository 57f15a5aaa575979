// What fsck says is wrong, one thing at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"

namespace stele::store {

struct Finding {
  // "file", "database", "guard", "key", "head", "checkpoint", "root", "entry", "tile", "content",
  // "artifact", "replay row", "publication row", "subject row", "key event", "index".
  std::string kind;
  std::string name;     // which one: a file, an index, level/number, a digest; may be empty
  std::string problem;  // what is there and what was expected
  std::string remedy;   // what to do

  // All of it in one sentence.
  std::string Text() const;
};

// Hears each finding as it comes.
using FindingSink = std::function<void(const Finding&)>;

// Says each damaged thing once, however often it is met. One thread at a time.
class Findings {
 public:
  explicit Findings(FindingSink sink) : sink_(std::move(sink)) {}

  void Add(std::string_view kind, std::string_view name, std::string problem,
           std::string_view remedy);
  // The damage of a row, as a backend says it: "<row> is damaged: <what>".
  void AddRow(std::string_view kind, const absl::Status& damage, std::string_view remedy);

  uint64_t count() const { return said_.size(); }

 private:
  const FindingSink sink_;
  absl::flat_hash_set<std::pair<std::string, std::string>> said_;  // kind and name
};

// What to do about it.
inline constexpr std::string_view kRefetch =
    "fetch it anew with stele fsck --repair-from a mirror or a server that has it";
inline constexpr std::string_view kRebuild =
    "it follows from the entries: stele fsck --repair-from writes it anew";
inline constexpr std::string_view kReindex =
    "it follows from the log: stele reindex derives it anew, the server being stopped";
inline constexpr std::string_view kRestore =
    "find the newer copy of this store, or rebuild it with stele fsck --repair-from; never delete "
    "the guard";
inline constexpr std::string_view kLogSaysSo =
    "the disk is sound, the log itself is wrong there; every audit reports it and nothing derived "
    "counts it";

}  // namespace stele::store
