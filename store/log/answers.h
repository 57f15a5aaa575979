// The way back: outcomes to the sinks that wait for them, one call for each sink and group, and
// what they held of the budget given back. Any thread.
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

namespace stele::store {

struct Answer {
  std::shared_ptr<PublishSink> sink;
  PublishOutcome outcome;
  std::optional<size_t> held_bytes;  // of the budget; nothing if it was refused before it held any
};

class Answers {
 public:
  explicit Answers(Budget& budget) : budget_(budget) {}

  // `checkpoint` may be null if no outcome is a receipt.
  void Deliver(std::shared_ptr<const std::string> checkpoint, std::vector<Answer> answers);

  struct Counts {
    uint64_t appended = 0, replayed = 0, refused = 0;
  };
  Counts counts() const;

 private:
  void Count(const std::vector<Answer>& answers);
  void Call(PublishSink& sink, const std::shared_ptr<const std::string>& checkpoint,
            std::vector<PublishOutcome> outcomes);

  Budget& budget_;
  // Keeps calls to one sink apart without a lock for each; sinks do not block, so sharing is cheap.
  std::array<Mutex, 64> stripes_;
  std::atomic<uint64_t> appended_{0}, replayed_{0}, refused_{0};
};

}  // namespace stele::store
