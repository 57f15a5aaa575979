#include "server/rpc/server_service.h"

#include <utility>

#include "core/statement/types.h"
#include "server/base/cat.h"
#include "server/rpc/service_limits.h"
#include "server/rpc/unary.h"
#include "server/rpc/utf8.h"

namespace stele::server {

ServerService::ServerService(store::Store& store, CallCounts& calls, std::string version,
                             const ConfiguredLimits& limits)
    : store_(store), calls_(calls) {
  fixed_.set_version(std::move(version));
  fixed_.set_origin(store.origin());
  fixed_.set_genesis_leaf_hash(std::string(store.genesis_leaf_hash().bytes()));
  for (const NamedLimit& limit : AllLimits(limits)) {
    (*fixed_.mutable_limits())[limit.name] = limit.value;
  }
  for (const StatementTypeRow& row : StatementTypes()) {
    if (row.type != StatementType::kGenesis) {
      fixed_.add_admitted_types(std::string(row.predicate_type));
    }
  }
  fixed_.add_admitted_types("*");  // any foreign one
}

grpc::ServerUnaryReactor* ServerService::GetServerInfo(grpc::CallbackServerContext* context,
                                                       const v1::GetServerInfoRequest*,
                                                       v1::GetServerInfoResponse* response) {
  return AnswerUnary(context, calls_, Method::kGetServerInfo, [&] {
    *response = fixed_;
    response->set_log_vkey(store_.log_verifier().ToVkey());
    const absl::Status state = store_.write_state();
    response->set_accepts_statements(state.ok());
    response->set_write_state(state.ok() ? "statements are accepted"
                                         : CleanUtf8(FromAbsl(state.message()), 1000));
    return absl::OkStatus();
  });
}

}  // namespace stele::server
