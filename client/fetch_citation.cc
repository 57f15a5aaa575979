#include <utility>

#include "client/proofs.h"
#include "client/proven_tree.h"
#include "client/stubs.h"
#include "core/base/concat.h"
#include "core/base/serving_limits.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"
#include "core/record/manifest.h"

namespace stele::client {
namespace {

absl::Status CheckContent(const Digest& record, const CitationParts& parts) {
  if (parts.identity && Sha256(*parts.identity) != record) {
    return Untrusted(Concat("the bytes given for ", record.ToText(), " have another digest"));
  }
  if (!parts.manifest) return absl::OkStatus();
  absl::StatusOr<Manifest> manifest = ParseManifest(*parts.manifest);
  if (manifest.ok() && manifest->record == record && manifest->canonical == *parts.manifest) {
    return absl::OkStatus();
  }
  return Untrusted(Concat("the manifest given is none of ", record.ToText()));
}

absl::StatusOr<std::vector<EntryIndex>> IndexesFrom(const v1::GetCitationResponse& response) {
  std::vector<EntryIndex> indexes;
  for (uint64_t index : response.indexes()) {
    if (!indexes.empty() && index <= indexes.back().value()) {
      return Untrusted("the entries of a citation are not in ascending order");
    }
    indexes.emplace_back(index);
  }
  if (!indexes.empty() && indexes.size() <= limits::kProvenEntries) return indexes;
  return Untrusted(Concat("a citation of ", indexes.size(), " entries"));
}

}  // namespace

absl::StatusOr<CitationParts> Proofs::GetCitation(const Digest& record) const {
  const TreeSize floor = verifier_.newest();
  v1::GetCitationRequest request;
  request.set_record(std::string(record.bytes()));
  v1::GetCitationResponse response;
  STELE_RETURN_IF_ERROR(Call(connection_, *connection_.stubs().records,
                             &v1::RecordService::Stub::GetCitation, request, response));
  CitationParts parts;
  STELE_ASSIGN_OR_RETURN(parts.tree, TreeFrom(verifier_, floor, {}, response.tree()));
  if (response.has_identity()) parts.identity = std::move(*response.mutable_identity());
  if (response.has_manifest()) parts.manifest = std::move(*response.mutable_manifest());
  STELE_RETURN_IF_ERROR(CheckContent(record, parts));
  STELE_ASSIGN_OR_RETURN(const std::vector<EntryIndex> indexes, IndexesFrom(response));
  const auto keep = [&](EntryWithProof entry) {
    parts.entries.push_back(std::move(entry));
    return absl::OkStatus();
  };
  STELE_ASSIGN_OR_RETURN(const VerifiedTree tree, GetEntries(indexes, parts.tree.size, keep));
  if (tree.root == parts.tree.root) return parts;
  return Untrusted(
      Concat("the server showed two different trees of ", tree.size.value(), " entries"));
}

}  // namespace stele::client
