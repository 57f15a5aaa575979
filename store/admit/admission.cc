#include "store/admit/admission.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"
#include "core/statement/dsse.h"
#include "store/admit/content_match.h"
#include "store/log/judge.h"
#include "store/log/receipts.h"

namespace stele::store {
namespace {

absl::StatusOr<PublicKey> FindSigner(const std::string& key_id, const KeyRing& ring) {
  const std::optional<KeyId> id = KeyId::FromBytes(key_id);
  if (!id.has_value()) {
    return RefuseInput(reason::kWrongValue, "/keyId",
                       absl::StrCat("a key id has 32 bytes, this one ", key_id.size()));
  }
  const PublicKey* key = ring.FindKey(*id);
  if (key != nullptr) return *key;
  return Refuse(absl::StatusCode::kNotFound, reason::kUnknownKey, "/keyId",
                "this log knows no key " + id->ToText() +
                    "; an operator grants it a role first (stele key grant)");
}

absl::StatusOr<std::unique_ptr<AdmittedStatement>> ReadStatement(Envelope envelope,
                                                                 const KeyId& signer,
                                                                 const Digest& payload_digest,
                                                                 const PublishItem& item,
                                                                 const SnapshotReader& reader) {
  STELE_ASSIGN_OR_RETURN(Statement statement,
                         ParseStatement(envelope.payload, reader.head().origin));
  STELE_RETURN_IF_ERROR(CheckTypeAdmitted(statement));
  STELE_ASSIGN_OR_RETURN(std::vector<ContentRow> content,
                         MatchContent(statement, item.manifests, reader));
  auto admitted = std::make_unique<AdmittedStatement>(
      AdmittedStatement{.statement = std::move(statement),
                        .signer = signer,
                        .payload_digest = payload_digest,
                        .payload = {},
                        .envelope = FormatEnvelope(envelope.payload, signer, envelope.signature),
                        .content = std::move(content),
                        .looked_up = reader.head().size});
  admitted->payload = std::move(envelope.payload);
  return admitted;
}

absl::StatusOr<Admitted> TryAdmit(const PublishItem& item, const SnapshotReader& reader) {
  absl::StatusOr<Envelope> envelope = ParseEnvelope(item.envelope);
  if (!envelope.ok()) return PrefixPointer(envelope.status(), "/envelope");
  STELE_ASSIGN_OR_RETURN(const PublicKey key, FindSigner(item.key_id, reader.ring()));
  if (absl::Status signature = key.Verify(Pae(envelope->payload), envelope->signature);
      !signature.ok()) {
    return PrefixPointer(signature, "/envelope/signatures/0/sig");
  }
  const Digest digest = Sha256(envelope->payload);
  STELE_ASSIGN_OR_RETURN(const std::optional<EntryIndex> replay,
                         reader.snapshot().FindReplay({digest, key.id()}));
  if (replay.has_value()) {
    STELE_ASSIGN_OR_RETURN(Receipt receipt, MakeReplayReceipt(reader, *replay, envelope->payload));
    return Admitted(std::move(receipt));
  }
  STELE_ASSIGN_OR_RETURN(auto admitted,
                         ReadStatement(*std::move(envelope), key.id(), digest, item, reader));
  return Admitted(std::move(admitted));
}

}  // namespace

Admitted Admit(PublishItem& item, const SnapshotReader& reader) {
  absl::StatusOr<Admitted> admitted = TryAdmit(item, reader);
  item = PublishItem{.tag = item.tag};
  if (!admitted.ok()) return std::move(admitted).status();
  return *std::move(admitted);
}

}  // namespace stele::store
