#include "core/statement/statement.h"

#include <gtest/gtest.h>

#include <set>

#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/crypto/sha256.h"
#include "tests/support/vector_file.h"

namespace stele {
namespace {

using testing::Base64Member;
using testing::Text;
using testing::VectorFile;
using testing::VectorsDir;

void CheckAccepted(simdjson::dom::element c, const std::string& payload,
                   const Statement& statement) {
  EXPECT_EQ(StatementTypeName(statement.type), Text(c, "type"));
  EXPECT_EQ(Sha256(payload).ToText(), Text(c, "payloadDigest"));
  std::vector<std::string> expected;
  for (simdjson::dom::element digest : simdjson::dom::array(c["subjects"])) {
    expected.emplace_back(std::string_view(digest));
  }
  std::vector<std::string> subjects;
  for (const Subject& subject : statement.subjects) subjects.push_back(subject.digest.ToText());
  EXPECT_EQ(subjects, expected);
  if (statement.type == StatementType::kForeign) {
    EXPECT_EQ(FormatStatement(statement), "");
    EXPECT_EQ(statement.log, "");
  } else {
    EXPECT_EQ(FormatStatement(statement), payload);
    EXPECT_EQ(statement.log, Text(c, "log"));
    EXPECT_EQ(statement.predicate_type, PredicateTypeOf(statement.type));
    EXPECT_EQ(statement.predicate.index(), static_cast<size_t>(statement.type));
  }
}

TEST(Statement, GoldenCases) {
  const VectorFile file(VectorsDir() / "statements.json");
  size_t cases = 0, accepted = 0;
  for (simdjson::dom::element c : simdjson::dom::array(file.root()["cases"])) {
    SCOPED_TRACE(Text(c, "name"));
    const std::string payload = Base64Member(c, "payload");
    const auto statement = ParseStatement(payload, Text(c, "log"));
    ++cases;
    EXPECT_EQ(statement.ok(), bool(c["accept"])) << statement.status();
    if (statement.ok() != bool(c["accept"])) continue;
    if (statement.ok()) {
      ++accepted;
      CheckAccepted(c, payload, *statement);
      continue;
    }
    EXPECT_EQ(ReasonOf(statement.status()), Text(c, "reason")) << statement.status();
    EXPECT_EQ(statement.status().code(), absl::StatusCode::kInvalidArgument);
    if (Text(c, "reason") == "SYNTAX") continue;
    EXPECT_EQ(PointerOf(statement.status()), Text(c, "pointer")) << statement.status();
  }
  EXPECT_EQ(cases, 464u);
  EXPECT_EQ(accepted, 60u);
}

Statement First(const VectorFile& file, StatementType type) {
  for (simdjson::dom::element c : simdjson::dom::array(file.root()["cases"])) {
    if (!bool(c["accept"]) || Text(c, "type") != StatementTypeName(type)) continue;
    return ParseStatement(Base64Member(c, "payload"), Text(c, "log")).value();
  }
  throw std::runtime_error("no such case");
}

// What the members mean, not only that they come back.
TEST(Statement, MembersOfEveryType) {
  const VectorFile file(VectorsDir() / "statements.json");
  const auto genesis = std::get<Genesis>(First(file, StatementType::kGenesis).predicate);
  EXPECT_EQ(genesis.log_key.name, "log.example/vectors");
  EXPECT_EQ(genesis.recovery_keys.size(), 2u);
  EXPECT_FALSE(genesis.predecessor.has_value());
  const Statement granted = First(file, StatementType::kKeyGrant);
  const auto grant = std::get<KeyGrant>(granted.predicate);
  EXPECT_EQ(grant.after, kNoEvent);
  EXPECT_EQ(grant.name, "Lab one");
  EXPECT_EQ(grant.role, Role::kPublisher);
  EXPECT_EQ(grant.key.id(), granted.subjects.front().digest);
  const auto revoke = std::get<KeyRevoke>(First(file, StatementType::kKeyRevoke).predicate);
  EXPECT_EQ(revoke.after, EventIndex(7));
  EXPECT_EQ(revoke.reason, "lost");
  EXPECT_FALSE(revoke.compromised_since.has_value());
  const auto log_key = std::get<LogKey>(First(file, StatementType::kLogKey).predicate);
  EXPECT_EQ(log_key.from, TreeSize(120));
  const auto policy = std::get<Policy>(First(file, StatementType::kPolicy).predicate);
  EXPECT_TRUE(policy.open_attestations);
  const auto passed = std::get<Verification>(First(file, StatementType::kVerification).predicate);
  EXPECT_TRUE(passed.passed);
  const auto note = std::get<NoteStatement>(First(file, StatementType::kNote).predicate);
  EXPECT_EQ(note.body, "Looks right.");
  const auto withheld = std::get<Withholding>(First(file, StatementType::kWithholding).predicate);
  EXPECT_TRUE(withheld.withheld);
  EXPECT_EQ(withheld.reason, "court order");
}

TEST(Statement, PublicationSubjects) {
  const VectorFile file(VectorsDir() / "statements.json");
  const Statement publication = First(file, StatementType::kPublication);
  ASSERT_EQ(publication.subjects.size(), 2u);
  const Subject& record = publication.subjects[0];
  EXPECT_EQ(record.kind, Subject::Kind::kRecord);
  EXPECT_EQ(record.media_type, kRecordMediaType);
  EXPECT_TRUE(record.manifest.has_value());
  const Subject& artifact = publication.subjects[1];
  EXPECT_EQ(artifact.kind, Subject::Kind::kArtifact);
  EXPECT_EQ(artifact.media_type, "text/csv");
  EXPECT_EQ(artifact.size, 12u);
  EXPECT_FALSE(artifact.manifest.has_value());
}

// A statement built from the subject helpers reads back.
TEST(Statement, BuiltFromParts) {
  const std::string origin = "log.example/built";
  Statement statement;
  statement.type = StatementType::kPublication;
  statement.log = origin;
  statement.predicate = Publication{};
  statement.subjects = {RecordSubject(Sha256("a"), Sha256("b"))};
  EXPECT_TRUE(ParseStatement(FormatStatement(statement), origin).ok());
  EXPECT_EQ(ReasonOf(ParseStatement(FormatStatement(statement), "log.example/x").status()),
            reason::kWrongLog);
  statement.type = StatementType::kKeyRevoke;
  statement.predicate = KeyRevoke{EventIndex(3), "lost", EntryIndex(2)};
  statement.subjects = {KeySubject(Sha256("key"))};
  EXPECT_TRUE(ParseStatement(FormatStatement(statement), origin).ok());
  statement.type = StatementType::kPolicy;
  statement.predicate = Policy{kNoEvent, true};
  statement.subjects = {OriginSubject(origin)};
  EXPECT_TRUE(ParseStatement(FormatStatement(statement), origin).ok());
}

TEST(Statement, PayloadLimit) {
  const std::string big(limits::kPayloadBytes + 1, ' ');
  EXPECT_EQ(ReasonOf(ParseStatement(big, "log.example").status()), reason::kTooLarge);
}

TEST(Statement, Roles) {
  const std::set<std::string_view> grantable = {"operator", "runner", "publisher", "attester"};
  for (Role role : {Role::kOperator, Role::kRunner, Role::kPublisher, Role::kAttester, Role::kGuest,
                    Role::kRecovery}) {
    const auto parsed = ParseGrantableRole(RoleName(role));
    EXPECT_EQ(parsed.has_value(), grantable.count(RoleName(role)) == 1) << RoleName(role);
    if (parsed) EXPECT_EQ(*parsed, role);
  }
  EXPECT_FALSE(ParseGrantableRole("Operator").has_value());
}

}  // namespace
}  // namespace stele
