#include "store/log/answers.h"

#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"

namespace stele::store {

void Answers::Deliver(std::vector<Answer> answers) {
  if (answers.empty()) return;
  absl::flat_hash_map<std::shared_ptr<PublishSink>, std::vector<PublishOutcome>> groups;
  size_t statements = 0;
  size_t bytes = 0;
  for (Answer& answer : answers) {
    groups[std::move(answer.sink)].push_back(std::move(answer.outcome));
    if (!answer.held_bytes.has_value()) continue;
    ++statements;
    bytes += *answer.held_bytes;
  }
  if (statements > 0) budget_.Release(statements, bytes);
  for (auto& [sink, outcomes] : groups) Call(*sink, std::move(outcomes));
  if (statements > 0) budget_.Answered(statements);
}

void Answers::Call(PublishSink& sink, std::vector<PublishOutcome> outcomes) {
  MutexLock lock(stripes_[absl::HashOf(&sink) % stripes_.size()]);
  std::shared_ptr<const std::string> checkpoint = Prove(outcomes);
  Count(outcomes);
  sink.OnOutcomes(std::move(checkpoint), std::move(outcomes));
}

std::shared_ptr<const std::string> Answers::Prove(std::vector<PublishOutcome>& outcomes) const {
  const absl::StatusOr<std::shared_ptr<const SnapshotReader>> reader = published_.Get();
  for (PublishOutcome& outcome : outcomes) {
    if (!outcome.result.ok()) continue;
    absl::StatusOr<Proof> proof =
        reader.ok() ? (*reader)->Inclusion(outcome.result->index) : reader.status();
    if (proof.ok()) {
      outcome.result->proof = *std::move(proof);
    } else {
      outcome.result = std::move(proof).status();
    }
  }
  return reader.ok() ? (*reader)->checkpoint() : std::make_shared<const std::string>();
}

void Answers::Count(const std::vector<PublishOutcome>& outcomes) {
  Counts seen;
  for (const PublishOutcome& outcome : outcomes) {
    ++(!outcome.result.ok()       ? seen.refused
       : outcome.result->replayed ? seen.replayed
                                  : seen.appended);
  }
  appended_ += seen.appended;
  replayed_ += seen.replayed;
  refused_ += seen.refused;
}

Answers::Counts Answers::counts() const {
  return {.appended = appended_, .replayed = replayed_, .refused = refused_};
}

}  // namespace stele::store
