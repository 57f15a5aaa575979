#include "tests/store/audited_story.h"

#include <utility>

#include "core/crypto/sha256.h"
#include "core/replay/judge.h"
#include "core/statement/dsse.h"
#include "core/statement/entry.h"

namespace stele::store::testing {
namespace {

using stele::testing::kOrigin;

// The leaf that an operator would have to log for this item to stand at `index`, and read as such.
ReadEntry ReadForged(const PublishItem& item, uint64_t index, const KeyRing& ring) {
  const Envelope envelope = *ParseEnvelope(item.envelope);
  const KeyId signer = *KeyId::FromBytes(item.key_id);
  const EventIndex authority = AuthorityOf(ring, signer, EntryIndex{index});
  const std::string kept = FormatEnvelope(envelope.payload, signer, envelope.signature);
  const auto statement = ParseStatement(envelope.payload, kOrigin);
  if (!statement.ok() || !AlwaysDetached(statement->type)) {
    return ReadLeaf(EntryIndex{index}, *BuildInlineLeaf(authority, kept, TimeMs{0}), kOrigin);
  }
  const DetachedEnvelope detached{Sha256(kept), signer, statement->predicate_type, kept.size()};
  ReadEntry read =
      ReadLeaf(EntryIndex{index}, *BuildDetachedLeaf(authority, detached, TimeMs{0}), kOrigin);
  ReadEnvelope(kept, kOrigin, read);
  return read;
}

}  // namespace

std::string AuditedStory::Verdict(const absl::StatusOr<Receipt>& result) const {
  if (!result.ok()) return ReasonOf(result.status());
  return result->replayed ? "REPLAYED" : "valid";
}

std::string AuditedStory::Say(PublishItem item) {
  const uint64_t index = NextIndex();
  const std::string verdict = Verdict(PublishOne(item));
  if (verdict != "valid") refused_.push_back({index, std::move(item), verdict});
  return verdict;
}

std::vector<std::string> AuditedStory::SayAll(std::vector<PublishItem> items) {
  for (size_t i = 0; i < items.size(); ++i) items[i].tag = i;
  uint64_t index = NextIndex();
  std::vector<std::string> verdicts;
  for (const auto& [tag, result] : Publish(items)) {
    verdicts.push_back(Verdict(result));
    if (verdicts.back() == "valid") {
      index = result->index.value() + 1;
    } else {
      refused_.push_back({index, std::move(items[tag]), verdicts.back()});
    }
  }
  return verdicts;
}

uint64_t AuditedStory::Log(PublishItem item) {
  const uint64_t index = NextIndex();
  EXPECT_EQ(Say(std::move(item)), "valid");
  return index;
}

ReadEntry AuditedStory::ReadLogged(uint64_t index) const {
  const auto reader = Reader();
  ReadEntry read = ReadLeaf(EntryIndex{index}, reader->Entry(EntryIndex{index})->leaf, kOrigin);
  if (read.detached) {
    const auto envelope = reader->Content(read.detached->digest);
    ReadEnvelope(envelope.ok() ? std::optional(*envelope) : std::nullopt, kOrigin, read);
  }
  return read;
}

std::unique_ptr<Replay> AuditedStory::ReplayOf(uint64_t size) const {
  auto replay = std::make_unique<Replay>();
  for (uint64_t i = 0; i < size; ++i) {
    ReadEntry read = ReadLogged(i);
    CheckSignature(replay->ring().FindKey(read.said.signer), read);
    EXPECT_EQ(replay->Add(read.said), absl::OkStatus()) << i;
  }
  return replay;
}

void AuditedStory::Audit() {
  auditor_ = ReplayOf(NextIndex());
  for (const Refused& refused : refused_) {
    const std::unique_ptr<Replay> below = ReplayOf(refused.index);
    ReadEntry read = ReadForged(refused.item, refused.index, below->ring());
    CheckSignature(below->ring().FindKey(read.said.signer), read);
    EXPECT_EQ(ReasonOf(below->Add(read.said)), refused.reason) << "at " << refused.index;
  }
}

void AuditedStory::TearDown() {
  if (!HasFatalFailure()) Audit();
  StoreTestBase::TearDown();
}

}  // namespace stele::store::testing
