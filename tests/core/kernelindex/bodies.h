// Identity bodies of KernelIndex records for tests.
#pragma once

#include <string>
#include <string_view>

#include "core/record/manifest.h"

namespace stele::testing {

// The identity body of a record with this spec (JSON, any form). Aborts if it is no manifest.
inline std::string Body(std::string_view kind, std::string_view spec,
                        std::string_view api_version = "kernelindex.dev/v1alpha1") {
  std::string text = R"({"apiVersion":")" + std::string(api_version) + R"(","kind":")";
  text += std::string(kind) + R"(","spec":)" + std::string(spec) + "}";
  return ParseManifest(text).value().identity;
}

}  // namespace stele::testing
