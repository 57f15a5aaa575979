// stele log proof, consistency, watch: what the tree proves, verified before it is shown.
#pragma once

#include "tools/command/common.h"

namespace stele::tools {

// Below `stele log`.
void AddLogProofCommands(CLI::App& log, const CommonFlags& flags, int& exit_code);

}  // namespace stele::tools
