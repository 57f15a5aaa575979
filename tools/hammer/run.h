// The kinds of load: publishing, fetching, and any call at all.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "client/connection.h"
#include "client/contact.h"
#include "core/crypto/digest.h"
#include "tools/hammer/load.h"
#include "tools/hammer/measure.h"

namespace stele::tools {

struct RunResult {
  Tally tally{0};
  double seconds = 0;  // from the first statement sent to the last answer
};

struct RunOptions {
  client::ConnectOptions connect;
  size_t streams = 1;
  size_t window = 256;  // unanswered statements of a stream
};

// Publishes the load over `streams` connections, dealt out in turn. Every receipt is verified.
RunResult RunPublish(const RunOptions& options, client::CheckpointVerifier& verifier, Load load);

// `count` fetches over `streams` connections, each of the next digest in turn; every content is
// hashed.
RunResult RunFetch(const RunOptions& options, const std::vector<Digest>& digests, size_t count);

// `count` calls over `streams` connections; `call` gets the number of each, from several threads.
// A connection gives up after 100 failures.
using OneCall = std::function<absl::Status(const client::Connection& connection, size_t number)>;
RunResult RunEach(const RunOptions& options, size_t count, const OneCall& call);

// Record digests of the log's newest publications, at most `limit`. NOT_FOUND if there are none.
absl::StatusOr<std::vector<Digest>> NewestRecords(const client::Connection& connection,
                                                  client::Contact& contact, size_t limit);

}  // namespace stele::tools
