#include "tests/support/store/statements.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "core/crypto/sha256.h"
#include "core/record/manifest.h"
#include "core/statement/dsse.h"

namespace stele::testing {
namespace {

template <class T>
T Must(absl::StatusOr<T> value) {
  if (!value.ok()) {
    std::fprintf(stderr, "test data: %s\n", value.status().ToString().c_str());
    std::abort();
  }
  return *std::move(value);
}

Statement Make(StatementType type, std::vector<Subject> subjects, Predicate predicate) {
  return {.type = type,
          .predicate_type = std::string(PredicateTypeOf(type)),
          .log = kOrigin,
          .subjects = std::move(subjects),
          .predicate = std::move(predicate)};
}

}  // namespace

PrivateKey TestKey(std::string_view name) {
  const Digest seed = Sha256({"stele public test key: ", name});
  return Must(PrivateKey::FromEd25519Seed(seed.bytes()));
}

std::string TestManifest(int n, std::string_view title, size_t padding) {
  const std::string number = std::to_string(n);
  std::string text = R"({"apiVersion":"test.example/v1","kind":"Sample","spec":{"number":)" +
                     number + R"(,"text":")" + std::string(padding, 'x') + R"("})";
  if (!title.empty()) text += R"(,"metadata":{"title":")" + std::string(title) + R"("})";
  return text + "}";
}

Statement Publication(const std::vector<std::string>& manifests) {
  std::vector<Subject> subjects;
  for (const std::string& text : manifests) {
    const Manifest manifest = Must(ParseManifest(text));
    subjects.push_back(RecordSubject(manifest.record, manifest.manifest));
  }
  return Make(StatementType::kPublication, std::move(subjects), stele::Publication{});
}

Statement Grant(const PublicKey& key, Role role, EventIndex after) {
  return Make(StatementType::kKeyGrant, {KeySubject(key.id())},
              KeyGrant{.after = after, .key = key, .name = "a test key", .role = role});
}

Statement Revoke(const KeyId& key, EventIndex after, std::optional<EntryIndex> since) {
  return Make(StatementType::kKeyRevoke, {KeySubject(key)},
              KeyRevoke{.after = after, .reason = "a test", .compromised_since = since});
}

store::PublishItem Sign(const Statement& statement, const PrivateKey& signer, uint64_t tag,
                        std::vector<std::string> manifests) {
  return SignPayload(FormatStatement(statement), signer, tag, std::move(manifests));
}

store::PublishItem SignPayload(const std::string& payload, const PrivateKey& signer, uint64_t tag,
                               std::vector<std::string> manifests) {
  const KeyId key = signer.public_key().id();
  return {.tag = tag,
          .key_id = std::string(key.bytes()),
          .envelope = FormatEnvelope(payload, key, Must(signer.Sign(Pae(payload)))),
          .manifests = std::move(manifests)};
}

store::PublishItem SignPublication(const std::string& manifest, const PrivateKey& signer,
                                   uint64_t tag) {
  return Sign(Publication({manifest}), signer, tag, {manifest});
}

}  // namespace stele::testing
