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

void TellStandings(const Session& session, const absl::flat_hash_set<Digest>& pushed,
                   const std::function<void(const std::string&)>& say) {
  std::vector<Digest> records(pushed.begin(), pushed.end());
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
