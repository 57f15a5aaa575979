// The source that a repair fetches from: a server.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/fsck/repair.h"
#include "tools/command/session.h"

namespace stele::tools {

class ServerRepairSource final : public store::RepairSource {
 public:
  explicit ServerRepairSource(Session session) : session_(std::move(session)) {}

  absl::StatusOr<std::string> Checkpoint() override;
  absl::StatusOr<std::vector<std::string>> Leaves(EntryIndex start, uint64_t count,
                                                  TreeSize size) override;
  absl::StatusOr<std::optional<std::string>> Content(const Digest& digest) override;

 private:
  const Session session_;
};

}  // namespace stele::tools
