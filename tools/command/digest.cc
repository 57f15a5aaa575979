// stele digest: what items are called, without a server.
#include <CLI/CLI.hpp>
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

struct DigestFlags {
  std::vector<std::string> files;
  std::string format = "auto";
};

absl::Status PrintManifest(const Document& document, const NamedManifest& named, bool as_json) {
  const Manifest& manifest = named.manifest;
  if (!as_json) {
    return WriteLine(Concat(manifest.record.ToText(), "  ", manifest.kind, "  ",
                            manifest.name.empty() ? "-" : manifest.name));
  }
  return WriteJson(JsonObject({{"record", JsonText(manifest.record.ToText())},
                               {"manifest", JsonText(manifest.manifest.ToText())},
                               {"apiVersion", JsonText(manifest.api_version)},
                               {"kind", JsonText(manifest.kind)},
                               {"name", JsonText(manifest.name)},
                               {"file", JsonText(document.file)},
                               {"line", JsonNumber(document.line)},
                               {"member", JsonText(named.member)}}));
}

// Prints what the file holds; false if an item was refused.
absl::StatusOr<bool> DigestFile(const std::string& path, FormatChoice choice, bool as_json) {
  STELE_ASSIGN_OR_RETURN(OpenedInput input, OpenInput(path, choice));
  bool all = true;
  for (;;) {
    STELE_ASSIGN_OR_RETURN(std::optional<Document> document, input.reader->Next());
    if (!document) return all;
    if (!document->manifests.ok()) {
      Complain(Concat(document->place(), ": ", Describe(document->manifests.status())));
      all = false;
      continue;
    }
    for (const NamedManifest& named : *document->manifests) {
      STELE_RETURN_IF_ERROR(PrintManifest(*document, named, as_json));
    }
  }
}

int RunDigest(const DigestFlags& digest, const CommonFlags& flags) {
  std::optional<FormatChoice> choice = ParseFormatChoice(digest.format);
  int exit_code = kExitDone;
  for (const std::string& path : digest.files) {
    absl::StatusOr<bool> all = DigestFile(path, *choice, flags.json);
    if (!all.ok()) Complain(Concat(path, ": ", Describe(all.status())));
    if (!all.ok() || !*all) exit_code = kExitFailed;
  }
  return exit_code;
}

}  // namespace

void AddDigestCommand(CLI::App& app, const CommonFlags& flags, int& exit_code) {
  auto digest = std::make_shared<DigestFlags>();
  CLI::App* command = app.add_subcommand(
      "digest",
      "Print the record digest of every manifest, one line each: sha256:…  kind  name.\n"
      "Reads JSON, NDJSON, YAML and bundles, also compressed with zstd. Needs no server.");
  command->add_option("FILE", digest->files, "Files to read; - is standard input")->required();
  command->add_option("--format", digest->format, "How to read the input")
      ->check(CLI::IsMember({"auto", "manifest", "kernelindex-catalog"}))
      ->capture_default_str();
  command->footer(
      "Examples:\n"
      "  stele digest run.json\n"
      "  stele digest --json results.ndjson.zst");
  command->callback([digest, &flags, &exit_code] { exit_code = RunDigest(*digest, flags); });
}

}  // namespace stele::tools
