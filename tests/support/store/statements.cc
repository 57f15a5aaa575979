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

Subject About(const Digest& record) {
  Subject subject;
  subject.digest = record;
  subject.media_type = kRecordMediaType;
  return subject;
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

Statement Introduce(const PublicKey& key) {
  return Make(StatementType::kKeyIntroduction, {KeySubject(key.id())}, KeyIntroduction{.key = key});
}

Statement OpenPolicy(EventIndex after, bool open) {
  return Make(StatementType::kPolicy, {OriginSubject(kOrigin)},
              Policy{.after = after, .open_attestations = open});
}

Statement Withhold(const Digest& digest, EventIndex after, bool withheld) {
  Subject subject;
  subject.kind = Subject::Kind::kAny;
  subject.digest = digest;
  return Make(StatementType::kWithholding, {subject},
              Withholding{.after = after, .withheld = withheld, .reason = "a test"});
}

Statement AddLogKey(std::string_view name, TreeSize from, std::vector<LogKeyRetirement> retires) {
  return Make(
      StatementType::kLogKey, {OriginSubject(kOrigin)},
      LogKey{
          .key = Must(NoteVerifier::FromVkey(TestVkey(name))), .from = from, .retires = retires});
}

Statement Note(const Digest& record, std::string_view body) {
  return Make(StatementType::kNote, {About(record)},
              NoteStatement{.topic = "note", .body = std::string(body), .evidence = {}});
}

Statement Reproduce(const Digest& record) {
  Reproduction reproduction;
  reproduction.outcome = "reproduced";
  return Make(StatementType::kReproduction, {About(record)}, std::move(reproduction));
}

Statement Verify(const Digest& record, const Digest& rerun) {
  return Make(StatementType::kVerification, {About(record)},
              Verification{.passed = true, .rerun = rerun});
}

Statement Retract(const std::vector<Digest>& records, std::optional<Digest> superseded_by) {
  std::vector<Subject> subjects;
  for (const Digest& record : records) subjects.push_back(About(record));
  return Make(StatementType::kRetraction, std::move(subjects),
              Retraction{.reason = "a test", .superseded_by = superseded_by});
}

std::string ForeignPayload(const std::vector<Digest>& subjects, std::string_view said) {
  std::string list;
  for (const Digest& digest : subjects) {
    if (!list.empty()) list += ", ";
    list += R"({"name": "one", "digest": {"sha256": ")" + digest.ToHex() + R"("}})";
  }
  return R"({"_type": "https://in-toto.io/Statement/v1", "subject": [)" + list +
         R"(], "predicateType": "https://test.example/said/v1", "predicate": {"said": ")" +
         std::string(said) + R"("}})";
}

Digest TestRecord(int n) { return Must(ParseManifest(TestManifest(n))).record; }

std::string TestVkey(std::string_view name) {
  return Must(NoteVerifier::Make(kOrigin, TestKey(name).public_key())).ToVkey();
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
