// Drives one `stele push`: documents in, signed statements out, every publication decided.
//
// Publications that are in the log already are found in bulk before anything is signed. Memory is
// bounded by the publisher's window and kLookAhead publications, whatever the input's size, except
// for the two digests of every publication. One thread; the publisher has its own.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "client/checkpoint_verifier.h"
#include "client/connection.h"
#include "client/fetcher.h"
#include "client/publisher.h"
#include "core/base/mutex.h"
#include "tools/input/document.h"
#include "tools/push/batch.h"
#include "tools/push/ledger.h"

namespace stele::tools {

struct PushOptions {
  BatchLimits batch;
  // Every message is one line without newline; any may be empty.
  std::function<void(const std::string&)> on_refused;  // an item was refused: place and why
  std::function<void(const std::string&)> on_notice;   // trouble with the connection
  std::function<void()> on_progress;                   // now and then
  // Every statement that is in the log now, with its receipt; empty: receipts are not kept.
  std::function<void(const client::Published&)> on_published;
};

class Pusher {
 public:
  // All references must outlive the pusher.
  Pusher(const client::Connection& connection, client::CheckpointVerifier& verifier,
         const PrivateKey& signer, Ledger& ledger, const PushOptions& options);

  // Takes one document; waits while the window is full. Errors end the whole run: UNAVAILABLE or
  // DEADLINE_EXCEEDED after the timeout; DATA_LOSS; or the server's, where it will say the same to
  // every further statement of this signer. What is not decided then is neither pushed nor refused
  // in the ledger, and running again is safe.
  absl::Status Take(Document document);
  // Sends what has gathered and waits for every answer. Nothing may be pushed afterwards.
  absl::Status Finish();

 private:
  static constexpr size_t kLookAhead = 1024;
  static constexpr size_t kLookAheadBytes = 8 * 1024 * 1024;

  struct Answer {
    uint64_t tag;
    absl::StatusOr<client::Published> result;
  };

  absl::Status SendLookAhead();
  absl::Status SendBatch();
  absl::Status Gather(PublicationPtr publication);
  absl::Status WaitForAnswers();
  absl::Status Send(std::vector<PublicationPtr> publications);
  absl::Status TakeAnswers();
  absl::Status TakeAnswer(Answer answer);
  absl::Status TakeRefusal(std::vector<PublicationPtr> publications, const absl::Status& why);
  absl::Status Resend();
  void Refuse(const PublicationPtr& publication, const absl::Status& why);

  const client::Connection& connection_;
  client::CheckpointVerifier& verifier_;
  const client::Fetcher fetcher_;
  const PrivateKey& signer_;
  Ledger& ledger_;
  const PushOptions options_;
  std::vector<PublicationPtr> look_ahead_;
  size_t look_ahead_bytes_ = 0;
  Batch batch_;
  uint64_t next_tag_ = 0;
  absl::flat_hash_map<uint64_t, std::vector<PublicationPtr>> in_flight_;
  absl::flat_hash_set<Digest> records_in_flight_;
  std::vector<std::vector<PublicationPtr>> resend_;  // what is left of statements refused in part
  Mutex mutex_;
  std::vector<Answer> answers_ STELE_GUARDED_BY(mutex_);
  client::Publisher publisher_;  // last: its threads use what is above
};

}  // namespace stele::tools
