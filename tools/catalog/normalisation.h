// Where KernelIndex itself would have given a manifest another digest. Pure.
//
// The registry normalises what it is handed before it computes a digest; Stele never does. Two of
// its habits show in a manifest, and only these two are looked for:
//   - a duration written as text ("143.9us") where the registry stores a number of nanoseconds;
//   - a list that is a set to the registry (`support.dtypes`, `support.hardwareArchitectures`,
//     `support.productsTested`) and is not sorted, or names something twice.
// A hint for people, never a refusal: the digest that Stele computes is the one of the bytes.
#pragma once

#include <string>
#include <vector>

#include "core/record/manifest.h"

namespace stele::tools {

// One sentence each, with the JSON Pointer; empty for manifests of other apiVersions.
std::vector<std::string> NormalisationWarnings(const Manifest& manifest);

}  // namespace stele::tools
