#include "client/server_info.h"

#include "client/stubs.h"
#include "core/base/status_macros.h"

namespace stele::client {

absl::StatusOr<ServerInfo> GetServerInfo(const Connection& connection) {
  v1::GetServerInfoResponse response;
  STELE_RETURN_IF_ERROR(Call(connection, *connection.stubs().server,
                             &v1::ServerService::Stub::GetServerInfo, v1::GetServerInfoRequest(),
                             response));
  ServerInfo info;
  info.version = response.version();
  info.origin = response.origin();
  info.log_vkey = response.log_vkey();
  info.genesis_leaf_hash = response.genesis_leaf_hash();
  info.limits.insert(response.limits().begin(), response.limits().end());
  info.admitted_types.assign(response.admitted_types().begin(), response.admitted_types().end());
  info.accepts_statements = response.accepts_statements();
  info.write_state = response.write_state();
  return info;
}

}  // namespace stele::client
