#include "tools/push/ledger.h"

#include "core/base/concat.h"

namespace stele::tools {

void Ledger::Close(Row& row) {
  if (!row.refused) return;
  ++tally_.refused;
  rejected_(row.document);
}

PublicationPtr Ledger::EnterManifest(NamedManifest named, const std::shared_ptr<Row>& row) {
  Manifest& manifest = named.manifest;
  if (records_.insert(manifest.record).second) ++tally_.records;
  const auto [place, fresh] = standings_.try_emplace({manifest.record, manifest.manifest});
  Standing& standing = place->second;
  if (!fresh && standing.open == nullptr) {
    row->refused = row->refused || standing.refused;
    return nullptr;
  }
  if (fresh) {
    standing.open = std::make_shared<Publication>();
    standing.open->record = manifest.record;
    standing.open->manifest = manifest.manifest;
    standing.open->canonical = std::move(manifest.canonical);
    standing.open->title =
        manifest.name.empty() ? manifest.kind : Concat(manifest.kind, " ", manifest.name);
  }
  standing.open->rows.push_back(row);
  ++row->undecided;
  return fresh ? standing.open : nullptr;
}

std::vector<PublicationPtr> Ledger::Enter(Document document) {
  ++tally_.rows;
  auto row = std::make_shared<Row>(Row{std::move(document)});
  row->refused = !row->document.manifests.ok();
  std::vector<PublicationPtr> fresh;
  if (!row->refused) {
    std::vector<NamedManifest> manifests = std::exchange(*row->document.manifests, {});
    for (NamedManifest& named : manifests) {
      PublicationPtr publication = EnterManifest(std::move(named), row);
      if (publication != nullptr) fresh.push_back(std::move(publication));
    }
  }
  if (row->undecided == 0) Close(*row);
  return fresh;
}

void Ledger::Decide(const PublicationPtr& publication, Outcome outcome) {
  if (outcome == Outcome::kPushed) ++tally_.pushed;
  if (outcome == Outcome::kAlreadyThere) ++tally_.already_there;
  const bool refused = outcome == Outcome::kRefused;
  standings_[{publication->record, publication->manifest}] = Standing{nullptr, refused};
  for (const std::shared_ptr<Row>& row : publication->rows) {
    row->refused = row->refused || refused;
    if (--row->undecided == 0) Close(*row);
  }
  publication->rows.clear();
}

}  // namespace stele::tools
