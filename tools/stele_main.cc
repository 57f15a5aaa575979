// The `stele` command.
#include <cstdlib>

#include "tools/command/common.h"

int main(int argc, char** argv) {
  // gRPC writes its own log to standard error; what matters in it is in our messages.
  ::setenv("GRPC_VERBOSITY", "NONE", /*overwrite=*/0);
  return stele::tools::RunStele(argc, argv, STELE_VERSION);
}
