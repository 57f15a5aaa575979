// What every published statement costs beside its signature: envelope in, payload judged, leaf out.
#include <benchmark/benchmark.h>

#include <string>

#include "core/crypto/sha256.h"
#include "core/statement/entry.h"
#include "core/statement/key_ring.h"
#include "core/statement/statement.h"

namespace stele {
namespace {

constexpr std::string_view kOrigin = "log.example/bench";

std::string Payload(int64_t subjects) {
  Statement statement;
  statement.type = StatementType::kPublication;
  statement.log = kOrigin;
  statement.predicate = Publication{};
  for (int64_t i = 0; i < subjects; ++i) {
    const Digest record = Sha256(std::to_string(i));
    statement.subjects.push_back(RecordSubject(record, Sha256(record.bytes())));
  }
  return FormatStatement(statement);
}

std::string EnvelopeText(int64_t subjects) {
  return FormatEnvelope(Payload(subjects), Sha256("key"), std::string(64, 's'));
}

void BM_ParseStatement(benchmark::State& state) {
  const std::string payload = Payload(state.range(0));
  if (!ParseStatement(payload, kOrigin).ok()) state.SkipWithError("payload refused");
  for (auto _ : state) benchmark::DoNotOptimize(ParseStatement(payload, kOrigin));
}
BENCHMARK(BM_ParseStatement)->Arg(1)->Arg(128);

void BM_FormatStatement(benchmark::State& state) {
  const Statement statement = ParseStatement(Payload(1), kOrigin).value();
  for (auto _ : state) benchmark::DoNotOptimize(FormatStatement(statement));
}
BENCHMARK(BM_FormatStatement);

void BM_ParseEnvelope(benchmark::State& state) {
  const std::string text = EnvelopeText(1);
  if (!ParseEnvelope(text).ok()) state.SkipWithError("envelope refused");
  for (auto _ : state) benchmark::DoNotOptimize(ParseEnvelope(text));
}
BENCHMARK(BM_ParseEnvelope);

void BM_FormatEnvelope(benchmark::State& state) {
  const std::string payload = Payload(1), signature(64, 's');
  const KeyId key = Sha256("key");
  for (auto _ : state) benchmark::DoNotOptimize(FormatEnvelope(payload, key, signature));
}
BENCHMARK(BM_FormatEnvelope);

void BM_BuildInlineLeaf(benchmark::State& state) {
  const std::string envelope = EnvelopeText(1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(BuildInlineLeaf(EventIndex(17), envelope, TimeMs(1767323045001)));
  }
}
BENCHMARK(BM_BuildInlineLeaf);

void BM_ParseLeaf(benchmark::State& state) {
  const std::string leaf =
      BuildInlineLeaf(EventIndex(17), EnvelopeText(1), TimeMs(1767323045001)).value();
  if (!ParseLeaf(leaf).ok()) state.SkipWithError("leaf refused");
  for (auto _ : state) benchmark::DoNotOptimize(ParseLeaf(leaf));
}
BENCHMARK(BM_ParseLeaf);

// A revocation that disputes, over a ring of so many grants: everything is computed anew.
void BM_Dispute(benchmark::State& state) {
  KeyRing ring;
  const auto count = static_cast<uint64_t>(state.range(0));
  for (uint64_t i = 0; i < count; ++i) {
    KeyEvent event;
    event.index = EntryIndex(i);
    event.kind = i == 0 ? KeyEvent::Kind::kGenesisOperator : KeyEvent::Kind::kGrant;
    event.subject = Sha256(std::to_string(i));
    event.signer = Sha256(std::to_string(i / 2));
    event.authority = EventIndex(static_cast<int64_t>(i / 2));
    event.role = Role::kOperator;
    ring.Add(event);
  }
  KeyEvent revocation;
  revocation.index = EntryIndex(count);
  revocation.kind = KeyEvent::Kind::kRevoke;
  revocation.subject = Sha256("1");
  revocation.signer = Sha256("0");
  revocation.authority = EventIndex(0);
  revocation.compromised_since = EntryIndex(2);
  for (auto _ : state) {
    KeyRing trial = ring;
    trial.Add(revocation);
    benchmark::DoNotOptimize(trial);
  }
}
BENCHMARK(BM_Dispute)->Arg(100)->Arg(10000);

}  // namespace
}  // namespace stele
