// Rule 22 from the signer's key on: may this be said at this position? One code for everybody who
// judges: the replay of a whole log, a citation that shows a part of one, the planner of a server.
//
// A caller asks in this order: CheckKeyKnown, the signature, replay, the payload's form,
// CheckPlace, (of a logged entry: is its `authority` AuthorityOf?), JudgeAct. Pure.
#pragma once

#include <functional>

#include "absl/status/status.h"
#include "core/replay/events.h"
#include "core/statement/key_ring.h"
#include "core/statement/statement.h"

namespace stele {

// What lies below a position, as far as is asked of it.
class LogBelow {
 public:
  virtual ~LogBelow() = default;
  virtual const KeyRing& ring() const = 0;
  virtual const LogEvents& events() const = 0;
  // By a valid publication, disputed or not.
  virtual bool IsPublished(const Digest& record) const = 0;
  // By a publication of this signer that counts.
  virtual bool IsPublishedBy(const Digest& record, const KeyId& signer) const = 0;
  // Rule 12.
  virtual bool IsStored(const Digest& digest) const = 0;
};

// What applies where only a part of the log is shown (rule 34). The default is a whole log.
struct ReplayRules {
  bool after = true;          // STALE_AFTER, of every family
  bool last_operator = true;  // LAST_OPERATOR: a rule of the ring itself
  // UNKNOWN_SUBJECT and NOT_OWNER look at the records for which this is true; empty: at all. A
  // foreign statement is looked at if all its subjects are.
  std::function<bool(const Digest& record)> about_record;
};

// A statement of which the form is right, at a position.
struct Act {
  EntryIndex index;
  const KeyId& signer;
  const Statement& statement;
};

// The statement brings its signer's key: an introduction, or the genesis at index 0.
bool BringsOwnKey(const Act& act);

// UNKNOWN_KEY (NOT_FOUND), unless a valid event below brings the key or the statement does.
absl::Status CheckKeyKnown(const KeyRing& ring, const KeyId& signer, bool own_key);

// GENESIS (INVALID_ARGUMENT): it stands at index 0, and nothing else does.
absl::Status CheckPlace(EntryIndex index, StatementType type);

// The `authority` of what `signer` says at `index`.
EventIndex AuthorityOf(const KeyRing& ring, const KeyId& signer, EntryIndex index);

// Role, `after`, then the type's own conditions. ROLE, POLICY_CLOSED, NOT_OWNER
// (PERMISSION_DENIED), STALE_AFTER (ABORTED), the others FAILED_PRECONDITION.
absl::Status JudgeAct(const LogBelow& below, const ReplayRules& rules, const Act& act);

// What JudgeAct asks the log about the subjects of this type: IsPublished (and, of a retraction,
// IsPublishedBy), or IsStored, or nothing.
enum class SubjectQuestion { kNone, kPublished, kStored };
SubjectQuestion QuestionOf(StatementType type);

}  // namespace stele
