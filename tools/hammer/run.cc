#include "tools/hammer/run.h"

#include <atomic>
#include <memory>
#include <thread>
#include <variant>

#include "client/fetcher.h"
#include "core/base/status_macros.h"
#include "core/statement/entry.h"

namespace stele::tools {
namespace {

using SteadyClock = std::chrono::steady_clock;

// One stream's statements: index into the load is the tag.
void PublishStream(const RunOptions& options, client::CheckpointVerifier& verifier, Load& load,
                   size_t stream, Tally& tally) {
  client::Connection connection(options.connect);
  std::vector<SteadyClock::time_point> sent(load.statements.size());
  client::PublisherOptions publisher_options;
  publisher_options.window_statements = options.window;
  client::Publisher publisher(connection, verifier, publisher_options,
                              [&](uint64_t tag, const absl::StatusOr<client::Published>& result) {
                                if (result.ok()) {
                                  tally.Done(SteadyClock::now() - sent[tag]);
                                } else {
                                  tally.Failed(result.status());
                                }
                              });
  absl::Status stopped;
  for (size_t i = stream; i < load.statements.size(); i += options.streams) {
    sent[i] = SteadyClock::now();
    if (stopped.ok()) stopped = publisher.Send(i, std::move(load.statements[i]));
    if (!stopped.ok()) break;
  }
  absl::Status flushed = publisher.Flush();
  if (stopped.ok()) stopped = flushed;
  if (!stopped.ok()) tally.Failed(stopped);
}

void CallStream(const RunOptions& options, size_t count, const OneCall& call,
                std::atomic<size_t>& next, Tally& tally) {
  client::Connection connection(options.connect);
  for (size_t i = next++; i < count; i = next++) {
    const SteadyClock::time_point begin = SteadyClock::now();
    const absl::Status done = call(connection, i);
    if (done.ok()) {
      tally.Done(SteadyClock::now() - begin);
    } else {
      tally.Failed(done);
      if (tally.failed() >= 100) return;
    }
  }
}

// A fetch by digest is judged by its digest: no checkpoint is met, so no log need be known.
absl::StatusOr<std::unique_ptr<client::CheckpointVerifier>> NobodysVerifier() {
  STELE_ASSIGN_OR_RETURN(const PrivateKey nobody, PrivateKey::Generate(KeyAlgorithm::kEd25519));
  STELE_ASSIGN_OR_RETURN(const NoteVerifier key, NoteVerifier::Make("none", nobody.public_key()));
  return std::make_unique<client::CheckpointVerifier>("none", PolicyOfLogKeys({key}));
}

RunResult RunStreams(size_t streams, size_t expected,
                     const std::function<void(size_t stream, Tally& tally)>& body) {
  std::vector<Tally> tallies;
  tallies.reserve(streams);
  for (size_t s = 0; s < streams; ++s) tallies.emplace_back(expected / streams + 1);
  const SteadyClock::time_point begin = SteadyClock::now();
  std::vector<std::thread> threads;
  for (size_t s = 0; s < streams; ++s) threads.emplace_back([&, s] { body(s, tallies[s]); });
  for (std::thread& thread : threads) thread.join();
  RunResult result;
  result.seconds = std::chrono::duration<double>(SteadyClock::now() - begin).count();
  for (const Tally& tally : tallies) result.tally.Merge(tally);
  return result;
}

// Record subjects of a leaf that is a publication; nothing of any other.
void AddRecords(std::string_view leaf, std::string_view origin, std::vector<Digest>& records) {
  absl::StatusOr<Entry> entry = ParseLeaf(leaf);
  if (!entry.ok()) return;
  const auto* envelope = std::get_if<StoredEnvelope>(&entry->body);
  if (envelope == nullptr) return;
  absl::StatusOr<Statement> statement = ParseStatement(envelope->payload, origin);
  if (!statement.ok() || statement->type != StatementType::kPublication) return;
  for (const Subject& subject : statement->subjects) {
    if (subject.kind == Subject::Kind::kRecord) records.push_back(subject.digest);
  }
}

}  // namespace

RunResult RunPublish(const RunOptions& options, client::CheckpointVerifier& verifier, Load load) {
  return RunStreams(options.streams, load.statements.size(), [&](size_t stream, Tally& tally) {
    PublishStream(options, verifier, load, stream, tally);
  });
}

RunResult RunEach(const RunOptions& options, size_t count, const OneCall& call) {
  std::atomic<size_t> next{0};
  return RunStreams(options.streams, count,
                    [&](size_t, Tally& tally) { CallStream(options, count, call, next, tally); });
}

RunResult RunFetch(const RunOptions& options, const std::vector<Digest>& digests, size_t count) {
  const auto verifier = NobodysVerifier();
  return RunEach(options, count, [&](const client::Connection& connection, size_t i) {
    STELE_RETURN_IF_ERROR(verifier.status());
    return client::Fetcher(connection, **verifier).GetContent(digests[i % digests.size()]).status();
  });
}

absl::StatusOr<std::vector<Digest>> NewestRecords(const client::Connection& connection,
                                                  client::Contact& contact, size_t limit) {
  const client::Fetcher fetcher(connection, *contact.verifier);
  STELE_ASSIGN_OR_RETURN(const client::LogHead head, fetcher.GetHead());
  const uint64_t size = head.checkpoint.size.value();
  const uint64_t start = size > limit ? size - limit : 0;
  std::vector<Digest> records;
  STELE_RETURN_IF_ERROR(
      fetcher.ListEntries(EntryIndex(start), size - start, [&](EntryIndex, std::string_view leaf) {
        AddRecords(leaf, contact.verifier->origin(), records);
        return absl::OkStatus();
      }));
  if (records.empty()) return absl::NotFoundError("the log has no records yet: publish some");
  if (records.size() > limit)
    records.erase(records.begin(), records.end() - static_cast<ptrdiff_t>(limit));
  return records;
}

}  // namespace stele::tools
