// What goes into the log and what comes back: one statement, its outcome, and the sink that takes
// the outcomes of one caller. Plain data; no thread rules of their own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/strong_int.h"
#include "core/merkle/proof.h"

namespace stele::store {

// One statement as it comes in.
struct PublishItem {
  uint64_t tag = 0;
  std::string key_id;  // 32 bytes, unchecked
  std::string envelope;
  std::vector<std::string> manifests;
  std::string address;  // whoever sent it: guests are counted by it
  size_t bytes() const {
    size_t sum = key_id.size() + envelope.size();
    for (const std::string& manifest : manifests) sum += manifest.size();
    return sum;
  }
};

struct Receipt {
  EntryIndex index;
  std::string leaf;
  Proof proof;
  bool replayed = false;
};
struct PublishOutcome {
  uint64_t tag = 0;
  absl::StatusOr<Receipt> result;
};

// Takes the answers of one caller.
class PublishSink {
 public:
  virtual ~PublishSink() = default;
  // Outcomes decided together; receipts are proven against `checkpoint`, of a tree that is on
  // stable storage. Called from the store's own threads, one call at a time for each sink. Never
  // blocks, and may call Store::Publish. `checkpoint` is never null; it is empty only if there is
  // no receipt.
  virtual void OnOutcomes(std::shared_ptr<const std::string> checkpoint,
                          std::vector<PublishOutcome> outcomes) = 0;
};

}  // namespace stele::store
