#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "client/fetcher.h"
#include "client/published.h"
#include "client/stubs.h"
#include "core/base/concat.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"

namespace stele::client {
namespace {

using Indexes = std::vector<std::optional<EntryIndex>>;

// One call's worth of answers, the server's word.
absl::Status AskForPublications(const Connection& connection,
                                absl::Span<const PublicationKey> items, Indexes& indexes) {
  v1::CheckPublicationsRequest request;
  for (const PublicationKey& item : items) {
    v1::PublicationKey* key = request.add_items();
    key->set_record(std::string(item.record.bytes()));
    key->set_manifest(std::string(item.manifest.bytes()));
    key->set_signer(std::string(item.signer.bytes()));
  }
  v1::CheckPublicationsResponse response;
  STELE_RETURN_IF_ERROR(Call(connection, *connection.stubs().records,
                             &v1::RecordService::Stub::CheckPublications, request, response));
  if (static_cast<size_t>(response.items_size()) != items.size()) {
    return Untrusted("the server answered another number of publications than was asked for");
  }
  for (const v1::PublicationStatus& status : response.items()) {
    if (status.published()) {
      indexes.emplace_back(EntryIndex(status.index()));
    } else {
      indexes.emplace_back();
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<PublicationRow> RowFrom(const v1::Publication& publication) {
  std::optional<KeyId> signer = Digest::FromBytes(publication.signer());
  std::optional<Digest> manifest = Digest::FromBytes(publication.manifest());
  if (!signer || !manifest) return Untrusted("a publication with a digest that has not 32 bytes");
  return PublicationRow{EntryIndex(publication.index()), *signer, *manifest,
                        publication.disputed()};
}

}  // namespace

absl::StatusOr<Indexes> Fetcher::CheckPublications(const PublicKey& signer,
                                                   absl::Span<const PublicationKey> items) const {
  Indexes indexes;
  for (size_t at = 0; at < items.size(); at += limits::kExistsItems) {
    STELE_RETURN_IF_ERROR(
        AskForPublications(connection_, items.subspan(at, limits::kExistsItems), indexes));
  }
  absl::flat_hash_map<EntryIndex, PublishedSubjects> entries;
  for (size_t i = 0; i < items.size(); ++i) {
    if (!indexes[i]) continue;
    auto found = entries.find(*indexes[i]);
    if (found == entries.end()) {
      STELE_ASSIGN_OR_RETURN(ProvenEntry entry, GetEntry(*indexes[i]));
      STELE_ASSIGN_OR_RETURN(PublishedSubjects subjects,
                             PublishedSubjects::Read(entry.leaf, verifier_.origin(), signer));
      found = entries.emplace(*indexes[i], std::move(subjects)).first;
    }
    if (!found->second.Has(items[i].record, items[i].manifest)) {
      return Untrusted(Concat("entry ", indexes[i]->value(), " does not publish ",
                              items[i].record.ToText(), ", as the server says"));
    }
  }
  return indexes;
}

absl::StatusOr<RecordPublications> Fetcher::GetRecord(const Digest& record) const {
  v1::GetRecordRequest request;
  request.set_record(std::string(record.bytes()));
  v1::GetRecordResponse response;
  STELE_RETURN_IF_ERROR(Call(connection_, *connection_.stubs().records,
                             &v1::RecordService::Stub::GetRecord, request, response));
  RecordPublications publications;
  publications.owner = Digest::FromBytes(response.owner());
  for (const v1::Publication& publication : response.publications()) {
    STELE_ASSIGN_OR_RETURN(PublicationRow row, RowFrom(publication));
    publications.rows.push_back(row);
  }
  return publications;
}

absl::Status Fetcher::ProvePublication(const Digest& record, const PublicationRow& row) const {
  STELE_ASSIGN_OR_RETURN(std::vector<KeyInfo> keys, ListKeys());
  const auto key = std::find_if(keys.begin(), keys.end(),
                                [&](const KeyInfo& info) { return info.key == row.signer; });
  if (key == keys.end()) return Untrusted("the publication's signer is not in the key ring");
  absl::StatusOr<PublicKey> signer = PublicKey::FromSpki(key->spki);
  if (!signer.ok()) return Untrusted("the key of the publication's signer", signer.status());
  STELE_ASSIGN_OR_RETURN(ProvenEntry entry, GetEntry(row.index));
  STELE_ASSIGN_OR_RETURN(PublishedSubjects subjects,
                         PublishedSubjects::Read(entry.leaf, verifier_.origin(), *signer));
  if (subjects.Has(record, row.manifest)) return absl::OkStatus();
  return Untrusted(Concat("entry ", row.index.value(), " does not publish ", record.ToText(),
                          ", as the server says"));
}

}  // namespace stele::client
