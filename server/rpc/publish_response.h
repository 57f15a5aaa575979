// Outcomes of the store as messages of the Publish stream.
#pragma once

#include <google/protobuf/arena.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "stele/v1/publish.pb.h"
#include "store/log/publish.h"

namespace stele::server {

// A response that waits for its turn, or is being written; owns its message.
struct PendingResponse {
  google::protobuf::Arena arena;
  v1::PublishResponse* message = nullptr;  // in the arena
  std::vector<uint64_t> tags;              // of its results
  size_t bytes = 0;                        // of their statements, once it is being written
};

// One response for all of them; more with the same checkpoint only where one would pass
// service_limits::kResponseBytes.
std::vector<std::unique_ptr<PendingResponse>> BuildResponses(
    const std::string& checkpoint, std::vector<store::PublishOutcome> outcomes);

}  // namespace stele::server
