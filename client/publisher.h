// Publishes signed statements over one stream that survives the loss of the connection.
//
// Statements are written as they come, several to a request, up to a window of unanswered ones.
// Every receipt is verified (client/receipt.h) before its statement counts as published. What was
// not answered when a stream is lost is sent again, with growing pauses, until nothing was answered
// for the connection's timeout: publishing is idempotent. The same is done with statements that the
// server answers with UNAVAILABLE, or with RESOURCE_EXHAUSTED and a delay.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/checkpoint_verifier.h"
#include "client/connection.h"
#include "core/base/limits.h"
#include "core/base/strong_int.h"
#include "core/crypto/key.h"
#include "core/merkle/proof.h"

namespace stele::client {

struct OutgoingStatement {
  KeyId key;
  std::string envelope;                 // DSSE
  std::vector<std::string> manifests;   // of its record subjects
  std::optional<PublicKey> public_key;  // of `key`: checks a stored signature that is not ours
};

// A receipt as it came, verified: with the log key's vkey it proves that the leaf is in the log.
struct KeptReceipt {
  std::string leaf;
  Proof proof;
  std::string checkpoint;  // the signed note
};

struct Published {
  EntryIndex index;
  bool replayed = false;  // it was in the log before this answer
  bool resent = false;    // we sent it more than once, so that "before" may have been us
  std::shared_ptr<const KeptReceipt> receipt;  // with PublisherOptions::keep_receipts, else null
};

struct PublisherOptions {
  size_t window_statements = 256;          // unanswered ones
  size_t window_bytes = 16 * 1024 * 1024;  // of them
  size_t request_statements = 64;          // of one request
  size_t request_bytes = 4 * 1024 * 1024;  // of one request, unless one statement is larger
  // Called when a stream is lost and will be opened again, with the number of statements that had
  // been sent and were not answered, from a thread of the publisher; may be empty.
  std::function<void(const absl::Status&, size_t unanswered)> on_trouble;
  bool keep_receipts = false;
};

// Send and Finish from one thread; `done` is called from the publisher's threads, one call at a
// time, and must not call the publisher.
class Publisher {
 public:
  // Called exactly once for every statement taken, with its tag. Errors: the server's about this
  // statement; DATA_LOSS if an answer did not verify (then every further statement fails the same
  // way); or the reason for giving up, UNAVAILABLE or DEADLINE_EXCEEDED, when it is unknown whether
  // the statement is in the log.
  using Done = std::function<void(uint64_t tag, absl::StatusOr<Published> result)>;

  // Both references must outlive the publisher.
  Publisher(const Connection& connection, CheckpointVerifier& verifier,
            const PublisherOptions& options, Done done);
  // Gives up what is unanswered (CANCELLED to `done`).
  ~Publisher();

  // Takes a statement; waits while the window is full. `tag` is not among the unanswered. An error
  // means that the publisher has given up: the statement is not taken.
  absl::Status Send(uint64_t tag, OutgoingStatement statement);

  // Waits until every statement taken is decided. OK if all were answered, whatever the answers
  // were, and sending may go on; else why the publisher gave up.
  absl::Status Flush();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stele::client
