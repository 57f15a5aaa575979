#include "tools/command/publish_one.h"

#include <utility>

#include "core/base/status_macros.h"
#include "tools/push/batch.h"

namespace stele::tools {

absl::StatusOr<client::Published> PublishOne(const Session& session, const Statement& statement,
                                             const PrivateKey& signer) {
  STELE_ASSIGN_OR_RETURN(
      client::OutgoingStatement outgoing,
      SignPayload(FormatStatement(statement), session.verifier->origin(), signer));
  return PublishSigned(session, std::move(outgoing));
}

absl::StatusOr<client::Published> PublishSigned(const Session& session,
                                                client::OutgoingStatement statement) {
  absl::StatusOr<client::Published> answer = absl::UnknownError("there was no answer");
  {
    client::Publisher publisher(*session.connection, *session.verifier, {},
                                [&answer](uint64_t, absl::StatusOr<client::Published> result) {
                                  answer = std::move(result);
                                });
    STELE_RETURN_IF_ERROR(publisher.Send(0, std::move(statement)));
    STELE_RETURN_IF_ERROR(publisher.Flush());
  }
  return answer;
}

}  // namespace stele::tools
