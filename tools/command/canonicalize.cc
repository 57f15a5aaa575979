// stele canonicalize: the exact bytes that a digest is of.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "tools/command/common.h"
#include "tools/command/exit_code.h"
#include "tools/command/output.h"
#include "tools/input/open.h"

namespace stele::tools {
namespace {

struct CanonicalizeFlags {
  std::string file;
  std::string member;
  bool manifest = false;
};

absl::StatusOr<std::vector<NamedManifest>> ReadOnlyDocument(const std::string& path) {
  STELE_ASSIGN_OR_RETURN(OpenedInput input, OpenInput(path, FormatChoice::kManifest));
  STELE_ASSIGN_OR_RETURN(std::optional<Document> first, input.reader->Next());
  if (!first) return absl::InvalidArgumentError(Concat(path, ": there is no manifest in it"));
  STELE_ASSIGN_OR_RETURN(std::optional<Document> second, input.reader->Next());
  if (second) {
    return absl::InvalidArgumentError(
        Concat(path, ": has more than one document; canonicalize takes one"));
  }
  if (!first->manifests.ok()) {
    return absl::InvalidArgumentError(
        Concat(first->place(), ": ", Describe(first->manifests.status())));
  }
  return std::move(first->manifests);
}

// The only manifest, or the one named by --member.
absl::StatusOr<const NamedManifest*> Choose(const std::vector<NamedManifest>& manifests,
                                            const std::string& member) {
  if (member.empty() && manifests.size() == 1) return &manifests.front();
  std::string members;
  for (const NamedManifest& named : manifests) {
    if (!member.empty() && named.member == member) return &named;
    members += Concat(members.empty() ? "" : ", ", named.member);
  }
  if (members.empty()) return UsageError("--member: this file is a manifest, no bundle");
  return UsageError(Concat(member.empty() ? "the file is a bundle; choose with --member one of "
                                          : "--member: no such member; the bundle has ",
                           members));
}

absl::Status Canonicalize(const CanonicalizeFlags& flags) {
  STELE_ASSIGN_OR_RETURN(std::vector<NamedManifest> manifests, ReadOnlyDocument(flags.file));
  STELE_ASSIGN_OR_RETURN(const NamedManifest* named, Choose(manifests, flags.member));
  return WriteOut(flags.manifest ? named->manifest.canonical : named->manifest.identity);
}

}  // namespace

void AddCanonicalizeCommand(CLI::App& app, const CommonFlags&, int& exit_code) {
  auto canonicalize = std::make_shared<CanonicalizeFlags>();
  CLI::App* command = app.add_subcommand(
      "canonicalize",
      "Print the RFC 8785 bytes of the identity body {apiVersion, kind, spec}, exactly:\n"
      "no newline is added, and their SHA-256 is the record digest. Needs no server.");
  command->add_option("FILE", canonicalize->file, "A manifest or a bundle; - is standard input")
      ->required();
  command->add_option("--member", canonicalize->member, "Which manifest of a bundle");
  command->add_flag("--manifest", canonicalize->manifest,
                    "The whole manifest with its metadata, the bytes of the manifest digest");
  command->footer(
      "Examples:\n"
      "  stele canonicalize run.json | sha256sum\n"
      "  stele canonicalize bundle.json --member protocol");
  command->callback([canonicalize, &exit_code] { exit_code = Fail(Canonicalize(*canonicalize)); });
}

}  // namespace stele::tools
