#include "tools/push/batch.h"

#include <gtest/gtest.h>

#include "core/base/concat.h"
#include "core/crypto/sha256.h"
#include "core/statement/dsse.h"
#include "core/statement/statement.h"

namespace stele::tools {
namespace {

PublicationPtr Make(int n, size_t bytes = 10, std::string_view metadata = "") {
  auto publication = std::make_shared<Publication>();
  publication->record = Sha256(Concat("record ", n));
  publication->manifest = Sha256(Concat("manifest ", n, metadata));
  publication->canonical = std::string(bytes, 'm');
  return publication;
}

TEST(BatchTest, ClosesWhereALimitIsReached) {
  Batch batch({.subjects = 2, .content_bytes = 100});
  EXPECT_TRUE(batch.Fits(*Make(1, 1000))) << "a single one always fits";
  batch.Add(Make(1));
  EXPECT_TRUE(batch.Fits(*Make(2, 90)));
  EXPECT_FALSE(batch.Fits(*Make(2, 91)));
  batch.Add(Make(2));
  EXPECT_FALSE(batch.Fits(*Make(3)));
  EXPECT_EQ(batch.Take().size(), 2u);
  EXPECT_TRUE(batch.empty());
  EXPECT_TRUE(batch.Fits(*Make(3, 100)));
}

TEST(BatchTest, ARecordIsInAStatementOnce) {
  Batch batch({});
  batch.Add(Make(1));
  EXPECT_FALSE(batch.Fits(*Make(1, 10, "other metadata")));
  EXPECT_TRUE(batch.Fits(*Make(2)));
}

TEST(BatchTest, SignsWhatItSays) {
  const PrivateKey key = *PrivateKey::FromEd25519Seed(std::string(32, 's'));
  const std::vector<PublicationPtr> publications{Make(2), Make(1)};
  absl::StatusOr<client::OutgoingStatement> signed_statement =
      SignPublication(publications, "test.example/log", key);
  ASSERT_TRUE(signed_statement.ok()) << signed_statement.status();
  EXPECT_EQ(signed_statement->manifests.size(), 2u);
  absl::StatusOr<Envelope> envelope = ParseEnvelope(signed_statement->envelope);
  ASSERT_TRUE(envelope.ok());
  EXPECT_TRUE(key.public_key().Verify(Pae(envelope->payload), envelope->signature).ok());
  absl::StatusOr<Statement> statement = ParseStatement(envelope->payload, "test.example/log");
  ASSERT_TRUE(statement.ok()) << statement.status();
  ASSERT_EQ(statement->subjects.size(), 2u);
  EXPECT_EQ(statement->subjects[0].digest, publications[0]->record);
  EXPECT_EQ(statement->subjects[1].manifest, publications[1]->manifest);
  EXPECT_EQ(SignPublication(publications, "test.example/log", key)->envelope,
            signed_statement->envelope);
}

TEST(BatchTest, NothingIsSignedThatTheFormatRefuses) {
  const PrivateKey key = *PrivateKey::FromEd25519Seed(std::string(32, 's'));
  EXPECT_FALSE(SignPublication({Make(1), Make(1)}, "test.example/log", key).ok());
  EXPECT_FALSE(SignPublication({}, "test.example/log", key).ok());
}

}  // namespace
}  // namespace stele::tools
