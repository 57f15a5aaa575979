// How each kind of refusal looks on the wire.
#include "server/rpc/status.h"

#include <gtest/gtest.h>

#include <optional>

#include "core/base/refusal.h"
#include "google/rpc/error_details.pb.h"
#include "server/rpc/service_limits.h"

namespace stele::server {
namespace {

using absl::StatusCode;

struct Decoded {
  google::rpc::Status status;
  google::rpc::ErrorInfo info;
  std::optional<int64_t> retry_ms;
};

Decoded Decode(const grpc::Status& status) {
  Decoded decoded;
  EXPECT_TRUE(decoded.status.ParseFromString(status.error_details()));
  for (const auto& any : decoded.status.details()) {
    google::rpc::RetryInfo retry;
    if (any.UnpackTo(&retry)) {
      decoded.retry_ms =
          retry.retry_delay().seconds() * 1000 + retry.retry_delay().nanos() / 1'000'000;
    } else {
      EXPECT_TRUE(any.UnpackTo(&decoded.info));
    }
  }
  return decoded;
}

TEST(StatusTest, OkStaysOk) { EXPECT_TRUE(ToGrpcStatus(absl::OkStatus()).ok()); }

TEST(StatusTest, MappingTable) {
  const struct {
    absl::Status status;
    grpc::StatusCode code;
    const char* reason;
    std::optional<int64_t> retry_ms;
  } kCases[] = {
      {Refuse(StatusCode::kInvalidArgument, reason::kBadSignature, "", "m"),
       grpc::INVALID_ARGUMENT,
       "BAD_SIGNATURE",
       {}},
      {Refuse(StatusCode::kPermissionDenied, reason::kRole, "", "m"),
       grpc::PERMISSION_DENIED,
       "ROLE",
       {}},
      {Refuse(StatusCode::kAborted, reason::kStaleAfter, "", "m"),
       grpc::ABORTED,
       "STALE_AFTER",
       {}},
      {Refuse(StatusCode::kFailedPrecondition, reason::kLastOperator, "", "m"),
       grpc::FAILED_PRECONDITION,
       "LAST_OPERATOR",
       {}},
      {Refuse(StatusCode::kNotFound, reason::kUnknownKey, "", "m"),
       grpc::NOT_FOUND,
       "UNKNOWN_KEY",
       {}},
      {Refuse(StatusCode::kResourceExhausted, reason::kQueueFull, "", "m"),
       grpc::RESOURCE_EXHAUSTED, "QUEUE_FULL", 100},
      {Refuse(StatusCode::kResourceExhausted, reason::kDiskFull, "", "m"), grpc::RESOURCE_EXHAUSTED,
       "DISK_FULL", 30'000},
      {Refuse(StatusCode::kResourceExhausted, kTooManyStreams, "", "m"), grpc::RESOURCE_EXHAUSTED,
       "TOO_MANY_STREAMS", 1000},
      {Refuse(StatusCode::kResourceExhausted, reason::kTooLarge, "", "m"),
       grpc::RESOURCE_EXHAUSTED,
       "TOO_LARGE",
       {}},
      {Refuse(StatusCode::kUnavailable, reason::kStopping, "", "m"), grpc::UNAVAILABLE, "STOPPING",
       1000},
      {Refuse(StatusCode::kUnavailable, reason::kReadOnly, "", "m"), grpc::UNAVAILABLE, "READ_ONLY",
       5000},
      {Refuse(StatusCode::kUnavailable, reason::kClock, "", "m"), grpc::UNAVAILABLE, "CLOCK", {}},
      // Without a reason of ours the code speaks.
      {absl::NotFoundError("m"), grpc::NOT_FOUND, "NOT_FOUND", {}},
      {absl::DataLossError("m"), grpc::DATA_LOSS, "DAMAGED", {}},
      {absl::UnavailableError("m"), grpc::UNAVAILABLE, "UNAVAILABLE", 1000},
      {absl::InternalError("m"), grpc::INTERNAL, "INTERNAL", {}},
      {absl::OutOfRangeError("m"), grpc::OUT_OF_RANGE, "OUT_OF_RANGE", {}},
  };
  for (const auto& c : kCases) {
    const grpc::Status status = ToGrpcStatus(c.status);
    const Decoded decoded = Decode(status);
    EXPECT_EQ(status.error_code(), c.code) << c.status;
    EXPECT_EQ(status.error_message(), "m");
    EXPECT_EQ(decoded.status.code(), c.code);
    EXPECT_EQ(decoded.status.message(), "m");
    EXPECT_EQ(decoded.info.domain(), "stele");
    EXPECT_EQ(decoded.info.reason(), c.reason);
    EXPECT_EQ(decoded.retry_ms, c.retry_ms) << c.status;
    EXPECT_EQ(decoded.info.metadata_size(), 0);
  }
}

TEST(StatusTest, PlaceAndLimitAreMetadata) {
  auto place = Decode(ToGrpcStatus(RefuseInput(reason::kWrongType, "/predicate/log", "m"))).info;
  EXPECT_EQ(place.metadata().at("pointer"), "/predicate/log");
  EXPECT_EQ(place.metadata_size(), 1);
  auto limit = Decode(ToGrpcStatus(RefuseLimit(StatusCode::kResourceExhausted, reason::kTooLarge,
                                               "fetch_digests", 1024, "m")))
                   .info;
  EXPECT_EQ(limit.metadata().at("limit"), "fetch_digests");
  EXPECT_EQ(limit.metadata().at("value"), "1024");
}

// Trailers have a size that clients accept, whatever a message or pointer quotes.
TEST(StatusTest, LongAndBrokenTextIsCut) {
  const std::string text(100'000, '\xff');
  const grpc::Status status = ToGrpcStatus(RefuseInput(reason::kSyntax, "/" + text, text));
  EXPECT_LT(status.error_message().size() + status.error_details().size(), 6000u);
  EXPECT_EQ(status.error_message().substr(0, 3), "???");
  Decode(status);
}

TEST(StatusTest, LimitsAreNamedOnceWithTheirUnit) {
  std::map<std::string, uint64_t> limits;
  for (const NamedLimit& limit : AllLimits({.queue_statements = 77})) {
    EXPECT_TRUE(limits.emplace(limit.name, limit.value).second) << limit.name;
    EXPECT_GT(limit.value, 0u) << limit.name;
  }
  EXPECT_EQ(limits.at("queue_statements"), 77u);
  EXPECT_EQ(limits.at("manifest_bytes"), 1024u * 1024);
  EXPECT_EQ(limits.at("stream_window_statements"), limits::kStreamWindow);
}

}  // namespace
}  // namespace stele::server
