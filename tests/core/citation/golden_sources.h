// A golden log as the index of a server would know it, and citations made from it.
#pragma once

#include <string>
#include <vector>

#include "core/citation/citation.h"
#include "core/citation/closure.h"
#include "core/replay/replay.h"
#include "tests/core/merkle/leaf_reader.h"
#include "tests/support/golden_log.h"

namespace stele::testing {

// The first `size` entries of a golden log, replayed. One thread at a time.
class GoldenSources {
 public:
  GoldenSources(std::string_view name, size_t size);
  GoldenSources(const GoldenSources&) = delete;
  GoldenSources& operator=(const GoldenSources&) = delete;

  const Replay& replay() const { return replay_; }
  // The entries about the record that are not void.
  std::vector<EntryIndex> About(const Digest& record) const;
  std::vector<EntryIndex> Cited(const Digest& record) const;
  // Identity or manifest bytes; nothing if they are withheld or missing.
  std::optional<std::string> Content(const Digest& digest) const;
  // Under a checkpoint signed by the log's current key. Nothing if the record has no owner or its
  // bytes are not there.
  std::optional<Citation> Cite(const Digest& record) const;

 private:
  bool NotVoid(EntryIndex index) const;
  LoggedEntry Logged(EntryIndex index) const;
  std::vector<LoggedEntry> Of(StatementType type) const;
  void AddWithholding(const Digest& digest, std::vector<LoggedEntry>& out) const;
  std::vector<LoggedEntry> PublicationsByRetractors(const Digest& record) const;
  Citation Bundle(const Digest& record, std::string identity, std::string manifest) const;

  GoldenLog log_;
  std::vector<ReadEntry> read_;
  Replay replay_;
  LeafReader tree_;
};

}  // namespace stele::testing
