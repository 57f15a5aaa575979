#include "client/audit/audit_store.h"

#include <algorithm>
#include <utility>

#include "client/files.h"
#include "client/source/folder_source.h"
#include "core/base/concat.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"

namespace stele::client {
namespace {

absl::StatusOr<std::optional<AuditState>> ReadState(const std::filesystem::path& path) {
  absl::StatusOr<std::string> text = ReadFileAtMost(path.string(), limits::kAuditStateBytes);
  if (absl::IsNotFound(text.status())) return std::optional<AuditState>();
  if (!text.ok()) return text.status();
  absl::StatusOr<AuditState> state = ParseAuditState(*text);
  if (state.ok()) return std::optional<AuditState>(*std::move(state));
  return absl::InvalidArgumentError(Concat(path.string(), " is not the state of an audit (",
                                           std::string(state.status().message()),
                                           "); name another file, or remove it and begin anew"));
}

}  // namespace

absl::StatusOr<std::unique_ptr<AuditStore>> AuditStore::Open(const std::filesystem::path& path) {
  std::unique_ptr<AuditStore> store(new AuditStore());
  store->path_ = path;
  STELE_ASSIGN_OR_RETURN(store->state_, ReadState(path));
  store->earlier_ = store->state_;
  std::filesystem::path journal = path;
  journal += ".journal";
  STELE_ASSIGN_OR_RETURN(store->journal_, AuditJournal::Open(journal));
  return store;
}

bool AuditStore::Unproven(TreeSize size) const {
  return size > (state_ ? state_->checkpoint.size : TreeSize(0));
}

absl::Status AuditStore::ForgetUnproven() {
  return journal_->CutTo(std::min(state_ ? state_->journal_bytes : 0, journal_->bytes()));
}

absl::Status AuditStore::Prove(const std::string& note, const Checkpoint& checkpoint,
                               const Hash& genesis) {
  if (state_ && state_->checkpoint.size > checkpoint.size) return absl::OkStatus();
  STELE_RETURN_IF_ERROR(journal_->Sync());
  AuditState proven{note, checkpoint, genesis, journal_->bytes()};
  STELE_RETURN_IF_ERROR(ReplaceFile(path_, FormatAuditState(proven)));
  state_ = std::move(proven);
  return absl::OkStatus();
}

}  // namespace stele::client
