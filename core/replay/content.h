// Whether content is what the subjects of a publication say (formats §2, §4; rules 12, 30). Pure.
//
// The bytes are looked at one by one and let go: what is kept of them are facts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/crypto/digest.h"
#include "core/statement/statement.h"

namespace stele {

struct ContentFault {
  Digest digest;
  std::string reason;  // MISSING_CONTENT, CONTENT_MISMATCH
  friend bool operator==(const ContentFault&, const ContentFault&) = default;
};

class ContentCheck {
 public:
  // Takes the subjects of a publication; of any other statement nothing is asked.
  explicit ContentCheck(const Statement& statement);

  // What has to be there, in the order in which Take wants it: artifacts last, the largest at the
  // end.
  const std::vector<Digest>& wanted() const { return wanted_; }
  // The next of wanted(): its bytes, nothing if they are missing. Bytes with another digest count
  // as missing.
  void Take(const std::optional<std::string>& bytes);
  // How many bytes one of wanted() has, as its subject says, if it is an artifact and nothing else.
  // Then, instead of the bytes, their number will do, once the caller has verified their digest.
  std::optional<uint64_t> ArtifactSize(const Digest& digest) const;
  void TakeArtifact(std::optional<uint64_t> size);
  // After all were taken: faults in the order of the subjects.
  std::vector<ContentFault> Faults() const;
  uint64_t bytes() const { return bytes_; }

 private:
  struct Facts {
    uint64_t size = 0;
    // The record that these bytes are a canonical manifest of, where that was looked at.
    bool looked = false;
    std::optional<Digest> record;
  };
  bool HasToBeRead(const Digest& digest) const;
  void AddFaults(const Subject& record, std::vector<ContentFault>& faults) const;

  std::vector<Subject> subjects_;
  bool has_artifacts_ = false;
  std::vector<Digest> wanted_;
  size_t taken_ = 0;
  uint64_t bytes_ = 0;
  absl::flat_hash_map<Digest, Facts> facts_;  // of what is there
};

}  // namespace stele
