// The base of tests that publish to a store: one that is open, and a full check of it at the end.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/refusal.h"
#include "tests/support/store/check_store.h"
#include "tests/support/store/collect_sink.h"
#include "tests/support/store/statements.h"
#include "tests/support/store/store_home.h"

namespace stele::testing {

class StoreTestBase : public ::testing::Test {
 protected:
  explicit StoreTestBase(Engine engine) : home_(engine) {}

  void SetUp() override { Open(); }
  // Closes, opens again and checks everything: what counts is what is on the disk.
  void TearDown() override {
    if (HasFatalFailure()) return;
    Close();
    Open();
    ASSERT_NE(store_, nullptr);
    EXPECT_EQ(CheckStore(*store_), absl::OkStatus());
  }

  void Open(store::OpenOptions options = StoreHome::Options()) {
    auto opened = home_.Open(std::move(options));
    ASSERT_TRUE(opened.ok()) << opened.status();
    store_ = *std::move(opened);
  }
  void Close() { store_.reset(); }

  std::shared_ptr<CollectSink> NewSink() const {
    return std::make_shared<CollectSink>(store_->log_verifier());
  }
  // Publishes and waits; outcomes by tag, every receipt verified.
  std::map<uint64_t, absl::StatusOr<store::Receipt>> Publish(
      std::vector<store::PublishItem> items) {
    const auto sink = NewSink();
    const size_t count = items.size();
    store_->Publish(std::move(items), sink);
    std::map<uint64_t, absl::StatusOr<store::Receipt>> results;
    for (store::PublishOutcome& outcome : sink->Wait(count)) {
      EXPECT_TRUE(results.emplace(outcome.tag, std::move(outcome.result)).second) << outcome.tag;
    }
    EXPECT_EQ(sink->fault(), absl::OkStatus());
    return results;
  }
  absl::StatusOr<store::Receipt> PublishOne(store::PublishItem item) {
    const uint64_t tag = item.tag;
    std::vector<store::PublishItem> items;
    items.push_back(std::move(item));
    auto results = Publish(std::move(items));
    auto found = results.find(tag);
    if (found == results.end()) return absl::InternalError("no outcome");
    return std::move(found->second);
  }
  std::shared_ptr<const store::Reader> Reader() const {
    auto reader = store_->GetReader();
    EXPECT_TRUE(reader.ok()) << reader.status();
    return *reader;
  }
  uint64_t TreeSizeNow() const { return Reader()->head().size.value(); }

  const PrivateKey operator_ = TestKey("operator");
  const PrivateKey publisher_ = TestKey("publisher");
  StoreHome home_;
  std::unique_ptr<store::Store> store_;
};

}  // namespace stele::testing
