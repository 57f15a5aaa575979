// What an audit has taken in so far, entry by entry: the tree, the replay, the faults of content.
//
// Memory as core/replay/replay.h says. One thread at a time.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "client/audit/journal_frame.h"
#include "core/replay/replay.h"
#include "core/tlog/tree_edge.h"

namespace stele::client {

struct AuditFault {
  EntryIndex index;
  std::string reason;
  std::optional<Digest> content;  // the content that is missing or wrong, if it is about content
};

class AuditedLog {
 public:
  // Remembers the root at each of these sizes when it comes by.
  explicit AuditedLog(const std::vector<TreeSize>& watched);

  void Add(const AuditedEntry& entry);

  TreeSize size() const { return edge_.size(); }
  const Replay& replay() const { return replay_; }
  TreeEdge& edge() { return edge_; }
  const TreeEdge& edge() const { return edge_; }
  // Nothing if the size was not watched or has not come by.
  std::optional<Hash> RootAt(TreeSize size) const;
  std::optional<Hash> genesis() const { return genesis_; }  // leaf hash of entry 0

  // Everything that is wrong, by ascending index. What is withheld is not.
  std::vector<AuditFault> Faults() const;
  // Content that was missing when it was looked for, envelopes of detached entries included, and
  // that is not withheld.
  std::vector<Digest> Missing() const;

 private:
  TreeEdge edge_;
  Replay replay_;
  std::map<TreeSize, std::optional<Hash>> watched_;
  std::optional<Hash> genesis_;
  std::vector<AuditFault> content_;  // of valid entries
  std::vector<Digest> unread_;       // missing envelopes
};

}  // namespace stele::client
