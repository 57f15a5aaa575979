// A golden log as the replay takes it: every entry read, its signature checked.
#pragma once

#include <vector>

#include "core/replay/said.h"
#include "tests/support/golden_log.h"

namespace stele::testing {

std::vector<ReadEntry> ReadGoldenEntries(const GoldenLog& log);
std::vector<Said> ReadGoldenLog(const GoldenLog& log);

}  // namespace stele::testing
