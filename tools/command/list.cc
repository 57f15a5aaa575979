// stele list: published records, newest first.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "tools/command/common.h"
#include "tools/command/digest_argument.h"
#include "tools/command/output.h"
#include "tools/command/query_session.h"

namespace stele::tools {
namespace {

struct ListFlags {
  std::string kind, name, publisher, references;
  uint64_t limit = 50;
};

absl::Status PrintRecord(const RecordRow& row, const CommonFlags& flags) {
  return flags.json ? WriteJson(RecordJson(row)) : WriteLine(RecordText(row));
}

absl::Status PrintReference(const ReferenceRow& row, const CommonFlags& flags) {
  if (flags.json) return WriteJson(ReferenceJson(row));
  const std::string pointer = row.pointer.empty() ? "(a long path)" : row.pointer;
  return WriteLine(Concat(RecordText(row.from), "  at ", pointer));
}

// Of references alone it says where they are.
absl::Status ListReferences(const client::Queries& queries, const Digest& target, uint64_t limit,
                            const CommonFlags& flags) {
  return ForEachRow<ReferenceRow>(
      limit, flags, [&](const PageRequest& page) { return queries.ReferencesTo(target, page); },
      [&](const ReferenceRow& row) { return PrintReference(row, flags); });
}

absl::Status List(const ListFlags& list, const CommonFlags& flags) {
  STELE_ASSIGN_OR_RETURN(const Session session, OpenSession(flags));
  ListFilter filter{.name = list.name};
  if (!list.kind.empty()) filter.kind = list.kind;
  if (!list.publisher.empty()) {
    STELE_ASSIGN_OR_RETURN(const client::KeyInfo key,
                           ResolveKey(session.fetcher(), list.publisher));
    filter.publisher = key.key;
  }
  const client::Queries queries(*session.connection);
  if (!list.references.empty()) {
    STELE_ASSIGN_OR_RETURN(filter.references, ResolveContent(session.fetcher(), list.references));
    if (!filter.kind && filter.name.empty() && !filter.publisher) {
      return ListReferences(queries, *filter.references, list.limit, flags);
    }
  }
  return ForEachRow<RecordRow>(
      list.limit, flags, [&](const PageRequest& page) { return queries.List(filter, page); },
      [&](const RecordRow& row) { return PrintRecord(row, flags); });
}

}  // namespace

void AddListCommand(CLI::App& app, const CommonFlags& flags, int& exit_code) {
  auto list = std::make_shared<ListFlags>();
  CLI::App* command = app.add_subcommand(
      "list",
      "Published records, the newest first, a line each: digest, kind, name and title, and\n"
      "whether it is retracted, disputed or withheld. The server's reading of its log.");
  command->add_option("--kind", list->kind, "Only records of this kind");
  command->add_option("--name", list->name,
                      "Only records with these words in name or title; the last may be a prefix");
  command->add_option("--publisher", list->publisher,
                      "Only records that this key published: key id or a unique prefix");
  command->add_option("--references", list->references,
                      "Only records that point at this digest; alone, with the place as well");
  command->add_option("--limit", list->limit, "At most this many; 0 for all")
      ->capture_default_str();
  command->footer(
      "Examples:\n"
      "  stele list --kind BenchmarkRun --name \"flash attention\"\n"
      "  stele list --references c61f8cd5 --json");
  command->callback([list, &flags, &exit_code] { exit_code = Fail(List(*list, flags)); });
}

}  // namespace stele::tools
