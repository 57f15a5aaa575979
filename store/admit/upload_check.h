// Who may upload an artifact: the signer of the very publication that will name it. So nobody
// without a publisher's key can fill the disk, and every upload has a name to it.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "core/crypto/digest.h"
#include "store/read/reader.h"

namespace stele::store {

struct UploadStart {
  Digest digest;
  uint64_t size = 0;
  uint64_t offset = 0;   // where the bytes go on
  std::string key_id;    // 32 bytes, unchecked
  std::string envelope;  // DSSE: a publication with an artifact subject of that digest and size
};

// At this moment of the log. NOT_FOUND, UNKNOWN_KEY; BAD_SIGNATURE and what else is wrong with
// envelope or statement; PERMISSION_DENIED, ROLE: below publisher; INVALID_ARGUMENT:
// UNKNOWN_SUBJECT (it names no such artifact), CONTENT_MISMATCH (with another size).
absl::Status CheckUpload(const UploadStart& start, const Reader& reader);

}  // namespace stele::store
