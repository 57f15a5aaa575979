// The replay of the entries that a citation shows (rule 34): §4 without `after` and the
// last-operator rule, and without conditions on records of which no publication is shown below.
#pragma once

#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "core/citation/citation.h"
#include "core/replay/replay.h"

namespace stele {

// One thread at a time.
class ShownReplay {
 public:
  // For conditions on the cited record all of its publications are shown, wherever they stand.
  ShownReplay(const std::vector<CitationEntry>& entries, const Digest& record,
              std::string_view origin);
  ShownReplay(const ShownReplay&) = delete;
  ShownReplay& operator=(const ShownReplay&) = delete;

  // OK if none is void. Once.
  absl::Status Judge();

  const std::vector<ReadEntry>& entries() const { return read_; }
  const Replay& replay() const { return replay_; }

 private:
  bool NamesRecord(const Said& said) const;
  absl::Status CheckDetached(size_t at) const;

  const std::vector<CitationEntry>& shown_;
  const Digest record_;
  std::vector<ReadEntry> read_;
  bool record_published_ = false;
  Replay replay_;
};

}  // namespace stele
