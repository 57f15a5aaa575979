#include <benchmark/benchmark.h>

#include <string>

#include "core/merkle/frontier.h"
#include "core/merkle/proof.h"
#include "core/tlog/tree_edge.h"

namespace stele {
namespace {

// An edge of this size with the last `fresh` entries since ForgetFinished.
TreeEdge EdgeOf(uint64_t size, uint64_t fresh) {
  const Hash leaf = LeafHash("leaf");
  TreeEdge edge;
  for (uint64_t i = 0; i < size; ++i) {
    if (i + fresh == size) edge.ForgetFinished();
    edge.Append(leaf);
    if (i + fresh < size && i % 65536 == 0) edge.ForgetFinished();
  }
  return edge;
}

void HashNode(benchmark::State& state) {
  Hash hash = LeafHash("x");
  for (auto _ : state) hash = NodeHash(hash, hash);
  benchmark::DoNotOptimize(hash);
}
BENCHMARK(HashNode);

void FrontierAppend(benchmark::State& state) {
  const Hash leaf = LeafHash("leaf");
  Frontier frontier;
  for (auto _ : state) frontier.Append(leaf);
  benchmark::DoNotOptimize(frontier.Root());
}
BENCHMARK(FrontierAppend);

void EdgeAppend(benchmark::State& state) {
  const Hash leaf = LeafHash("leaf");
  TreeEdge edge;
  for (auto _ : state) {
    edge.Append(leaf);
    if (edge.finished().size() >= 4) edge.ForgetFinished();
  }
}
BENCHMARK(EdgeAppend);

void EdgeCopy(benchmark::State& state) {
  const TreeEdge edge = EdgeOf(1000000, 100);
  for (auto _ : state) benchmark::DoNotOptimize(TreeEdge(edge));
}
BENCHMARK(EdgeCopy);

void EdgeRoot(benchmark::State& state) {
  const TreeEdge edge = EdgeOf(static_cast<uint64_t>(state.range(0)), 100);
  for (auto _ : state) benchmark::DoNotOptimize(edge.Root());
}
BENCHMARK(EdgeRoot)->Arg(1000)->Arg(1000000);

void EdgeInclusionProof(benchmark::State& state) {
  const uint64_t size = static_cast<uint64_t>(state.range(0)), fresh = 500;
  const TreeEdge edge = EdgeOf(size, fresh);
  uint64_t i = 0;
  for (auto _ : state) {
    const EntryIndex index(size - fresh + i++ % fresh);
    if (!MakeInclusionProof(edge, index, edge.size()).ok()) state.SkipWithError("no proof");
  }
}
BENCHMARK(EdgeInclusionProof)->Arg(1000)->Arg(1000000);

void VerifyInclusionProof(benchmark::State& state) {
  const uint64_t size = static_cast<uint64_t>(state.range(0));
  const TreeEdge edge = EdgeOf(size, 100);
  const EntryIndex index(size - 50);
  const Proof proof = *MakeInclusionProof(edge, index, edge.size());
  const Hash leaf = LeafHash("leaf"), root = edge.Root();
  for (auto _ : state) {
    if (!VerifyInclusion(index, edge.size(), leaf, proof, root).ok()) {
      state.SkipWithError("not verified");
    }
  }
}
BENCHMARK(VerifyInclusionProof)->Arg(1000)->Arg(1000000);

}  // namespace
}  // namespace stele
