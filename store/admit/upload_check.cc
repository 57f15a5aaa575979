#include "store/admit/upload_check.h"

#include <optional>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/crypto/key.h"
#include "core/statement/dsse.h"
#include "core/statement/statement.h"

namespace stele::store {
namespace {

absl::StatusOr<PublicKey> FindSigner(const std::string& key_id, const KeyRing& ring) {
  const std::optional<KeyId> id = KeyId::FromBytes(key_id);
  if (!id) {
    return RefuseInput(reason::kWrongValue, "/start/keyId",
                       Concat("a key id has 32 bytes, this one ", key_id.size()));
  }
  if (const PublicKey* key = ring.FindKey(*id); key != nullptr) return *key;
  return Refuse(absl::StatusCode::kNotFound, reason::kUnknownKey, "/start/keyId",
                Concat("this log knows no key ", id->ToText(),
                       "; an operator grants it a role first (stele key grant)"));
}

absl::Status CheckNames(const Statement& statement, const UploadStart& start) {
  for (const Subject& subject : statement.subjects) {
    if (subject.kind != Subject::Kind::kArtifact || subject.digest != start.digest) continue;
    if (subject.size == start.size) return absl::OkStatus();
    return RefuseInput(reason::kContentMismatch, "/start/size",
                       Concat("the publication says that ", start.digest.ToText(), " has ",
                              subject.size, " bytes, not ", start.size));
  }
  return RefuseInput(reason::kUnknownSubject, "/start/envelope/payload/subject",
                     Concat("no subject of this statement is the artifact ", start.digest.ToText(),
                            "; upload with the publication that will name it"));
}

}  // namespace

absl::Status CheckUpload(const UploadStart& start, const Reader& reader) {
  const absl::StatusOr<Envelope> envelope = ParseEnvelope(start.envelope);
  if (!envelope.ok()) return PrefixPointer(envelope.status(), "/start/envelope");
  STELE_ASSIGN_OR_RETURN(const PublicKey key, FindSigner(start.key_id, reader.ring()));
  if (absl::Status bad = key.Verify(Pae(envelope->payload), envelope->signature); !bad.ok()) {
    return PrefixPointer(bad, "/start/envelope/signatures/0/sig");
  }
  const absl::StatusOr<Statement> statement =
      ParseStatement(envelope->payload, reader.head().origin);
  if (!statement.ok()) return PrefixPointer(statement.status(), "/start/envelope/payload");
  STELE_RETURN_IF_ERROR(CheckNames(*statement, start));
  return reader.ring().CheckRole(key.id(), Role::kPublisher);
}

}  // namespace stele::store
