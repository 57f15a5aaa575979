#include "server/rpc/history_answers.h"

#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/refusal.h"
#include "core/base/serving_limits.h"
#include "core/base/status_macros.h"
#include "core/statement/statement.h"
#include "server/base/cat.h"
#include "server/rpc/proof_answers.h"
#include "server/rpc/record_answers.h"
#include "server/rpc/status.h"
#include "store/read/citation_entries.h"
#include "store/read/record_entries.h"

namespace stele::server {
namespace {

absl::Status NeverPublished(const Digest& record) {
  return Refuse(absl::StatusCode::kNotFound, reason::kNotFound, "/record",
                Cat("the log says nothing about ", record.ToText()));
}

absl::StatusOr<size_t> PageSize(int32_t asked) {
  if (asked == 0) return limits::kRecordEntries;
  if (asked > 0 && static_cast<size_t>(asked) <= limits::kRecordEntries) {
    return static_cast<size_t>(asked);
  }
  return RefuseInput(reason::kWrongValue, "/page_size",
                     Cat("a page has 1 to ", limits::kRecordEntries, " entries"));
}

// A token is the index after the last one of the page before, in decimal.
absl::StatusOr<EntryIndex> FirstIndex(const std::string& token) {
  uint64_t index = 0;
  const char* const end = token.data() + token.size();
  const auto [at, error] = std::from_chars(token.data(), end, index);
  const bool good = token.empty() || (error == std::errc() && at == end);
  if (good && (token.empty() || std::to_string(index) == token)) return EntryIndex(index);
  return RefuseInput(reason::kWrongValue, "/page_token", "no page token of this server");
}

void FillEntry(const store::RecordEntry& entry, v1::RecordEntry& out) {
  out.set_index(entry.index.value());
  out.set_type(std::string(StatementTypeName(entry.type)));
  out.set_signer(std::string(entry.signer.bytes()));
  out.set_authority(entry.authority.value());
  out.set_disputed(entry.disputed);
}

// The first publication that is not disputed makes the owner, its latest such one the manifest.
struct Chosen {
  std::optional<KeyId> owner;
  Digest manifest;
};
Chosen Choose(const store::Reader::Publications& published) {
  Chosen chosen{.owner = {}, .manifest = published.rows.back().manifest};
  for (size_t i = 0; i < published.rows.size(); ++i) {
    if (published.disputed[i]) continue;
    if (!chosen.owner) chosen.owner = published.rows[i].signer;
    if (published.rows[i].signer == *chosen.owner) chosen.manifest = published.rows[i].manifest;
  }
  return chosen;
}

// Nothing if it is withheld.
absl::StatusOr<std::optional<std::string>> ReadUnlessWithheld(const store::Reader& reader,
                                                              const Digest& digest) {
  absl::StatusOr<std::string> bytes = reader.Content(digest);
  if (bytes.ok()) return std::optional(*std::move(bytes));
  if (ReasonOf(bytes.status()) == reason::kWithheld) return std::optional<std::string>();
  return bytes.status();
}

}  // namespace

absl::Status AnswerListRecordEntries(const store::Reader& reader,
                                     const v1::ListRecordEntriesRequest& request,
                                     v1::ListRecordEntriesResponse& response) {
  STELE_ASSIGN_OR_RETURN(const Digest record, DigestField(request.record(), "/record"));
  STELE_ASSIGN_OR_RETURN(const size_t page, PageSize(request.page_size()));
  STELE_ASSIGN_OR_RETURN(const EntryIndex first, FirstIndex(request.page_token()));
  STELE_ASSIGN_OR_RETURN(const std::vector<store::RecordEntry> entries,
                         store::RecordEntries(reader, record));
  if (entries.empty()) return NeverPublished(record);
  response.set_tree_size(reader.head().size.value());
  for (const store::RecordEntry& entry : entries) {
    if (entry.index < first) continue;
    if (static_cast<size_t>(response.entries_size()) == page) {
      response.set_next_page_token(std::to_string(entry.index.value()));
      break;
    }
    FillEntry(entry, *response.add_entries());
  }
  return absl::OkStatus();
}

absl::Status AnswerGetCitation(const store::Reader& reader, const v1::GetCitationRequest& request,
                               v1::GetCitationResponse& response) {
  STELE_ASSIGN_OR_RETURN(const Digest record, DigestField(request.record(), "/record"));
  STELE_ASSIGN_OR_RETURN(const store::Reader::Publications published,
                         reader.PublicationsOf(record));
  if (published.rows.empty()) return NeverPublished(record);
  absl::StatusOr<std::vector<EntryIndex>> entries =
      store::CitationEntries(reader, record, limits::kProvenEntries);
  if (absl::IsResourceExhausted(entries.status())) {
    return RefuseLimit(absl::StatusCode::kResourceExhausted, reason::kTooLarge, "proven_entries",
                       limits::kProvenEntries, FromAbsl(entries.status().message()));
  }
  STELE_RETURN_IF_ERROR(entries.status());
  for (EntryIndex index : *entries) response.add_indexes(index.value());
  const Chosen chosen = Choose(published);
  if (chosen.owner) response.set_owner(std::string(chosen.owner->bytes()));
  STELE_ASSIGN_OR_RETURN(auto identity, ReadUnlessWithheld(reader, record));
  if (identity) response.set_identity(*std::move(identity));
  STELE_ASSIGN_OR_RETURN(auto manifest, ReadUnlessWithheld(reader, chosen.manifest));
  if (manifest) response.set_manifest(*std::move(manifest));
  return FillTree(reader, reader.head().size, *response.mutable_tree());
}

}  // namespace stele::server
