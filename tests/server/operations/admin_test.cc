// /metrics, /healthz and /readyz over a real store.
#include "server/operations/admin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "store/backend/memory_backend.h"
#include "store/log/genesis.h"
#include "tests/support/store/check_store.h"
#include "tests/support/store/statements.h"

namespace stele::server {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class AdminTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto backend = std::make_shared<store::MemoryBackend>();
    const PrivateKey log_key = testing::TestKey("log");
    ASSERT_TRUE(
        store::CommitGenesis(
            *backend,
            {testing::kOrigin, log_key, testing::TestKey("operator"), {}, store::SystemClock()()})
            .ok());
    auto store = store::Store::OverBackend(backend, log_key, {});
    ASSERT_TRUE(store.ok()) << store.status();
    store_ = *std::move(store);
    admin_ = std::make_unique<Admin>(*store_, calls_, [](MetricValues& values) {
      values.version = "1.2.3";
      values.streams = 7;
    });
  }
  void TearDown() override { EXPECT_TRUE(testing::CheckStore(*store_).ok()); }
  HttpResponse Get(const std::string& path) { return admin_->Answer({.path = path}); }

  std::unique_ptr<store::Store> store_;
  CallCounts calls_;
  std::unique_ptr<Admin> admin_;
};

TEST_F(AdminTest, Metrics) {
  calls_.Count(Method::kGetHead, absl::StatusCode::kOk);
  calls_.Count(Method::kGetHead, absl::StatusCode::kOk);
  calls_.Count(Method::kGetEntry, absl::StatusCode::kNotFound);
  const HttpResponse metrics = Get("/metrics");
  EXPECT_EQ(metrics.status, 200);
  EXPECT_THAT(metrics.content_type, HasSubstr("text/plain; version=0.0.4"));
  for (const char* line :
       {"\nstele_tree_size 1\n", "# TYPE stele_tree_size gauge\n",
        "# TYPE stele_appended_total counter\n", "\nstele_accepts_statements{reason=\"\"} 1\n",
        "\nstele_build_info{version=\"1.2.3\"} 1\n", "\nstele_rpc_streams 7\n",
        "\nstele_rpc_calls_total{method=\"LogService/GetHead\",code=\"OK\"} 2\n",
        "\nstele_rpc_calls_total{method=\"LogService/GetEntry\",code=\"NOT_FOUND\"} 1\n",
        "\nprocess_resident_memory_bytes "}) {
    EXPECT_THAT(metrics.body, HasSubstr(line));
  }
  EXPECT_THAT(metrics.body, Not(HasSubstr("process_resident_memory_bytes 0\n")));
  EXPECT_THAT(metrics.body, Not(HasSubstr("ListKeys")));
}

TEST_F(AdminTest, ReadyFollowsTheStore) {
  EXPECT_EQ(Get("/readyz").status, 200);
  EXPECT_EQ(Get("/healthz").status, 200);
  ASSERT_TRUE(store_->Drain(std::chrono::seconds(30)).ok());
  const HttpResponse ready = Get("/readyz");
  EXPECT_EQ(ready.status, 503);
  EXPECT_EQ(ready.body, std::string(store_->write_state().message()) + "\n");
  EXPECT_EQ(Get("/healthz").status, 200);
  EXPECT_THAT(Get("/metrics").body,
              HasSubstr("\nstele_accepts_statements{reason=\"STOPPING\"} 0\n"));
}

TEST_F(AdminTest, ReadySaysThatTheServerStops) {
  admin_->BeginDrain();
  const HttpResponse ready = Get("/readyz");
  EXPECT_EQ(ready.status, 503);
  EXPECT_EQ(ready.body, "the server is stopping\n");
}

TEST_F(AdminTest, NothingElse) { EXPECT_EQ(Get("/").status, 404); }

}  // namespace
}  // namespace stele::server
