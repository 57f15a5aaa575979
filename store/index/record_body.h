// An identity body, as the index reads it. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/crypto/digest.h"
#include "core/kernelindex/profile.h"
#include "store/codec/index_values.h"

namespace stele::store {

struct BodyReference {
  Digest target;
  ReferenceValue value;
};

struct RecordBody {
  std::string kind;                       // cut
  std::vector<BodyReference> references;  // in the order of its RFC 8785 form
  std::optional<kernelindex::Profile> profile;
};

// Nothing if the bytes are no identity body in their RFC 8785 form: an audit reports that.
std::optional<RecordBody> ReadRecordBody(std::string_view identity);

// What the index keeps of a run.
RunValue RunValueOf(const kernelindex::BenchmarkRun& run);

}  // namespace stele::store
