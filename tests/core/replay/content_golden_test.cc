// The content of every valid publication of the golden logs, and each way in which it can be wrong.
#include <gtest/gtest.h>

#include "core/base/refusal.h"
#include "core/crypto/sha256.h"
#include "core/replay/content.h"
#include "core/replay/replay.h"
#include "tests/support/replay/golden_said.h"
#include "tests/support/vector_file.h"

namespace stele {
namespace {

TEST(ContentGolden, FaultsAreThoseOfTheReference) {
  for (std::string_view name : testing::kGoldenLogs) {
    const testing::GoldenLog log = testing::LoadGoldenLog(name);
    const testing::VectorFile file(log.dir / "expected.json");
    std::vector<std::pair<uint64_t, std::string>> faults, expected;
    Replay replay;
    std::vector<std::pair<uint64_t, ContentFault>> found;
    for (const Said& said : testing::ReadGoldenLog(log)) {
      ContentCheck check(said.statement);
      for (const Digest& digest : check.wanted()) check.Take(log.Content(digest.ToHex()));
      if (!replay.Add(said).ok()) continue;
      for (const ContentFault& fault : check.Faults())
        found.emplace_back(said.index.value(), fault);
    }
    for (const auto& [index, fault] : found) {
      if (!replay.IsWithheld(fault.digest)) faults.emplace_back(index, fault.reason);
    }
    for (simdjson::dom::element fault : simdjson::dom::array(file.root()["faults"])) {
      const std::string_view reason(fault.at(1));
      const bool content = reason == reason::kContentMismatch || reason == reason::kMissingContent;
      if (content) expected.emplace_back(uint64_t(fault.at(0)), reason);
    }
    EXPECT_EQ(faults, expected) << name;
  }
}

constexpr char kIdentity[] = R"({"apiVersion":"v1","kind":"K","spec":{}})";
constexpr char kManifest[] = R"({"apiVersion":"v1","kind":"K","metadata":{"name":"n"},"spec":{}})";
constexpr char kOther[] = R"({"apiVersion":"v1","kind":"K","spec":{"n":1}})";

Statement PublicationOf(std::vector<Subject> subjects) {
  Statement statement;
  statement.type = StatementType::kPublication;
  statement.predicate = Publication{};
  statement.subjects = std::move(subjects);
  return statement;
}

// Takes what is in `stored`, by digest.
std::vector<ContentFault> Look(const Statement& statement, std::vector<std::string> stored) {
  ContentCheck check(statement);
  for (const Digest& digest : check.wanted()) {
    std::optional<std::string> bytes;
    for (const std::string& content : stored) {
      if (Sha256(content) == digest) bytes = content;
    }
    check.Take(bytes);
  }
  return check.Faults();
}

using Faults = std::vector<ContentFault>;

TEST(Content, ARecordNeedsBothItsBodyAndItsManifest) {
  const Digest record = Sha256(kIdentity), manifest = Sha256(kManifest);
  const Statement statement = PublicationOf({RecordSubject(record, manifest)});
  EXPECT_EQ(Look(statement, {kIdentity, kManifest}), Faults());
  EXPECT_EQ(Look(statement, {kIdentity}), (Faults{{manifest, "MISSING_CONTENT"}}));
  EXPECT_EQ(Look(statement, {kManifest}), (Faults{{record, "MISSING_CONTENT"}}));
  EXPECT_EQ(Look(PublicationOf({RecordSubject(record, record)}), {kIdentity}), Faults());
}

TEST(Content, AManifestOfAnotherRecordIsAMismatch) {
  const Digest other = Sha256(kOther), manifest = Sha256(kManifest);
  EXPECT_EQ(Look(PublicationOf({RecordSubject(other, manifest)}), {kOther, kManifest}),
            (Faults{{manifest, "CONTENT_MISMATCH"}}));
}

TEST(Content, BytesThatAreNoCanonicalManifestAreAMismatch) {
  const std::string spaced = std::string(kIdentity) + " ";
  const Digest digest = Sha256(spaced);
  EXPECT_EQ(Look(PublicationOf({RecordSubject(digest, digest)}), {spaced}),
            (Faults{{digest, "CONTENT_MISMATCH"}}));
}

TEST(Content, AnIdentityBodyWhoseManifestIsGoneIsStillRead) {
  const std::string text = "no manifest at all";
  const Digest record = Sha256(text), manifest = Sha256(kManifest);
  EXPECT_EQ(Look(PublicationOf({RecordSubject(record, manifest)}), {text}),
            (Faults{{manifest, "MISSING_CONTENT"}, {record, "CONTENT_MISMATCH"}}));
}

TEST(Content, AnArtifactHasItsSize) {
  Subject artifact;
  artifact.kind = Subject::Kind::kArtifact;
  artifact.digest = Sha256("bytes");
  artifact.size = 5;
  EXPECT_EQ(Look(PublicationOf({artifact}), {"bytes"}), Faults());
  artifact.size = 6;
  EXPECT_EQ(Look(PublicationOf({artifact}), {"bytes"}),
            (Faults{{artifact.digest, "CONTENT_MISMATCH"}}));
  EXPECT_EQ(Look(PublicationOf({artifact}), {}), (Faults{{artifact.digest, "MISSING_CONTENT"}}));
}

TEST(Content, BytesWithAnotherDigestCountAsMissing) {
  ContentCheck check(PublicationOf({RecordSubject(Sha256(kIdentity), Sha256(kIdentity))}));
  check.Take(std::string(kOther));
  EXPECT_EQ(check.Faults(), (Faults{{Sha256(kIdentity), "MISSING_CONTENT"}}));
}

TEST(Content, OtherStatementsAskForNothing) {
  Statement retraction = PublicationOf({RecordSubject(Sha256(kIdentity), Sha256(kIdentity))});
  retraction.type = StatementType::kRetraction;
  EXPECT_TRUE(ContentCheck(retraction).wanted().empty());
}

}  // namespace
}  // namespace stele
