// The source that a repair fetches from: whatever an audit reads too.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/fsck/repair.h"
#include "tools/command/audit_source.h"

namespace stele::tools {

// Owns the source. The repair verifies what comes; of content it is verified here already.
class OpenedRepairSource final : public store::RepairSource {
 public:
  explicit OpenedRepairSource(OpenedSource opened) : opened_(std::move(opened)) {}

  absl::StatusOr<std::string> Checkpoint() override;
  absl::StatusOr<std::vector<std::string>> Leaves(EntryIndex start, uint64_t count,
                                                  TreeSize size) override;
  absl::StatusOr<std::optional<std::string>> Content(const Digest& digest) override;
  absl::StatusOr<bool> Artifact(const Digest& digest, ByteSink& sink) override;

 private:
  const OpenedSource opened_;
};

}  // namespace stele::tools
