// What an audit keeps on disk: the state file and its journal.
//
// Errors are those of AuditJournal; INVALID_ARGUMENT for a state file that no audit wrote. One
// thread at a time.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "client/audit/journal.h"
#include "client/audit/state.h"

namespace stele::client {

class AuditStore {
 public:
  // `path` is the state file; the journal is `path`.journal.
  static absl::StatusOr<std::unique_ptr<AuditStore>> Open(const std::filesystem::path& path);

  // The checkpoint proven last: now, and when the store was opened.
  const std::optional<AuditState>& state() const { return state_; }
  const std::optional<AuditState>& earlier() const { return earlier_; }

  absl::Status Load(std::string_view origin, const AuditJournal::VisitEntry& visit) {
    return journal_->Load(origin, visit);
  }
  absl::Status Append(std::string_view frames) { return journal_->Append(frames); }
  absl::Status Sync() { return journal_->Sync(); }
  // Are there entries among `size` that no proven checkpoint covers?
  bool Unproven(TreeSize size) const;
  absl::Status ForgetUnproven();
  // The journal only: what was proven stays known.
  absl::Status ForgetAll() { return journal_->CutTo(0); }
  // The journal covers exactly the entries of this checkpoint, all of them checked. A checkpoint
  // below the one that is known changes nothing.
  absl::Status Prove(const std::string& note, const Checkpoint& checkpoint, const Hash& genesis);

 private:
  AuditStore() = default;

  std::filesystem::path path_;
  std::unique_ptr<AuditJournal> journal_;
  std::optional<AuditState> state_;
  std::optional<AuditState> earlier_;
};

}  // namespace stele::client
