// Guests over gRPC: what is taken of them in a day, by key and by address.
#include <gtest/gtest.h>

#include <string>

#include "core/base/refusal.h"
#include "tests/server/rpc/wire/publish_client.h"
#include "tests/server/rpc/wire/rpc_client.h"

namespace stele::server {
namespace {

using testing::Introduce;
using testing::Note;
using testing::Sign;
using testing::TestKey;

class GuestTest : public ::testing::Test {
 protected:
  // A channel of its own for each: other ports of one address.
  v1::PublishResult Say(const store::PublishItem& item) {
    ClientStream client(served_.Connect());
    v1::PublishRequest request;
    *request.add_items() = ToWire(item);
    EXPECT_TRUE(client.stream->Write(request));
    v1::PublishResponse response;
    EXPECT_TRUE(client.stream->Read(&response));
    client.stream->WritesDone();
    EXPECT_TRUE(client.stream->Finish().ok());
    return response.results_size() == 1 ? response.results(0) : v1::PublishResult();
  }
  // The limit that the refusal names, with its value; empty if it is in the log.
  std::string Limit(const store::PublishItem& item) {
    const v1::PublishResult result = Say(item);
    if (!result.has_error()) return "";
    const google::rpc::ErrorInfo info = InfoOf(result.error());
    EXPECT_EQ(result.error().code(), static_cast<int>(absl::StatusCode::kResourceExhausted));
    EXPECT_EQ(info.reason(), reason::kGuestQuota);
    google::rpc::RetryInfo retry;
    EXPECT_EQ(result.error().details_size(), 2);
    EXPECT_TRUE(result.error().details_size() == 2 && result.error().details(1).UnpackTo(&retry));
    EXPECT_LE(retry.retry_delay().seconds(), 24 * 3600);
    EXPECT_GE(retry.retry_delay().seconds() + retry.retry_delay().nanos(), 1);
    return info.metadata().at("limit") + " " + info.metadata().at("value");
  }

  ServedLog served_{{.envelope_bytes = 16 * 1024,
                     .key_statements_per_day = 2,
                     .address_statements_per_day = 4,
                     .statements_per_day = 100},
                    [now = store::SystemClock()()] { return now; }};  // no day ends meanwhile
};

TEST_F(GuestTest, TheLimitIsNamedWithATimeToWait) {
  const std::string manifest = testing::TestManifest(1);
  ASSERT_TRUE(Say(testing::SignPublication(manifest, served_.log.publisher())).has_receipt());
  ASSERT_TRUE(Say(Sign(testing::OpenPolicy(kNoEvent), served_.log.operator_key())).has_receipt());
  const Digest record = testing::TestRecord(1);
  const PrivateKey one = TestKey("guest one"), two = TestKey("guest two"), three = TestKey("three");
  EXPECT_EQ(Limit(Sign(Introduce(one.public_key()), one)), "");
  EXPECT_EQ(Limit(Sign(Note(record, "first"), one)), "");
  EXPECT_EQ(Limit(Sign(Note(record, "second"), one)), "guest_key_statements_per_day 2");
  EXPECT_EQ(Limit(Sign(Introduce(two.public_key()), two)), "");
  EXPECT_EQ(Limit(Sign(Note(record, "first"), two)), "");
  EXPECT_EQ(Limit(Sign(Introduce(three.public_key()), three)),
            "guest_address_statements_per_day 4");
  // Who has a role is no guest.
  EXPECT_TRUE(Say(Sign(Note(record, "first"), served_.log.publisher())).has_receipt());
}

}  // namespace
}  // namespace stele::server
