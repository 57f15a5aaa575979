#include "tools/command/envelope_file.h"

#include <memory>
#include <utility>

#include "core/base/concat.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"
#include "core/json/canonical.h"
#include "core/json/parse.h"
#include "tools/command/exit_code.h"
#include "tools/command/output.h"
#include "tools/command/publish_one.h"
#include "tools/command/session.h"
#include "tools/io/byte_source.h"
#include "tools/io/file.h"
#include "tools/io/input_stream.h"

namespace stele::tools {
namespace {

absl::StatusOr<std::string> ReadInput(const std::string& path, size_t max_bytes) {
  absl::StatusOr<std::string> bytes;
  if (path == "-") {
    STELE_ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> source, OpenBytes(path));
    bytes = InputStream(std::move(source)).ReadRest(max_bytes);
  } else {
    bytes = ReadFileAtMost(path, max_bytes);
  }
  if (bytes.ok()) return bytes;
  return UsageError(std::string(bytes.status().message()));
}

// As `sha256:…`, or as the hex digits alone, which other tools write.
std::optional<KeyId> ReadKeyId(const std::string& text) {
  const std::optional<KeyId> id = KeyId::FromText(text);
  return id ? id : KeyId::FromHex(text);
}

std::optional<KeyId> KeyIdOf(const json::Value& signature) {
  if (signature.object() == nullptr) return std::nullopt;
  const json::Value* key_id = signature.object()->Find("keyid");
  if (key_id == nullptr || key_id->string() == nullptr) return std::nullopt;
  return ReadKeyId(*key_id->string());
}

absl::Status NoEnvelope(std::string_view why) {
  return UsageError(Concat("--envelope: this is no DSSE envelope: ", why));
}

absl::Status Report(const client::Published& published, const KeyId& key, bool as_json) {
  if (as_json) {
    return WriteJson(JsonObject({{"key", JsonText(key.ToText())},
                                 {"index", JsonNumber(published.index.value())},
                                 {"replayed", json::Value(published.replayed)}}));
  }
  return WriteLine(Concat("published what ", key.ToText(), " signed",
                          published.replayed ? ": it was there, at entry " : " at entry ",
                          published.index.value()));
}

// With the one signature, everything else as it stands.
std::string WithSignature(const json::Object& envelope, const json::Value& signature) {
  json::Object single = envelope;
  for (json::Member& member : single.members) {
    if (member.first == "signatures") member.second = json::Value(json::Array{signature});
  }
  return json::Canonical(json::Value(std::move(single)));
}

}  // namespace

absl::StatusOr<std::vector<SingleEnvelope>> SplitEnvelope(const std::string& text,
                                                          const std::optional<KeyId>& key) {
  const absl::StatusOr<json::Value> value = json::Parse(text);
  if (!value.ok()) return NoEnvelope(std::string(value.status().message()));
  const json::Object* envelope = value->object();
  const json::Value* member = envelope == nullptr ? nullptr : envelope->Find("signatures");
  const json::Array* signatures = member == nullptr ? nullptr : member->array();
  if (signatures == nullptr || signatures->empty()) return NoEnvelope("it has no signatures");
  if (signatures->size() == 1 && key) return std::vector<SingleEnvelope>{{*key, text}};
  std::vector<SingleEnvelope> single;
  for (size_t i = 0; i < signatures->size(); ++i) {
    const std::optional<KeyId> signer = KeyIdOf((*signatures)[i]);
    if (key && signer != key) continue;
    if (!signer) {
      return UsageError(Concat("--envelope: /signatures/", i,
                               "/keyid is no key id, sha256: and 64 ",
                               "lowercase hex digits: name the key with --keyid"));
    }
    single.push_back(
        {*signer, signatures->size() == 1 ? text : WithSignature(*envelope, (*signatures)[i])});
  }
  if (!single.empty()) return single;
  return UsageError(Concat("--envelope: none of its signatures is by ", key->ToText()));
}

absl::Status AttestEnvelope(const EnvelopeFlags& envelope, const CommonFlags& flags) {
  std::optional<KeyId> key;
  if (!envelope.key_id.empty()) {
    key = ReadKeyId(envelope.key_id);
    if (!key) {
      return UsageError(Concat("--keyid ", envelope.key_id, ": expected sha256: and 64 lowercase ",
                               "hex digits"));
    }
  }
  STELE_ASSIGN_OR_RETURN(const std::string text, ReadInput(envelope.file, limits::kEnvelopeBytes));
  STELE_ASSIGN_OR_RETURN(const std::vector<SingleEnvelope> single, SplitEnvelope(text, key));
  std::vector<std::string> manifests;
  for (const std::string& path : envelope.manifests) {
    STELE_ASSIGN_OR_RETURN(std::string manifest, ReadInput(path, limits::kManifestBytes));
    manifests.push_back(std::move(manifest));
  }
  STELE_ASSIGN_OR_RETURN(Session session, OpenSession(flags));
  // All of them, whatever becomes of one: what was refused is said in the end.
  absl::Status first;
  for (const SingleEnvelope& one : single) {
    client::OutgoingStatement statement;
    statement.key = one.key;
    statement.envelope = one.text;
    statement.manifests = manifests;
    const absl::StatusOr<client::Published> published =
        PublishSigned(session, std::move(statement));
    if (published.ok()) {
      STELE_RETURN_IF_ERROR(Report(*published, one.key, flags.json));
    } else if (first.ok()) {
      first = published.status();
    } else {
      Complain(Describe(published.status()));
    }
  }
  return first;
}

}  // namespace stele::tools
