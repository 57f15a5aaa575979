#include "store/indexer/log_source.h"

#include <utility>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"
#include "store/index/index_keys.h"
#include "store/index/row_reader.h"

namespace stele::store {

absl::StatusOr<std::vector<PublicationRow>> LogSource::Publications(const Digest& record) const {
  STELE_ASSIGN_OR_RETURN(std::vector<PublicationRow> rows, log_.Publications(record));
  std::erase_if(rows, [&](const PublicationRow& row) { return row.index.value() >= below_; });
  return rows;
}

absl::StatusOr<std::optional<std::string>> LogSource::Content(const Digest& digest) const {
  absl::StatusOr<std::string> bytes = log_.Content(digest);
  if (absl::IsNotFound(bytes.status())) return std::optional<std::string>();
  STELE_RETURN_IF_ERROR(bytes.status());
  if (Sha256(*bytes) != digest) {
    return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "",
                  Concat("the stored bytes of ", digest.ToText(), " have another digest"));
  }
  return std::optional<std::string>(*std::move(bytes));
}

absl::Status LogSource::VisitRecords(const std::string& prefix, Visit visit) const {
  const auto take = [&](std::string_view key) -> absl::Status {
    const std::optional<Digest> record =
        key.size() < Digest::kBytes ? std::nullopt
                                    : Digest::FromBytes(key.substr(key.size() - Digest::kBytes));
    if (!record) return DamagedIndexRow(key, "its key is too short");
    return visit(*record);
  };
  if (index_ == nullptr) return absl::OkStatus();
  // Both before anything is visited: that adds rows, and may write them out.
  std::vector<std::string> pending;
  for (auto row = pending_->lower_bound(prefix);
       row != pending_->end() && row->first.starts_with(prefix); ++row) {
    pending.push_back(row->first);
  }
  STELE_ASSIGN_OR_RETURN(const std::shared_ptr<const IndexSnapshot> written, index_->GetSnapshot());
  STELE_RETURN_IF_ERROR(VisitPrefix(
      *written, prefix, [&](std::string_view key, std::string_view) { return take(key); }));
  for (const std::string& key : pending) STELE_RETURN_IF_ERROR(take(key));
  return absl::OkStatus();
}

absl::Status LogSource::VisitResults(const Digest& workload, Visit visit) const {
  return VisitRecords(ResultsPrefix(workload), visit);
}

absl::Status LogSource::VisitRecordsOf(const Digest& manifest, Visit visit) const {
  return VisitRecords(ManifestPrefix(manifest), visit);
}

}  // namespace stele::store
