#include "store/log/answers.h"

#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"

namespace stele::store {

void Answers::Deliver(std::shared_ptr<const std::string> checkpoint, std::vector<Answer> answers) {
  if (answers.empty()) return;
  if (checkpoint == nullptr) checkpoint = std::make_shared<const std::string>();
  Count(answers);
  absl::flat_hash_map<PublishSink*, std::vector<PublishOutcome>> groups;
  size_t statements = 0;
  size_t bytes = 0;
  for (Answer& answer : answers) {
    groups[answer.sink.get()].push_back(std::move(answer.outcome));
    if (!answer.held_bytes.has_value()) continue;
    ++statements;
    bytes += *answer.held_bytes;
  }
  for (auto& [sink, outcomes] : groups) Call(*sink, checkpoint, std::move(outcomes));
  // Last: once the budget is idle, every sink has been called.
  if (statements > 0) budget_.Release(statements, bytes);
}

void Answers::Count(const std::vector<Answer>& answers) {
  Counts seen;
  for (const Answer& answer : answers) {
    const absl::StatusOr<Receipt>& result = answer.outcome.result;
    ++(!result.ok() ? seen.refused : result->replayed ? seen.replayed : seen.appended);
  }
  appended_ += seen.appended;
  replayed_ += seen.replayed;
  refused_ += seen.refused;
}

void Answers::Call(PublishSink& sink, const std::shared_ptr<const std::string>& checkpoint,
                   std::vector<PublishOutcome> outcomes) {
  MutexLock lock(stripes_[absl::HashOf(&sink) % stripes_.size()]);
  sink.OnOutcomes(checkpoint, std::move(outcomes));
}

Answers::Counts Answers::counts() const {
  return {.appended = appended_, .replayed = replayed_, .refused = refused_};
}

}  // namespace stele::store
