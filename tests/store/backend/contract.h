// What the suites of the contract share: an engine, a store on it and a log that it holds.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "tests/store/backend/engine.h"
#include "tests/store/backend/support/test_log.h"

namespace stele::store::testing {

class ContractTest : public ::testing::TestWithParam<EngineMaker> {
 protected:
  void SetUp() override {
    engine_ = GetParam().make();
    backend_ = engine_->Create();
    ASSERT_NE(backend_, nullptr);
  }

  void Commit(uint64_t entries) {
    const absl::Status status = backend_->Commit(log_.Next(entries));
    ASSERT_TRUE(status.ok()) << status;
  }
  std::shared_ptr<const Snapshot> Take() {
    auto snapshot = backend_->GetSnapshot();
    EXPECT_TRUE(snapshot.ok()) << snapshot.status();
    return *std::move(snapshot);
  }
  void Reopen() {
    backend_.reset();
    backend_ = engine_->Reopen();
    ASSERT_NE(backend_, nullptr);
  }

  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Backend> backend_;
  TestLog log_;
};

inline std::string EngineNameOf(const ::testing::TestParamInfo<EngineMaker>& info) {
  return info.param.name;
}

}  // namespace stele::store::testing
