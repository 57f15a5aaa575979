// What one statement of one record costs the server, from request to receipt, in CPU time of the
// whole process; and the part of it that is the signature's verification.
#include <benchmark/benchmark.h>

#include <condition_variable>
#include <mutex>
#include <vector>

#include "core/statement/dsse.h"
#include "tests/support/store/statements.h"
#include "tests/support/store/store_home.h"

namespace stele::store {
namespace {

using testing::Engine;
using testing::StoreHome;
using testing::TestKey;

class CountSink final : public PublishSink {
 public:
  void OnOutcomes(std::shared_ptr<const std::string>,
                  std::vector<PublishOutcome> outcomes) override {
    for (const PublishOutcome& outcome : outcomes) benchmark::DoNotOptimize(outcome.result.ok());
    const std::lock_guard lock(mutex_);
    count_ += outcomes.size();
    came_.notify_one();
  }
  void Wait(size_t count) {
    std::unique_lock lock(mutex_);
    came_.wait(lock, [&] { return count_ >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  size_t count_ = 0;
};

std::vector<PublishItem> MakeItems(int from, int to) {
  const PrivateKey signer = TestKey("operator");
  std::vector<PublishItem> items;
  for (int n = from; n < to; ++n) {
    items.push_back(testing::SignPublication(testing::TestManifest(n, {}, 800), signer));
  }
  return items;
}

constexpr int kRequest = 64;
constexpr int kWindow = 512;

void Publish(benchmark::State& state, Engine engine) {
  const int total = static_cast<int>(state.range(0));
  int next = 0;
  StoreHome home(engine);
  auto store = home.Open();
  for (auto _ : state) {
    state.PauseTiming();
    std::vector<PublishItem> items = MakeItems(next, next + total);
    next += total;
    const auto sink = std::make_shared<CountSink>();
    state.ResumeTiming();
    for (int sent = 0; sent < total; sent += kRequest) {
      const auto begin = items.begin() + sent;
      (*store)->Publish({std::make_move_iterator(begin), std::make_move_iterator(begin + kRequest)},
                        sink);
      if (sent > kWindow) sink->Wait(static_cast<size_t>(sent - kWindow));
    }
    sink->Wait(static_cast<size_t>(total));
  }
  const StoreStats stats = (*store)->Stats();
  state.SetItemsProcessed(state.iterations() * total);
  state.counters["cpu_us"] =
      benchmark::Counter(static_cast<double>(state.iterations() * total) / 1e6,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["batch"] =
      static_cast<double>(stats.appended) / static_cast<double>(stats.commits);
}
BENCHMARK_CAPTURE(Publish, memory, Engine::kMemory)
    ->Arg(8192)
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Publish, rocksdb, Engine::kRocksDb)
    ->Arg(8192)
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

void VerifyOne(benchmark::State& state) {
  const auto item = MakeItems(0, 1).front();
  const PublicKey key = TestKey("operator").public_key();
  const Envelope envelope = *ParseEnvelope(item.envelope);
  for (auto _ : state) {
    benchmark::DoNotOptimize(key.Verify(Pae(envelope.payload), envelope.signature).ok());
  }
}
BENCHMARK(VerifyOne)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace stele::store
