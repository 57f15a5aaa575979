// A store to which statements are said one by one, and an auditor who sees its log alone: what the
// store let in has to be valid for him, and what it refused void for the same reason, had it been
// logged where it was refused.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/replay/replay.h"
#include "tests/support/store/store_test_base.h"

namespace stele::store::testing {

class AuditedStory : public stele::testing::StoreTestBase {
 protected:
  AuditedStory() : StoreTestBase(stele::testing::Engine::kMemory) {}

  // What became of it: "valid", "REPLAYED", or the reason of the refusal.
  std::string Say(PublishItem item);
  // At once, and so into one batch or more; the answers in the order of `items`.
  std::vector<std::string> SayAll(std::vector<PublishItem> items);
  // Has to be valid; its index.
  uint64_t Log(PublishItem item);
  uint64_t NextIndex() const { return TreeSizeNow(); }

  // The audit of the log and of everything that was refused. In the end of every test.
  void Audit();
  // After Audit: valid and not disputed.
  bool Counts(uint64_t index) const { return auditor_->Counts(EntryIndex{index}); }
  const Replay& auditor() const { return *auditor_; }

  void TearDown() override;

 private:
  struct Refused {
    uint64_t index;
    PublishItem item;
    std::string reason;
  };
  std::unique_ptr<Replay> ReplayOf(uint64_t size) const;
  ReadEntry ReadLogged(uint64_t index) const;
  std::string Verdict(const absl::StatusOr<Receipt>& result) const;

  std::vector<Refused> refused_;
  std::unique_ptr<Replay> auditor_;
};

}  // namespace stele::store::testing
