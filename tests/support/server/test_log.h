// A real store over the memory backend, with its genesis and one publisher granted: two entries.
#pragma once

#include <memory>
#include <vector>

#include "core/crypto/key.h"
#include "stele/v1/publish.pb.h"
#include "store/backend/memory_backend.h"
#include "store/store.h"
#include "tests/support/store/statements.h"

namespace stele::server {

v1::StatementItem ToWire(const store::PublishItem& item);

class TestLog {
 public:
  explicit TestLog(size_t queue_statements = 0, const store::GuestLimits& guests = {},
                   store::Clock clock = {});
  ~TestLog();  // checks the whole store from the bytes up; the test fails if it is not right

  store::Store& store() { return *store_; }
  store::MemoryBackend& backend() { return *backend_; }
  const PrivateKey& publisher() const { return publisher_; }
  const PrivateKey& operator_key() const { return operator_; }

  uint64_t size() const;
  // Returns when no statement waits any more.
  void WaitUntilIdle() const;

 private:
  const PrivateKey operator_ = testing::TestKey("operator");
  const PrivateKey publisher_ = testing::TestKey("publisher");
  std::shared_ptr<store::MemoryBackend> backend_;
  std::unique_ptr<store::Store> store_;
};

}  // namespace stele::server
