// What an entry of the log publishes. Pure.
#pragma once

#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/crypto/key.h"
#include "core/statement/statement.h"

namespace stele::client {

// The record subjects of a publication, by record digest.
class PublishedSubjects {
 public:
  // Reads a leaf that is proven to be in the log `origin`: it must be a publication by `signer`,
  // with a signature that verifies. DATA_LOSS if it is anything else.
  static absl::StatusOr<PublishedSubjects> Read(std::string_view leaf, std::string_view origin,
                                                const PublicKey& signer);

  bool Has(const Digest& record, const Digest& manifest) const;

 private:
  explicit PublishedSubjects(std::vector<Subject> subjects);
  std::vector<Subject> subjects_;
};

}  // namespace stele::client
