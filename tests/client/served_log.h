// A steled with a few records in it, and a lying server before it, shared by the tests of a
// program.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/connection.h"
#include "client/contact.h"
#include "client/fetcher.h"
#include "client/publisher.h"
#include "core/crypto/key.h"
#include "tests/support/client/lying_server.h"
#include "tests/support/program/steled.h"
#include "tests/support/store/temp_dir.h"
#include "tools/push/batch.h"

namespace stele::client {

// The manifest number `n`, and what publishes it.
tools::PublicationPtr TestPublication(int n);

class ServedLogTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite();
  static void TearDownTestSuite();
  void SetUp() override;

  // A contact that trusts by a policy, not by pins, and keeps checkpoints in the test's folder.
  absl::StatusOr<Contact> Reach(const Connection& connection) const;
  // One publication statement of the records `from` to `to`, exclusive, by the publisher.
  OutgoingStatement StatementOf(int from, int to) const;
  // The answers of the statements, by tag, and how Flush ended.
  struct Answers {
    std::vector<std::optional<absl::StatusOr<Published>>> by_tag;
    absl::Status flushed;
  };
  Answers Publish(const std::vector<OutgoingStatement>& statements) const;

  struct World {
    testing::TempDir folder;
    std::unique_ptr<testing::Steled> steled;
    std::unique_ptr<LyingServer> liar;
    std::optional<PrivateKey> publisher;
    std::optional<PrivateKey> log_key;
    int next_record = 100;  // numbers that no test used yet
  };
  static World* world_;

  const testing::TempDir state_;
  std::unique_ptr<Connection> connection_;
  std::shared_ptr<CheckpointVerifier> verifier_;
  std::unique_ptr<Fetcher> fetcher_;
  Lies& lies() const { return world_->liar->lies; }
  // A record number of a test's own, `count` of them.
  int Fresh(int count = 1) const;
};

}  // namespace stele::client
