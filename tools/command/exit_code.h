// What the programs' exit codes mean, and which one an error is.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace stele::tools {

enum ExitCode : int {
  kExitDone = 0,
  kExitFailed = 1,       // some item failed
  kExitUsage = 2,        // the command line is wrong, or names a file that cannot be used
  kExitUnreachable = 3,  // the server cannot be reached
  kExitUntrusted = 4,    // verification failed: do not trust this source
};

// A mistake in the command line that only shows once it is looked at.
absl::Status UsageError(std::string message);

// DATA_LOSS is 4, UNAVAILABLE and DEADLINE_EXCEEDED 3, usage errors 2, OK 0, everything else 1.
int ExitCodeOf(const absl::Status& status);

// One line for people: message, and in brackets the reason word and the place if there are any.
std::string Describe(const absl::Status& status);

}  // namespace stele::tools
