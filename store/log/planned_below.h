// The log below the statement in hand, as the planner sees it: its state, the facts that were
// looked up for that statement, and what the batch has appended so far. Pure.
#pragma once

#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "core/replay/judge.h"
#include "store/backend/backend.h"
#include "store/log/facts.h"

namespace stele::store {

class PlannedBelow final : public LogBelow {
 public:
  // `plan` outlives it, and has the rows of what the batch appends.
  PlannedBelow(std::shared_ptr<const KeyRing> ring, std::shared_ptr<const LogEvents> events,
               const CommitPlan& plan)
      : ring_(std::move(ring)), events_(std::move(events)), plan_(plan) {}

  // The questions are about the statement with these facts from now on; they outlive the answers.
  void LookThrough(const StatementFacts& facts) { facts_ = &facts; }
  // An entry was appended: what it changes of roles and events.
  void Add(const EventPlace& place, const Statement& statement,
           const std::vector<KeyEvent>& key_events);

  const KeyRing& ring() const override { return *ring_; }
  const LogEvents& events() const override { return *events_; }
  bool IsPublished(const Digest& record) const override;
  bool IsPublishedBy(const Digest& record, const KeyId& signer) const override;
  bool IsStored(const Digest& digest) const override;

  const std::shared_ptr<const KeyRing>& shared_ring() const { return ring_; }
  const std::shared_ptr<const LogEvents>& shared_events() const { return events_; }

 private:
  const SubjectFacts* Facts(const Digest& digest) const;
  // Brings published_ and stored_ up to the plan. Only who asks pays for it: most batches publish
  // and nobody asks.
  void CatchUp() const;

  std::shared_ptr<const KeyRing> ring_;
  std::shared_ptr<const LogEvents> events_;
  const CommitPlan& plan_;
  const StatementFacts* facts_ = nullptr;
  // Of the plan's rows, as many as were looked at.
  mutable size_t publications_ = 0, subjects_ = 0;
  mutable absl::flat_hash_map<Digest, std::vector<EventPlace>> published_;
  mutable absl::flat_hash_set<Digest> stored_;  // manifests and artifacts
};

}  // namespace stele::store
