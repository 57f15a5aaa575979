// The way back: outcomes to the sinks that wait for them, one call for each sink and group, and
// what they held of the budget given back. Any thread.
//
// Receipts are proven here, at the last moment and against what is published then: so the head that
// one sink sees never goes back, whichever threads answer it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/mutex.h"
#include "store/log/budget.h"
#include "store/log/publish.h"
#include "store/log/published.h"

namespace stele::store {

struct Answer {
  std::shared_ptr<PublishSink> sink;
  PublishOutcome outcome;            // a receipt without its proof, of an entry that is published
  std::optional<size_t> held_bytes;  // of the budget; nothing if it was refused before it held any
};

class Answers {
 public:
  Answers(Budget& budget, const Published& published) : budget_(budget), published_(published) {}

  void Deliver(std::vector<Answer> answers);

  struct Counts {
    uint64_t appended = 0, replayed = 0, refused = 0;
  };
  Counts counts() const;

 private:
  std::shared_ptr<const std::string> Prove(std::vector<PublishOutcome>& outcomes) const;
  void Count(const std::vector<PublishOutcome>& outcomes);
  void Call(PublishSink& sink, std::vector<PublishOutcome> outcomes);

  Budget& budget_;
  const Published& published_;
  // Keeps calls to one sink apart without a lock for each; sinks do not block, so sharing is cheap.
  std::array<Mutex, 64> stripes_;
  std::atomic<uint64_t> appended_{0}, replayed_{0}, refused_{0};
};

}  // namespace stele::store
