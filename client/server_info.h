// What a server says about itself. Nothing of it is verified here: see client/contact.h.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/connection.h"

namespace stele::client {

struct ServerInfo {
  std::string version;
  std::string origin;
  std::string log_vkey;
  std::string genesis_leaf_hash;  // 32 bytes if the server is honest
  std::map<std::string, uint64_t> limits;
  std::vector<std::string> admitted_types;
  bool accepts_statements = false;
  std::string write_state;  // why not, one sentence
};

// UNAVAILABLE and DEADLINE_EXCEEDED: the server cannot be reached.
absl::StatusOr<ServerInfo> GetServerInfo(const Connection& connection);

}  // namespace stele::client
