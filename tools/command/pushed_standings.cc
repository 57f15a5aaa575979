#include "tools/command/pushed_standings.h"

#include <algorithm>
#include <vector>

#include "client/queries.h"
#include "core/base/concat.h"
#include "tools/command/exit_code.h"
#include "tools/command/record_text.h"

namespace stele::tools {
namespace {

constexpr size_t kTold = 20;

}  // namespace

void PushedStandings::Note(const Document& document) {
  if (!document.manifests.ok()) return;
  for (const NamedManifest& named : *document.manifests) records_.insert(named.manifest.record);
}

void PushedStandings::Tell(const Session& session,
                           const std::function<void(const std::string&)>& say) const {
  std::vector<Digest> records(records_.begin(), records_.end());
  std::sort(records.begin(), records.end());
  const auto standings = client::Queries(*session.connection).StandingsOf(records);
  if (!standings.ok()) {
    say(Concat("warning: whether records are retracted is not known: ",
               Describe(standings.status())));
    return;
  }
  size_t found = 0;
  for (const Standing& standing : *standings) {
    const std::vector<std::string> lines = WarningsOf(standing);
    if (lines.empty() || found++ >= kTold) continue;
    for (const std::string& line : lines) {
      say(Concat("warning: ", standing.record.ToText(), ": ", line));
    }
  }
  if (found > kTold) say(Concat("warning: and ", found - kTold, " more such records"));
}

}  // namespace stele::tools
