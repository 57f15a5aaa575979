#include "client/fetcher.h"
#include "client/stubs.h"
#include "core/base/concat.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"

namespace stele::client {
namespace {

std::optional<Role> RoleFrom(v1::KeyRole role) {
  switch (role) {
    case v1::KEY_ROLE_OPERATOR:
      return Role::kOperator;
    case v1::KEY_ROLE_RUNNER:
      return Role::kRunner;
    case v1::KEY_ROLE_PUBLISHER:
      return Role::kPublisher;
    case v1::KEY_ROLE_ATTESTER:
      return Role::kAttester;
    case v1::KEY_ROLE_GUEST:
      return Role::kGuest;
    case v1::KEY_ROLE_RECOVERY:
      return Role::kRecovery;
    default:
      return std::nullopt;
  }
}

absl::StatusOr<KeyInfo> KeyFrom(const v1::Key& key) {
  std::optional<KeyId> id = Digest::FromBytes(key.key_id());
  if (!id || Sha256(key.spki()) != *id) {
    return Untrusted("a key in the server's key ring does not hash to its key id");
  }
  return KeyInfo{*id, key.spki(), key.name(), RoleFrom(key.role()), EventIndex(key.latest_event())};
}

}  // namespace

// Each key comes with an entry of its own, but for those that genesis names.
absl::Status Fetcher::CheckKeyCount(size_t keys) const {
  if (keys <= verifier_.newest().value() + limits::kRecoveryKeys) return absl::OkStatus();
  STELE_ASSIGN_OR_RETURN(const LogHead head, GetHead());
  if (keys <= head.checkpoint.size.value() + limits::kRecoveryKeys) return absl::OkStatus();
  return Untrusted(
      Concat(keys, " keys are listed of a log of ", head.checkpoint.size.value(), " entries"));
}

absl::StatusOr<LatestEvents> Fetcher::GetLatestEvents(const Digest& subject) const {
  v1::GetLatestEventsRequest request;
  request.set_subject(std::string(subject.bytes()));
  v1::GetLatestEventsResponse response;
  STELE_RETURN_IF_ERROR(Call(connection_, *connection_.stubs().log,
                             &v1::LogService::Stub::GetLatestEvents, request, response));
  return LatestEvents{EventIndex(response.key()), EventIndex(response.policy()),
                      EventIndex(response.withholding())};
}

absl::StatusOr<std::vector<KeyInfo>> Fetcher::ListKeys() const {
  std::vector<KeyInfo> keys;
  v1::ListKeysRequest request;
  do {
    v1::ListKeysResponse response;
    STELE_RETURN_IF_ERROR(Call(connection_, *connection_.stubs().log,
                               &v1::LogService::Stub::ListKeys, request, response));
    for (const v1::Key& key : response.keys()) {
      STELE_ASSIGN_OR_RETURN(KeyInfo info, KeyFrom(key));
      if (!keys.empty() && info.key <= keys.back().key) {
        return Untrusted("the server's key ring is not in the order of key ids");
      }
      keys.push_back(std::move(info));
    }
    if (response.keys().empty() && !response.next_page_token().empty()) {
      return Untrusted("an empty page in the server's key ring");
    }
    // A server that never ends its pages would keep us for ever.
    STELE_RETURN_IF_ERROR(CheckKeyCount(keys.size()));
    request.set_page_token(response.next_page_token());
  } while (!request.page_token().empty());
  return keys;
}

}  // namespace stele::client
