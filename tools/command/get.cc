// stele get: content by digest, verified.
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "core/record/manifest.h"
#include "tools/command/common.h"
#include "tools/command/digest_argument.h"
#include "tools/command/exit_code.h"
#include "tools/command/fetch_content.h"
#include "tools/command/output.h"
#include "tools/command/query_session.h"
#include "tools/command/session.h"

namespace stele::tools {
namespace {

struct GetFlags {
  std::string digest;
  bool manifest = false;
  std::string publisher;
  std::string out;
};

// The latest publication by `signer` that counts.
absl::StatusOr<client::PublicationRow> Latest(const client::RecordPublications& publications,
                                              const KeyId& signer) {
  for (auto row = publications.rows.rbegin(); row != publications.rows.rend(); ++row) {
    if (row->signer == signer && !row->disputed) return *row;
  }
  return absl::NotFoundError(
      Concat("the key ", signer.ToText(), " has no publication of this record that counts"));
}

absl::StatusOr<KeyId> Publisher(const client::Fetcher& fetcher, const std::string& text,
                                const client::RecordPublications& publications) {
  if (!text.empty()) {
    STELE_ASSIGN_OR_RETURN(client::KeyInfo key, ResolveKey(fetcher, text));
    return key.key;
  }
  if (publications.owner) return *publications.owner;
  return absl::FailedPreconditionError(
      "every publication of this record is disputed, so that it has no owner; "
      "choose one with --publisher");
}

absl::StatusOr<std::string> GetManifest(const client::Fetcher& fetcher, const Digest& record,
                                        const std::string& publisher) {
  STELE_ASSIGN_OR_RETURN(client::RecordPublications publications, fetcher.GetRecord(record));
  STELE_ASSIGN_OR_RETURN(KeyId signer, Publisher(fetcher, publisher, publications));
  STELE_ASSIGN_OR_RETURN(client::PublicationRow row, Latest(publications, signer));
  STELE_RETURN_IF_ERROR(fetcher.ProvePublication(record, row));
  STELE_ASSIGN_OR_RETURN(std::string bytes, fetcher.GetContent(row.manifest));
  absl::StatusOr<Manifest> manifest = ParseManifest(bytes);
  if (manifest.ok() && manifest->record == record) return bytes;
  return absl::DataLossError(Concat("the manifest ", row.manifest.ToText(), " published in entry ",
                                    row.index.value(), " is not one of this record"));
}

absl::Status GetOne(const Session& session, const GetFlags& get, const Digest& digest,
                    const CommonFlags& flags) {
  if (!get.out.empty()) return FetchToFile(session, digest, get.out, flags).status();
  if (!get.manifest) return FetchToOutput(session, digest, flags);
  STELE_ASSIGN_OR_RETURN(const std::string bytes,
                         GetManifest(session.fetcher(), digest, get.publisher));
  return WriteOut(bytes);
}

absl::Status Get(const GetFlags& get, const CommonFlags& flags) {
  STELE_RETURN_IF_ERROR(HexOfDigestArgument(get.digest).status());
  if (get.manifest && !get.out.empty()) return UsageError("-o goes without --manifest");
  if (!get.publisher.empty()) {
    if (!get.manifest) return UsageError("--publisher goes with --manifest");
    STELE_RETURN_IF_ERROR(HexOfDigestArgument(get.publisher).status());
  }
  STELE_ASSIGN_OR_RETURN(Session session, OpenSession(flags));
  STELE_ASSIGN_OR_RETURN(const Digest digest, ResolveContent(session.fetcher(), get.digest));
  const absl::Status got = GetOne(session, get, digest, flags);
  // A reader who cites a retracted record must notice; a withheld one is told why it is not there.
  WarnOf(session, digest);
  return got;
}

}  // namespace

void AddGetCommand(CLI::App& app, const CommonFlags& flags, int& exit_code) {
  auto get = std::make_shared<GetFlags>();
  CLI::App* command = app.add_subcommand(
      "get",
      "Print content by digest, exactly the bytes whose SHA-256 it is: of a record the\n"
      "identity body, else whatever has that digest. Verified before it is printed.");
  command->add_option("DIGEST", get->digest, "sha256:…, or 8 or more hex digits if unique")
      ->required();
  command->add_flag("--manifest", get->manifest,
                    "The whole manifest with metadata, of the owner's latest publication");
  command->add_option("--publisher", get->publisher,
                      "With --manifest: of this key's latest publication instead");
  command->add_option("-o,--out", get->out,
                      "New file for it, never overwritten; an interrupted one is gone on with");
  command->footer(
      "Examples:\n"
      "  stele get sha256:c61f8cd5ac43d94099a10751c5f8dd4151fdb82a459dc957d43121b7bc6a5336\n"
      "  stele get c61f8cd5 --manifest");
  command->callback([get, &flags, &exit_code] { exit_code = Fail(Get(*get, flags)); });
}

}  // namespace stele::tools
