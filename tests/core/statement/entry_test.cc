#include "core/statement/entry.h"

#include <gtest/gtest.h>

#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/time_text.h"
#include "core/crypto/sha256.h"
#include "core/merkle/hash.h"
#include "tests/support/vector_file.h"

namespace stele {
namespace {

using testing::Base64Member;
using testing::Text;
using testing::VectorFile;
using testing::VectorsDir;

// From the envelope as it came in to the leaf, the way the writer does it, and back.
void CheckBuilt(simdjson::dom::element c) {
  const EventIndex authority{int64_t(c["authority"])};
  const auto logged = ParseTime(Text(c, "logged"));
  ASSERT_TRUE(logged.has_value());
  const auto envelope = ParseEnvelope(simdjson::minify(simdjson::dom::element(c["envelope"])));
  ASSERT_TRUE(envelope.ok()) << envelope.status();
  const KeyId key = Sha256(Base64Member(c, "spki"));
  const std::string stored = FormatEnvelope(envelope->payload, key, envelope->signature);
  const bool detached = Text(c, "form") == "detached";
  const DetachedEnvelope reference{Sha256(stored), key, Text(c, "predicateType"), stored.size()};
  const auto leaf = detached ? BuildDetachedLeaf(authority, reference, *logged)
                             : BuildInlineLeaf(authority, stored, *logged);
  ASSERT_TRUE(leaf.ok()) << leaf.status();
  EXPECT_EQ(*leaf, Base64Member(c, "leaf"));
  EXPECT_EQ(LeafHash(*leaf).bytes(), Base64Member(c, "leafHash"));
  if (detached) EXPECT_EQ(stored, Base64Member(c, "content"));

  const auto entry = ParseLeaf(*leaf);
  ASSERT_TRUE(entry.ok()) << entry.status();
  EXPECT_EQ(entry->authority, authority);
  EXPECT_EQ(entry->logged, *logged);
  if (detached) {
    const auto& body = std::get<DetachedEnvelope>(entry->body);
    EXPECT_EQ(body.digest, reference.digest);
    EXPECT_EQ(body.key, key);
    EXPECT_EQ(body.predicate_type, reference.predicate_type);
    EXPECT_EQ(body.size, stored.size());
  } else {
    const auto& body = std::get<StoredEnvelope>(entry->body);
    EXPECT_EQ(body.key, key);
    EXPECT_EQ(body.payload, envelope->payload);
    EXPECT_EQ(body.signature, envelope->signature);
  }
}

TEST(Entry, GoldenBuilt) {
  const VectorFile file(VectorsDir() / "leaves.json");
  size_t cases = 0;
  for (simdjson::dom::element c : simdjson::dom::array(file.root()["built"])) {
    SCOPED_TRACE(Text(c, "name"));
    ASSERT_NO_FATAL_FAILURE(CheckBuilt(c));
    ++cases;
  }
  EXPECT_EQ(cases, 17u);
}

TEST(Entry, GoldenRefused) {
  const VectorFile file(VectorsDir() / "leaves.json");
  size_t cases = 0;
  for (simdjson::dom::element c : simdjson::dom::array(file.root()["refused"])) {
    SCOPED_TRACE(Text(c, "name"));
    const auto entry = ParseLeaf(Base64Member(c, "leaf"));
    ++cases;
    ASSERT_FALSE(entry.ok());
    EXPECT_EQ(ReasonOf(entry.status()), Text(c, "reason")) << entry.status();
    if (Text(c, "reason") == "SYNTAX") continue;
    EXPECT_EQ(PointerOf(entry.status()), Text(c, "pointer"));
  }
  EXPECT_EQ(cases, 70u);
}

std::string Generate(simdjson::dom::element c) {
  std::string leaf = Base64Member(c, "prefix");
  const std::string repeat = Base64Member(c, "repeat");
  for (int64_t i = 0; i < int64_t(c["count"]); ++i) leaf += repeat;
  return leaf + Base64Member(c, "suffix");
}

TEST(Entry, GoldenSizes) {
  const VectorFile file(VectorsDir() / "leaves.json");
  size_t cases = 0;
  for (simdjson::dom::element c : simdjson::dom::array(file.root()["generated"])) {
    SCOPED_TRACE(Text(c, "name"));
    const std::string leaf = Generate(c);
    const auto entry = ParseLeaf(leaf);
    ++cases;
    ASSERT_EQ(entry.ok(), bool(c["accept"])) << entry.status();
    if (!entry.ok()) {
      EXPECT_EQ(ReasonOf(entry.status()), Text(c, "reason")) << entry.status();
    } else {
      EXPECT_EQ(LeafHash(leaf).bytes(), Base64Member(c, "leafHash"));
    }
  }
  EXPECT_EQ(cases, 2u);
}

// The builder refuses exactly what the reader refuses for its size.
TEST(Entry, BuilderRefusesOneByteTooMany) {
  const TimeMs logged(1767323045001);
  const std::string frame = *BuildInlineLeaf(EventIndex(17), "", logged);
  const std::string fits(limits::kLeafBytes - frame.size(), 'x');
  EXPECT_EQ(BuildInlineLeaf(EventIndex(17), fits, logged)->size(), limits::kLeafBytes);
  const auto refused = BuildInlineLeaf(EventIndex(17), fits + "x", logged);
  EXPECT_EQ(ReasonOf(refused.status()), reason::kLeafTooLarge);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(Entry, GoldenTimes) {
  const VectorFile file(VectorsDir() / "leaves.json");
  size_t cases = 0;
  for (simdjson::dom::element c : simdjson::dom::array(file.root()["times"])) {
    std::optional<TimeMs> previous;
    absl::Status verdict;
    size_t index = 0;
    for (simdjson::dom::element text : simdjson::dom::array(c["logged"])) {
      const auto time = ParseTime(std::string_view(text));
      ASSERT_TRUE(time.has_value());
      if (previous) verdict = CheckTimeOrder(*previous, *time);
      if (!verdict.ok()) break;
      previous = time;
      ++index;
    }
    ++cases;
    ASSERT_EQ(verdict.ok(), bool(c["accept"])) << verdict;
    if (verdict.ok()) continue;
    EXPECT_EQ(ReasonOf(verdict), Text(c, "reason"));
    EXPECT_EQ(index, size_t(uint64_t(c["index"])));
  }
  EXPECT_EQ(cases, 2u);
}

}  // namespace
}  // namespace stele
