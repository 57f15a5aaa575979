// A stage for artifacts of tests that admit without a store of their own.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "store/artifact/artifact_stage.h"

namespace stele::testing {

inline std::unique_ptr<store::ArtifactStage> StageOver(
    std::function<std::shared_ptr<store::Backend>()> backend) {
  return std::make_unique<store::ArtifactStage>(
      store::ArtifactOptions(),
      store::ArtifactStage::Hooks{.backend = std::move(backend),
                                  .writable = [] { return absl::OkStatus(); },
                                  .write_failed = [](const absl::Status&) {},
                                  .clock = store::SystemClock(),
                                  .log = {}});
}

}  // namespace stele::testing
