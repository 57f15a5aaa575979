// The `stele` command.
#include "tools/command/common.h"

int main(int argc, char** argv) { return stele::tools::RunStele(argc, argv, STELE_VERSION); }
