#include "store/admit/admission.h"

#include <optional>
#include <utility>

#include "core/base/concat.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"
#include "core/replay/judge.h"
#include "core/replay/said.h"
#include "core/statement/dsse.h"
#include "store/admit/content_match.h"
#include "store/log/find_facts.h"
#include "store/log/receipts.h"
#include "store/log/withheld.h"

namespace stele::store {
namespace {

absl::StatusOr<KeyId> ReadKeyId(const std::string& key_id) {
  const std::optional<KeyId> id = KeyId::FromBytes(key_id);
  if (id.has_value()) return *id;
  return RefuseInput(reason::kWrongValue, "/keyId",
                     Concat("a key id has 32 bytes, this one ", key_id.size()));
}

// The index that the next entry gets at this moment, and never 0: a store has its genesis.
EntryIndex NextIndex(const SnapshotReader& reader) {
  return EntryIndex{reader.head().size.value()};
}

// The key that an event brought, or that an introduction brings for itself. Of a stranger no more
// is read than of a guest.
absl::StatusOr<PublicKey> FindSigner(const KeyId& id, const PublishItem& item,
                                     const Envelope& envelope, const SnapshotReader& reader,
                                     const GuestQuota& guests) {
  if (const PublicKey* key = reader.ring().FindKey(id); key != nullptr) return *key;
  std::optional<PublicKey> own;
  if (guests.CheckSize(item.envelope.size()).ok()) {
    own = OwnKeyOf(envelope.payload, id, NextIndex(reader));
  }
  if (own.has_value()) return *std::move(own);
  const absl::Status unknown = CheckKeyKnown(reader.ring(), id, false);
  return Refuse(unknown.code(), ReasonOf(unknown), "/keyId", std::string(unknown.message()));
}

// The replay index has inline statements only: it is asked before the payload is read.
absl::StatusOr<std::optional<Receipt>> FindInline(const ReplayKey& key, std::string_view payload,
                                                  const SnapshotReader& reader) {
  STELE_ASSIGN_OR_RETURN(const std::optional<EntryIndex> index, reader.snapshot().FindReplay(key));
  if (!index.has_value()) return std::nullopt;
  return MakeReplayReceipt(reader, *index, payload);
}

absl::StatusOr<std::optional<Receipt>> FindDetached(const ReplayKey& key, std::string_view payload,
                                                    const SnapshotReader& reader) {
  STELE_ASSIGN_OR_RETURN(const std::vector<DetachedCopy> copies,
                         FindCopies(reader.snapshot(), key));
  for (const DetachedCopy& copy : copies) {
    if (reader.WithheldBy(copy.envelope).has_value()) continue;  // rule 23
    return MakeReplayReceipt(reader, copy.index, payload);
  }
  return std::nullopt;
}

// What may be said here at all, whatever the position.
absl::Status CheckAdmitted(const AdmittedStatement& admitted, const SnapshotReader& reader) {
  const Statement& statement = admitted.statement;
  STELE_RETURN_IF_ERROR(CheckPlace(NextIndex(reader), statement.type));
  STELE_RETURN_IF_ERROR(
      CheckNotWithheld(reader.events(), reader.ring(), statement, admitted.detached));
  if (statement.type != StatementType::kForeign) return absl::OkStatus();
  if (statement.subjects.size() <= limits::kForeignSubjects) return absl::OkStatus();
  return PrefixPointer(
      RefuseLimit(absl::StatusCode::kResourceExhausted, reason::kTooLarge, "foreign_subjects",
                  limits::kForeignSubjects,
                  Concat("a foreign statement of ", statement.subjects.size(),
                         " subjects with a sha256, at most ", limits::kForeignSubjects)),
      "/subject");
}

bool IsGuests(const AdmittedStatement& admitted, const SnapshotReader& reader) {
  return admitted.statement.type == StatementType::kKeyIntroduction ||
         reader.ring().RoleOf(admitted.signer) == Role::kGuest;
}

absl::StatusOr<Admitted> AdmitNew(std::unique_ptr<AdmittedStatement> admitted,
                                  const PublishItem& item, const SnapshotReader& reader,
                                  GuestQuota& guests, const Clock& clock, ArtifactStage& stage) {
  const bool guest = IsGuests(*admitted, reader);
  if (guest) STELE_RETURN_IF_ERROR(guests.CheckSize(item.envelope.size()));
  STELE_RETURN_IF_ERROR(CheckAdmitted(*admitted, reader));
  STELE_ASSIGN_OR_RETURN(MatchedContent matched,
                         MatchContent(admitted->statement, item.manifests, reader, stage));
  admitted->content = std::move(matched.rows);
  admitted->artifacts = std::move(matched.artifacts);
  admitted->held = std::move(matched.held);
  if (guest) {
    STELE_ASSIGN_OR_RETURN(admitted->guest, guests.Take(admitted->signer, item.address, clock()));
  }
  return Admitted(std::move(admitted));
}

absl::StatusOr<Admitted> TryAdmit(const PublishItem& item, const SnapshotReader& reader,
                                  GuestQuota& guests, const Clock& clock, ArtifactStage& stage) {
  absl::StatusOr<Envelope> envelope = ParseEnvelope(item.envelope);
  if (!envelope.ok()) return PrefixPointer(envelope.status(), "/envelope");
  STELE_ASSIGN_OR_RETURN(const KeyId signer, ReadKeyId(item.key_id));
  STELE_ASSIGN_OR_RETURN(const PublicKey key, FindSigner(signer, item, *envelope, reader, guests));
  if (absl::Status signature = key.Verify(Pae(envelope->payload), envelope->signature);
      !signature.ok()) {
    return PrefixPointer(signature, "/envelope/signatures/0/sig");
  }
  const ReplayKey replay{Sha256(envelope->payload), signer};
  STELE_ASSIGN_OR_RETURN(auto receipt, FindInline(replay, envelope->payload, reader));
  if (receipt.has_value()) return Admitted(*std::move(receipt));
  auto admitted = std::make_unique<AdmittedStatement>();
  STELE_ASSIGN_OR_RETURN(admitted->statement,
                         ParseStatement(envelope->payload, reader.head().origin));
  admitted->signer = signer;
  admitted->payload_digest = replay.payload;
  admitted->envelope = FormatEnvelope(envelope->payload, signer, envelope->signature);
  admitted->looked_up = reader.head().size;
  if (AlwaysDetached(admitted->statement.type)) {
    STELE_ASSIGN_OR_RETURN(receipt, FindDetached(replay, envelope->payload, reader));
    if (receipt.has_value()) return Admitted(*std::move(receipt));
    admitted->detached = Sha256(admitted->envelope);
  }
  admitted->payload = std::move(envelope->payload);
  return AdmitNew(std::move(admitted), item, reader, guests, clock, stage);
}

}  // namespace

Admitted Admit(PublishItem& item, const SnapshotReader& reader, GuestQuota& guests,
               const Clock& clock, ArtifactStage& stage) {
  absl::StatusOr<Admitted> admitted = TryAdmit(item, reader, guests, clock, stage);
  item = PublishItem{.tag = item.tag};
  if (!admitted.ok()) return std::move(admitted).status();
  return *std::move(admitted);
}

}  // namespace stele::store
