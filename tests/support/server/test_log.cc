#include "tests/support/server/test_log.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "store/log/genesis.h"
#include "tests/support/store/check_store.h"
#include "tests/support/store/collect_sink.h"

namespace stele::server {

v1::StatementItem ToWire(const store::PublishItem& item) {
  v1::StatementItem wire;
  wire.set_tag(item.tag);
  wire.set_key_id(item.key_id);
  wire.set_envelope(item.envelope);
  for (const std::string& manifest : item.manifests) wire.add_manifests(manifest);
  return wire;
}

TestLog::TestLog(size_t queue_statements, const store::GuestLimits& guests, store::Clock clock)
    : backend_(std::make_shared<store::MemoryBackend>()) {
  const PrivateKey log_key = testing::TestKey("log");
  auto genesis = store::CommitGenesis(
      *backend_, {testing::kOrigin, log_key, operator_, {}, store::SystemClock()()});
  EXPECT_TRUE(genesis.ok()) << genesis.status();
  store::OpenOptions options;
  options.queue_statements = queue_statements;
  options.guests = guests;
  options.clock = std::move(clock);
  auto store = store::Store::OverBackend(backend_, log_key, options);
  EXPECT_TRUE(store.ok()) << store.status();
  store_ = *std::move(store);
  auto sink = std::make_shared<testing::CollectSink>(store_->log_verifier());
  store_->Publish(
      {testing::Sign(testing::Grant(publisher_.public_key(), Role::kPublisher, kNoEvent),
                     operator_)},
      sink);
  EXPECT_TRUE(sink->Wait(1)[0].result.ok());
}

TestLog::~TestLog() {
  EXPECT_TRUE(store_->Drain(std::chrono::minutes(1)).ok());
  const absl::Status checked = testing::CheckStore(*store_);
  EXPECT_TRUE(checked.ok()) << checked;
}

uint64_t TestLog::size() const { return store_->Stats().tree_size; }

void TestLog::WaitUntilIdle() const {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (store_->Stats().queued != 0 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_EQ(store_->Stats().queued, 0u);
}

}  // namespace stele::server
