#include "tools/command/query_session.h"

#include <string>

#include "core/base/concat.h"
#include "tools/command/exit_code.h"

namespace stele::tools {

void SayLag(const IndexMoment& moment, const CommonFlags& flags) {
  const std::string lag = LagText(moment);
  if (!lag.empty() && !flags.quiet) Complain(lag);
}

void WarnOf(const Session& session, const Digest& record) {
  const auto standings = client::Queries(*session.connection).StandingsOf({&record, 1});
  if (!standings.ok()) {
    Complain(Concat("warning: whether ", record.ToText(),
                    " is retracted is not known: ", Describe(standings.status())));
    return;
  }
  for (const std::string& line : WarningsOf(standings->front())) {
    Complain(Concat("warning: ", record.ToText(), ": ", line));
  }
}

}  // namespace stele::tools
