// The subjects of one publication statement, as they gather. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/publisher.h"
#include "core/base/limits.h"
#include "core/crypto/key.h"
#include "tools/push/ledger.h"

namespace stele::tools {

struct BatchLimits {
  size_t subjects = 64;                     // at most limits::kSubjects
  size_t content_bytes = 15 * 1024 * 1024;  // of their manifests
};

class Batch {
 public:
  explicit Batch(const BatchLimits& limits) : limits_(limits) {}

  bool empty() const { return publications_.empty(); }
  const std::vector<PublicationPtr>& publications() const { return publications_; }

  // Room for one more? Not if the batch is full, or has a subject of the same record: the same
  // record with other metadata is another statement.
  bool Fits(const Publication& publication) const;
  void Add(PublicationPtr publication);
  // Gives what has gathered and starts anew.
  std::vector<PublicationPtr> Take();

 private:
  const BatchLimits limits_;
  std::vector<PublicationPtr> publications_;
  size_t bytes_ = 0;
};

// The statement that publishes these records in the log `origin`, signed. INTERNAL if it does not
// read back as what it should say.
absl::StatusOr<client::OutgoingStatement> SignPublication(
    const std::vector<PublicationPtr>& publications, const std::string& origin,
    const PrivateKey& key);

// Signs any payload of Stele's own types for `origin`; INVALID_ARGUMENT as ParseStatement if the
// payload is none.
absl::StatusOr<client::OutgoingStatement> SignPayload(const std::string& payload,
                                                      const std::string& origin,
                                                      const PrivateKey& key);

}  // namespace stele::tools
