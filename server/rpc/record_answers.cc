#include "server/rpc/record_answers.h"

#include <optional>
#include <vector>

#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "server/base/cat.h"
#include "server/rpc/service_limits.h"
#include "server/rpc/status.h"

namespace stele::server {
namespace {

// The first publication of this very record, manifest and signer.
absl::Status CheckOne(const store::Reader& reader, const v1::PublicationKey& key,
                      std::string_view pointer, v1::PublicationStatus& status) {
  STELE_ASSIGN_OR_RETURN(Digest record, DigestField(key.record(), Cat(pointer, "/record")));
  STELE_ASSIGN_OR_RETURN(Digest manifest, DigestField(key.manifest(), Cat(pointer, "/manifest")));
  STELE_ASSIGN_OR_RETURN(KeyId signer, DigestField(key.signer(), Cat(pointer, "/signer")));
  STELE_ASSIGN_OR_RETURN(store::Reader::Publications found, reader.PublicationsOf(record));
  for (const store::PublicationRow& row : found.rows) {
    if (row.manifest != manifest || row.signer != signer) continue;
    status.set_published(true);
    status.set_index(row.index.value());
    break;
  }
  return absl::OkStatus();
}

bool IsHex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string Bytes(const Digest& digest) { return std::string(digest.bytes()); }

}  // namespace

absl::StatusOr<Digest> DigestField(std::string_view bytes, std::string_view pointer) {
  std::optional<Digest> digest = Digest::FromBytes(bytes);
  if (!digest) {
    return RefuseInput(reason::kWrongValue, pointer,
                       Cat("a digest has 32 bytes, not ", bytes.size()));
  }
  return *digest;
}

absl::StatusOr<std::string> ReadContent(const store::Reader& reader, const Digest& digest) {
  absl::StatusOr<std::string> content = reader.Content(digest);
  if (!absl::IsNotFound(content.status()) || ReasonOf(content.status()) == reason::kWithheld) {
    return content;
  }
  return Refuse(absl::StatusCode::kNotFound, reason::kNotFound, "",
                Cat("nothing is stored under ", digest.ToText()));
}

absl::Status AnswerResolvePrefix(const store::Reader& reader,
                                 const v1::ResolvePrefixRequest& request,
                                 v1::ResolvePrefixResponse& response) {
  constexpr size_t kMost = service_limits::kPrefixDigests;
  const std::string& prefix = request.hex_prefix();
  if (prefix.size() < limits::kDigestPrefixHex) {
    return RefuseLimit(absl::StatusCode::kInvalidArgument, reason::kWrongValue, "digest_prefix_hex",
                       limits::kDigestPrefixHex,
                       Cat("a prefix has at least ", limits::kDigestPrefixHex, " hex digits"));
  }
  if (prefix.size() > 2 * Digest::kBytes || !IsHex(prefix)) {
    return RefuseInput(reason::kWrongValue, "/hex_prefix",
                       "a prefix is 8 to 64 lowercase hex digits");
  }
  STELE_ASSIGN_OR_RETURN(std::vector<Digest> found, reader.ContentByPrefix(prefix, kMost + 1));
  if (found.empty()) {
    return Refuse(absl::StatusCode::kNotFound, reason::kNotFound, "",
                  Cat("nothing is stored under a digest that begins with ", prefix));
  }
  response.set_truncated(found.size() > kMost);
  if (found.size() > kMost) found.resize(kMost);
  for (const Digest& digest : found) response.add_digests(Bytes(digest));
  return absl::OkStatus();
}

absl::Status AnswerCheckPublications(const store::Reader& reader,
                                     const v1::CheckPublicationsRequest& request,
                                     v1::CheckPublicationsResponse& response) {
  const auto count = static_cast<size_t>(request.items_size());
  if (count > limits::kExistsItems) {
    return RefuseLimit(absl::StatusCode::kResourceExhausted, reason::kTooLarge, "exists_items",
                       limits::kExistsItems,
                       Cat(count, " items in one request, at most ", limits::kExistsItems));
  }
  response.mutable_items()->Reserve(request.items_size());
  for (int i = 0; i < request.items_size(); ++i) {
    STELE_RETURN_IF_ERROR(
        CheckOne(reader, request.items(i), Cat("/items/", i), *response.add_items()));
  }
  return absl::OkStatus();
}

absl::Status AnswerGetRecord(const store::Reader& reader, const v1::GetRecordRequest& request,
                             v1::GetRecordResponse& response) {
  STELE_ASSIGN_OR_RETURN(Digest record, DigestField(request.record(), "/record"));
  STELE_ASSIGN_OR_RETURN(store::Reader::Publications found, reader.PublicationsOf(record));
  if (found.rows.empty()) {
    return Refuse(absl::StatusCode::kNotFound, reason::kNotFound, "",
                  Cat("no publication of a record ", record.ToText(), " is in the log"));
  }
  response.set_tree_size(reader.head().size.value());
  for (size_t i = 0; i < found.rows.size(); ++i) {
    const store::PublicationRow& row = found.rows[i];
    v1::Publication& publication = *response.add_publications();
    publication.set_index(row.index.value());
    publication.set_signer(Bytes(row.signer));
    publication.set_manifest(Bytes(row.manifest));
    publication.set_disputed(found.disputed[i]);
    if (!found.disputed[i] && response.owner().empty()) response.set_owner(Bytes(row.signer));
  }
  return absl::OkStatus();
}

}  // namespace stele::server
