// The registry's export (the shared folder's data): its benchmark runs with what the registry
// itself says about them, and the workloads and implementations that they name.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/kernelindex/profile.h"

namespace stele::testing {

struct CorpusRun {
  Digest record;
  kernelindex::Profile profile;
  // The registry's own columns.
  std::string comparison_key;
  std::optional<double> primary_value;
  bool source_native = false;
  bool has_raw_evidence = false;
  std::string status;
};

struct Corpus {
  std::vector<CorpusRun> runs;
  std::map<Digest, kernelindex::Profile> records;  // workloads and implementations
  std::vector<std::string> manifests;              // of all of these, as they are published
};

// Read once a test program. Null if the shared folder is absent: the test skips with kNoShared.
// A row that is not as it should be ends the test program.
const Corpus* SharedCorpus();

}  // namespace stele::testing
