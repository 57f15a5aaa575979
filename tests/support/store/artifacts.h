// Artifacts of tests: bytes, the publication that names them, and the way in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/statement/statement.h"
#include "store/store.h"
#include "tests/support/store/statements.h"

namespace stele::testing {

// Bytes that follow from a number, and compress as badly as any.
std::string ArtifactBytes(uint64_t number, size_t size);

// A publication of these artifacts.
Statement ArtifactPublication(const std::vector<std::string>& artifacts);

// The start of an upload of `bytes`, with a publication of them signed by `signer`.
store::UploadStart StartOf(const std::string& bytes, const PrivateKey& signer, uint64_t offset = 0);

// Uploads from where the store is, to the end, in pieces of this many bytes.
absl::StatusOr<store::ArtifactState> Upload(store::Store& store, const std::string& bytes,
                                            const PrivateKey& signer, size_t piece = 100'000);

// All of it as a reader streams it from `offset` on.
absl::StatusOr<std::string> ReadStream(const store::Reader& reader, const Digest& digest,
                                       uint64_t offset = 0);

}  // namespace stele::testing
