// stele cite: a record as a citation, made of what the server proves and verified before it is
// written.
#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "client/proofs.h"
#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/citation/text_forms.h"
#include "core/citation/verify.h"
#include "tools/command/common.h"
#include "tools/command/digest_argument.h"
#include "tools/command/exit_code.h"
#include "tools/command/output.h"
#include "tools/command/session.h"
#include "tools/io/file.h"

namespace stele::tools {
namespace {

constexpr mode_t kFileMode = 0644;

struct CiteFlags {
  std::string digest;
  std::string format = "text";
  std::string out;
};

TimeMs Now() {
  using std::chrono::milliseconds;
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return TimeMs(std::chrono::duration_cast<milliseconds>(since).count());
}

absl::StatusOr<Citation> BundleOf(const Digest& record, client::CitationParts parts) {
  if (!parts.identity || !parts.manifest) {
    return absl::FailedPreconditionError(Concat("the log withholds ",
                                                parts.identity ? "the manifest" : "the bytes",
                                                " of ", record.ToText(), ": it cannot be cited"));
  }
  Citation citation{record,
                    Permalink(parts.tree.head.origin, record),
                    *std::move(parts.identity),
                    *std::move(parts.manifest),
                    std::move(parts.tree.note),
                    {}};
  for (client::EntryWithProof& entry : parts.entries) {
    citation.entries.push_back(
        {entry.index, std::move(entry.leaf), std::move(entry.proof), std::move(entry.detached)});
  }
  return citation;
}

// Under the same policy or pin that everything else from this server is judged by.
absl::StatusOr<CitationVerdict> Check(const Citation& citation, const Session& session) {
  absl::StatusOr<CitationVerdict> verdict = VerifyCitation(citation, session.verifier->policy());
  if (verdict.ok()) return verdict;
  return Refuse(absl::StatusCode::kDataLoss, ReasonOf(verdict.status()),
                PointerOf(verdict.status()),
                Concat("what the server gave does not verify as a citation: ",
                       std::string(verdict.status().message())));
}

// The time of the first publication that counts; a citation that verifies has one.
TimeMs PublishedAt(const CitationVerdict& verdict) {
  for (const CitationVerdict::About& about : verdict.about) {
    if (about.type == StatementType::kPublication) return about.logged;
  }
  return TimeMs();
}

absl::StatusOr<std::string> Format(const std::string& format, const Citation& citation,
                                   const CitationVerdict& verdict) {
  if (format == "bundle") return FormatCitation(citation);
  STELE_ASSIGN_OR_RETURN(CitedWork work,
                         DescribeWork(citation.manifest, verdict.checkpoint.checkpoint.origin,
                                      PublishedAt(verdict), Now()));
  work.retracted = verdict.retracted;
  work.superseded_by = verdict.superseded_by;
  if (format == "bibtex") return FormatBibtex(work);
  return format == "csl" ? FormatCsl(work) : FormatPlain(work);
}

absl::Status Cite(const CiteFlags& cite, const CommonFlags& flags) {
  STELE_RETURN_IF_ERROR(HexOfDigestArgument(cite.digest).status());
  STELE_ASSIGN_OR_RETURN(const Session session, OpenSession(flags));
  STELE_ASSIGN_OR_RETURN(const Digest record, ResolveContent(session.fetcher(), cite.digest));
  const client::Proofs proofs(*session.connection, *session.verifier);
  STELE_ASSIGN_OR_RETURN(client::CitationParts parts, proofs.GetCitation(record));
  STELE_ASSIGN_OR_RETURN(const Citation citation, BundleOf(record, std::move(parts)));
  STELE_ASSIGN_OR_RETURN(const CitationVerdict verdict, Check(citation, session));
  STELE_ASSIGN_OR_RETURN(const std::string text, Format(cite.format, citation, verdict));
  if (!cite.out.empty()) STELE_RETURN_IF_ERROR(WriteNewFile(cite.out, text, kFileMode));
  if (flags.json) {
    return WriteJson(JsonObject({{"record", JsonText(record.ToText())},
                                 {"permalink", JsonText(citation.permalink)},
                                 {"format", JsonText(cite.format)},
                                 cite.out.empty() ? json::Member("citation", JsonText(text))
                                                  : json::Member("file", JsonText(cite.out))}));
  }
  return cite.out.empty() ? WriteOut(text) : WriteLine(citation.permalink);
}

}  // namespace

void AddCiteCommand(CLI::App& app, const CommonFlags& flags, int& exit_code) {
  auto cite = std::make_shared<CiteFlags>();
  CLI::App* command = app.add_subcommand(
      "cite",
      "Cite a record: as text with permalink, digest and access date, or as a bundle that\n"
      "proves offline what the log says about it. Verified before it is written.");
  command->add_option("DIGEST", cite->digest, "sha256:…, or 8 or more hex digits if unique")
      ->required();
  command->add_option("--format", cite->format, "What to write")
      ->check(CLI::IsMember({"bibtex", "csl", "text", "bundle"}))
      ->capture_default_str();
  command->add_option("-o,--out", cite->out,
                      "New file for it, never overwritten; the permalink is printed");
  command->footer(
      "Examples:\n"
      "  stele cite c61f8cd5 --format bibtex >>paper.bib\n"
      "  stele cite c61f8cd5 --format bundle -o run.stele-citation.json\n"
      "  stele verify run.stele-citation.json --policy policy");
  command->callback([cite, &flags, &exit_code] { exit_code = Fail(Cite(*cite, flags)); });
}

}  // namespace stele::tools
