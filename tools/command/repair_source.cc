#include "tools/command/repair_source.h"

#include <string_view>

#include "core/base/status_macros.h"

namespace stele::tools {

absl::StatusOr<std::string> ServerRepairSource::Checkpoint() {
  STELE_ASSIGN_OR_RETURN(client::LogHead head, session_.fetcher().GetHead());
  return std::move(head.note);
}

absl::StatusOr<std::vector<std::string>> ServerRepairSource::Leaves(EntryIndex start,
                                                                    uint64_t count, TreeSize) {
  std::vector<std::string> leaves;
  leaves.reserve(count);
  STELE_RETURN_IF_ERROR(
      session_.fetcher().ListEntries(start, count, [&](EntryIndex, std::string_view leaf) {
        leaves.emplace_back(leaf);
        return absl::OkStatus();
      }));
  return leaves;
}

absl::StatusOr<std::optional<std::string>> ServerRepairSource::Content(const Digest& digest) {
  absl::StatusOr<std::string> bytes = session_.fetcher().GetContent(digest);
  if (absl::IsNotFound(bytes.status())) return std::optional<std::string>();
  STELE_RETURN_IF_ERROR(bytes.status());
  return std::optional(*std::move(bytes));
}

}  // namespace stele::tools
