#include "client/audit/audited_log.h"

#include <algorithm>

#include "core/base/refusal.h"

namespace stele::client {

AuditedLog::AuditedLog(const std::vector<TreeSize>& watched) {
  for (TreeSize size : watched) watched_[size];
  if (const auto empty = watched_.find(TreeSize(0)); empty != watched_.end()) {
    empty->second = EmptyRoot();
  }
}

void AuditedLog::Add(const AuditedEntry& entry) {
  if (!genesis_) genesis_ = entry.leaf_hash;
  edge_.Append(entry.leaf_hash);
  if (const auto watched = watched_.find(edge_.size()); watched != watched_.end()) {
    watched->second = edge_.Root();
  }
  const bool valid = replay_.Add(entry.said).ok();
  if (entry.said.reading == Said::Reading::kNoEnvelope) unread_.push_back(*entry.said.envelope);
  if (!valid) return;
  for (const ContentFault& fault : entry.content_faults) {
    content_.push_back({entry.said.index, fault.reason, fault.digest});
  }
}

std::optional<Hash> AuditedLog::RootAt(TreeSize size) const {
  const auto watched = watched_.find(size);
  return watched == watched_.end() ? std::nullopt : watched->second;
}

std::vector<AuditFault> AuditedLog::Faults() const {
  std::vector<AuditFault> faults;
  for (EntryFault& fault : replay_.Faults()) {
    faults.push_back({fault.index, std::move(fault.reason), std::nullopt});
  }
  for (const AuditFault& fault : content_) {
    if (!replay_.IsWithheld(*fault.content)) faults.push_back(fault);
  }
  std::stable_sort(faults.begin(), faults.end(),
                   [](const AuditFault& a, const AuditFault& b) { return a.index < b.index; });
  return faults;
}

std::vector<Digest> AuditedLog::Missing() const {
  std::vector<Digest> missing;
  const auto add = [&](const Digest& digest) {
    if (!replay_.IsWithheld(digest)) missing.push_back(digest);
  };
  for (const Digest& digest : unread_) add(digest);
  for (const AuditFault& fault : content_) {
    if (fault.reason == reason::kMissingContent) add(*fault.content);
  }
  return missing;
}

}  // namespace stele::client
