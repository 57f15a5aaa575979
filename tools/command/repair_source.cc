#include "tools/command/repair_source.h"

#include "core/base/status_macros.h"

namespace stele::tools {

absl::StatusOr<std::string> OpenedRepairSource::Checkpoint() {
  return opened_.source->Checkpoint();
}

absl::StatusOr<std::vector<std::string>> OpenedRepairSource::Leaves(EntryIndex start,
                                                                    uint64_t count, TreeSize size) {
  return opened_.source->Entries(start, count, size);
}

absl::StatusOr<std::optional<std::string>> OpenedRepairSource::Content(const Digest& digest) {
  std::optional<std::string> content;
  STELE_RETURN_IF_ERROR(
      opened_.source->Content({&digest, 1}, [&](size_t, std::optional<std::string> bytes) {
        content = std::move(bytes);
        return absl::OkStatus();
      }));
  return content;
}

absl::StatusOr<bool> OpenedRepairSource::Artifact(const Digest& digest, ByteSink& sink) {
  return opened_.source->Artifact(digest, sink);
}

}  // namespace stele::tools
