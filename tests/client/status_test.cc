#include "client/status.h"

#include <google/protobuf/any.pb.h>
#include <grpcpp/support/status.h>
#include <gtest/gtest.h>

#include "core/base/refusal.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

namespace stele::client {
namespace {

google::rpc::Status Make(int code, const std::string& domain = "stele") {
  google::rpc::Status status;
  status.set_code(code);
  status.set_message("what happened");
  google::rpc::ErrorInfo info;
  info.set_domain(domain);
  info.set_reason("WRONG_LOG");
  (*info.mutable_metadata())["pointer"] = "/predicate/log";
  status.add_details()->PackFrom(info);
  return status;
}

void AddRetry(google::rpc::Status& status, int64_t seconds, int32_t nanos) {
  google::rpc::RetryInfo retry;
  retry.mutable_retry_delay()->set_seconds(seconds);
  retry.mutable_retry_delay()->set_nanos(nanos);
  status.add_details()->PackFrom(retry);
}

TEST(StatusTest, KeepsReasonPointerAndDelay) {
  google::rpc::Status rpc = Make(8);
  AddRetry(rpc, 2, 500'000'000);
  const absl::Status status = FromRpc(rpc);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(std::string(status.message()), "what happened");
  EXPECT_EQ(ReasonOf(status), "WRONG_LOG");
  EXPECT_EQ(PointerOf(status), "/predicate/log");
  EXPECT_EQ(RetryDelayOf(status), std::chrono::milliseconds(2500));
}

TEST(StatusTest, TheDelayMayComeFirst) {
  google::rpc::Status rpc;
  rpc.set_code(8);
  AddRetry(rpc, 1, 0);
  *rpc.add_details() = Make(8).details(0);
  EXPECT_EQ(RetryDelayOf(FromRpc(rpc)), std::chrono::milliseconds(1000));
  EXPECT_EQ(ReasonOf(FromRpc(rpc)), "WRONG_LOG");
}

TEST(StatusTest, DelaysAreBounded) {
  google::rpc::Status forever = Make(8);
  AddRetry(forever, int64_t{1} << 60, 0);
  EXPECT_EQ(RetryDelayOf(FromRpc(forever)), std::chrono::hours(1));
  google::rpc::Status negative = Make(8);
  AddRetry(negative, -5, -5);
  EXPECT_EQ(RetryDelayOf(FromRpc(negative)), std::chrono::milliseconds(0));
  EXPECT_EQ(RetryDelayOf(FromRpc(Make(8))), std::nullopt);
}

TEST(StatusTest, OtherDomainsAndCodesAreNotOurs) {
  EXPECT_EQ(ReasonOf(FromRpc(Make(3, "other"))), "");
  EXPECT_EQ(FromRpc(Make(99)).code(), absl::StatusCode::kUnknown);
  EXPECT_EQ(FromRpc(Make(-1)).code(), absl::StatusCode::kUnknown);
  EXPECT_TRUE(FromRpc(google::rpc::Status()).ok());
}

TEST(StatusTest, ReadsTheDetailsOfACall) {
  const grpc::Status call(grpc::StatusCode::ABORTED, "what happened", Make(10).SerializeAsString());
  const absl::Status status = FromGrpc(call, "host:1");
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
  EXPECT_EQ(ReasonOf(status), "WRONG_LOG");
  EXPECT_TRUE(FromGrpc(grpc::Status::OK, "host:1").ok());
  const absl::Status lost =
      FromGrpc(grpc::Status(grpc::StatusCode::UNAVAILABLE, "refused"), "host:1");
  EXPECT_EQ(std::string(lost.message()), "server host:1: refused");
}

TEST(StatusTest, UntrustedKeepsTheReason) {
  const absl::Status status = Untrusted("the entry", RefuseInput("PROOF_ROOT", "/x", "no"));
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(ReasonOf(status), "PROOF_ROOT");
  EXPECT_EQ(std::string(status.message()), "the entry: no");
}

}  // namespace
}  // namespace stele::client
