// Every member that the profile reads, and every way in which it can be missing.
#include "core/kernelindex/profile.h"

#include <gtest/gtest.h>

#include "core/crypto/sha256.h"
#include "core/json/canonical.h"
#include "core/json/parse.h"
#include "tests/core/kernelindex/bodies.h"

namespace stele::kernelindex {
namespace {

using testing::Body;

BenchmarkRun RunOf(std::string_view spec) { return *ReadProfile(Body("BenchmarkRun", spec))->run; }

// "key value", "none" without one.
std::string PrimaryOf(std::string_view spec) {
  const Measurement primary = RunOf(spec).primary;
  EXPECT_EQ(primary.value.has_value(), primary.key != "none") << spec;
  return primary.value ? primary.key + " " + std::to_string(*primary.value) : primary.key;
}

TEST(Profile, IsOfRecordsOfItsApiVersionOnly) {
  EXPECT_TRUE(ReadProfile(Body("BenchmarkRun", "{}")).has_value());
  EXPECT_FALSE(ReadProfile(Body("BenchmarkRun", "{}", "kernelindex.dev/v1")).has_value());
  EXPECT_FALSE(ReadProfile(Body("BenchmarkRun", "{}", "v1")).has_value());
}

TEST(Profile, OnlyABenchmarkRunIsARun) {
  EXPECT_TRUE(ReadProfile(Body("BenchmarkRun", "{}"))->run.has_value());
  for (const char* kind : {"ServingRun", "benchmarkRun", "WorkloadCase", ""}) {
    const auto profile = ReadProfile(Body(kind, R"({"status":"passed"})"));
    EXPECT_EQ(profile->kind, kind);
    EXPECT_FALSE(profile->run.has_value()) << kind;
  }
}

TEST(Profile, BytesThatAreNoIdentityBodyGiveNothing) {
  const std::string body = Body("BenchmarkRun", R"({"status":"passed"})");
  ASSERT_TRUE(ReadProfile(body).has_value());
  for (size_t size = 0; size < body.size(); ++size) {
    EXPECT_FALSE(ReadProfile(body.substr(0, size)).has_value()) << size;
  }
  const std::string open = R"({"apiVersion":"kernelindex.dev/v1alpha1",)";
  for (const std::string& text : {
           body + " ",
           " " + body,
           open + R"("kind":"BenchmarkRun","metadata":{},"spec":{}})",
           open + R"("kind":"BenchmarkRun","more":1,"spec":{}})",
           open + R"("kind":"BenchmarkRun","spec":[]})",
           open + R"("kind":1,"spec":{}})",
           open + R"("kind":"BenchmarkRun"})",
           open + R"("spec":{},"kind":"BenchmarkRun"})",
           open + R"("kind":"BenchmarkRun","spec":{"a":1.0}})",
           std::string(R"({"apiVersion":1,"kind":"BenchmarkRun","spec":{}})"),
           std::string("[]"),
           std::string("null"),
       }) {
    EXPECT_FALSE(ReadProfile(text).has_value()) << text;
  }
}

TEST(Profile, TimingGivesTheMeanOrTheMedian) {
  const auto with = [](std::string_view statistic, std::string_view latency) {
    return PrimaryOf(R"({"timing":{"primaryStatistic":)" + std::string(statistic) +
                     R"(,"latencyNs":)" + std::string(latency) + "}}");
  };
  const char kBoth[] = R"({"mean":5,"median":4})";
  EXPECT_EQ(with(R"("mean")", kBoth), "latency:mean:ns 5.000000");
  EXPECT_EQ(with(R"("median")", kBoth), "latency:median:ns 4.000000");
  EXPECT_EQ(with(R"("p99")", kBoth), "latency:p99:ns 4.000000");
  EXPECT_EQ(with(R"("")", kBoth), "latency::ns 4.000000");
  EXPECT_EQ(with(R"("mean")", R"({"median":4})"), "latency:mean:ns 4.000000");
  EXPECT_EQ(with(R"("median")", R"({"mean":5})"), "latency:median:ns 5.000000");
  EXPECT_EQ(with(R"("mean")", R"({"mean":"5","median":4})"), "latency:mean:ns 4.000000");
  EXPECT_EQ(with(R"("mean")", R"({"mean":0,"median":4})"), "latency:mean:ns 0.000000");
  EXPECT_EQ(with(R"("mean")", R"({"minimum":1})"), "none");
  EXPECT_EQ(with(R"("mean")", R"([5])"), "none");
  EXPECT_EQ(with(R"("mean")", "5"), "none");
}

TEST(Profile, TimingWithoutAStatisticGivesNoValue) {
  const char kLatency[] = R"("latencyNs":{"mean":5,"median":4})";
  for (const char* statistic : {"", R"("primaryStatistic":null,)", R"("primaryStatistic":1,)"}) {
    const std::string timing = std::string(R"("timing":{)") + statistic + kLatency + "}";
    EXPECT_EQ(PrimaryOf("{" + timing + "}"), "none") << statistic;
    EXPECT_EQ(
        PrimaryOf(R"({"measurements":[{"metric":"m","statistic":"s","unit":"u","value":2}],)" +
                  timing + "}"),
        "m:s:u 2.000000")
        << statistic;
  }
}

TEST(Profile, ThenTheFirstMeasurement) {
  EXPECT_EQ(PrimaryOf(R"({"measurements":[{"metric":"score","statistic":"geomean","unit":"s",
                          "value":1.5},{"metric":"n","statistic":"s","unit":"u","value":2}]})"),
            "score:geomean:s 1.500000");
  EXPECT_EQ(PrimaryOf(R"({"measurements":[{"metric":"","statistic":"","unit":"","value":-1}]})"),
            ":: -1.000000");
  for (const char* list :
       {"[]", "{}", "null", "[1]", R"([{"metric":"m","statistic":"s","unit":"u"}])",
        R"([{"metric":"m","statistic":"s","unit":"u","value":"2"}])",
        R"([{"metric":"m","statistic":"s","value":2}])", R"([{"metric":"m","unit":"u","value":2}])",
        R"([{"statistic":"s","unit":"u","value":2}])",
        R"([{"metric":1,"statistic":"s","unit":"u","value":2}])",
        R"([null,{"metric":"m","statistic":"s","unit":"u","value":2}])"}) {
    EXPECT_EQ(PrimaryOf(R"({"measurements":)" + std::string(list) + "}"), "none") << list;
  }
}

TEST(Profile, TimingComesBeforeMeasurements) {
  const char kMeasurements[] =
      R"("measurements":[{"metric":"m","statistic":"s","unit":"u","value":2}])";
  EXPECT_EQ(PrimaryOf(std::string("{") + kMeasurements +
                      R"(,"timing":{"primaryStatistic":"mean","latencyNs":{"mean":5}}})"),
            "latency:mean:ns 5.000000");
  EXPECT_EQ(PrimaryOf(std::string("{") + kMeasurements +
                      R"(,"timing":{"primaryStatistic":"mean","latencyNs":{"maximum":5}}})"),
            "m:s:u 2.000000");
}

TEST(Profile, ConfidenceIsTwoNumbersInOrder) {
  const auto with = [](std::string_view pair) {
    return RunOf(R"({"timing":{"latencyNs":{"confidence95":)" + std::string(pair) + "}}}")
        .confidence95;
  };
  EXPECT_EQ(with("[1,2]"), (Interval{1, 2}));
  EXPECT_EQ(with("[2,2]"), (Interval{2, 2}));
  EXPECT_EQ(with("[-2,-1.5]"), (Interval{-2, -1.5}));
  for (const char* pair : {"[2,1]", "[1]", "[1,2,3]", "[]", R"(["1",2])", "[1,null]", "null",
                           R"({"low":1,"high":2})"}) {
    EXPECT_FALSE(with(pair).has_value()) << pair;
  }
  EXPECT_FALSE(RunOf(R"({"timing":{"confidence95":[1,2]}})").confidence95.has_value());
}

TEST(Profile, StatusIsATextThatIsNotEmpty) {
  EXPECT_EQ(RunOf(R"({"status":"compile_error"})").status, "compile_error");
  for (const char* spec : {"{}", R"({"status":1})", R"({"status":null})", R"({"status":""})"}) {
    EXPECT_EQ(RunOf(spec).status, "") << spec;
  }
}

TEST(Profile, SourceNativeCountsByPresence) {
  EXPECT_FALSE(RunOf("{}").source_native);
  for (const char* value : {"{}", "null", "false", R"("x")"}) {
    EXPECT_TRUE(RunOf(R"({"sourceNative":)" + std::string(value) + "}").source_native) << value;
  }
}

TEST(Profile, DigestsAreOfTheDigestForm) {
  const Digest digest = Sha256("d");
  const BenchmarkRun run = RunOf(R"({"workloadDigest":")" + digest.ToText() + R"("})");
  EXPECT_EQ(run.workload, digest);
  EXPECT_FALSE(run.protocol || run.environment || run.implementation);
  const std::string all = R"({"workloadDigest":")" + Sha256("w").ToText() +
                          R"(","protocolDigest":")" + Sha256("p").ToText() +
                          R"(","environmentDigest":")" + Sha256("e").ToText() +
                          R"(","implementationDigest":")" + Sha256("i").ToText() + R"("})";
  EXPECT_EQ(RunOf(all).workload, Sha256("w"));
  EXPECT_EQ(RunOf(all).protocol, Sha256("p"));
  EXPECT_EQ(RunOf(all).environment, Sha256("e"));
  EXPECT_EQ(RunOf(all).implementation, Sha256("i"));
  for (const std::string& value : {digest.ToHex(), std::string("sha256:"), std::string()}) {
    EXPECT_FALSE(RunOf(R"({"workloadDigest":")" + value + R"("})").workload.has_value()) << value;
  }
}

TEST(Profile, RawEvidence) {
  EXPECT_FALSE(RunOf("{}").raw.any());
  EXPECT_TRUE(RunOf(R"({"timing":{"rawSamples":"x"}})").raw.timing_samples);
  EXPECT_TRUE(RunOf(R"({"evidence":{"rawSamples":{}}})").raw.samples);
  EXPECT_TRUE(RunOf(R"({"evidence":{"logs":["x"]}})").raw.logs);
  EXPECT_TRUE(RunOf(R"({"evidence":{"logs":["x"]}})").raw.any());
  for (const char* spec :
       {R"({"timing":{"rawSamples":null}})", R"({"evidence":{"rawSamples":null,"logs":null}})",
        R"({"evidence":"logs"})", R"({"rawSamples":"x","logs":"x"})",
        R"({"timing":{"logs":"x"}})"}) {
    EXPECT_FALSE(RunOf(spec).raw.any()) << spec;
  }
}

TEST(Profile, TheSourceOfAnImplementation) {
  const auto of = [](std::string_view spec) {
    return ReadProfile(Body("ImplementationRevision", spec))->implementation;
  };
  EXPECT_TRUE(of(R"({"projectRevision":{"repository":"https://example.invalid"}})").repository);
  EXPECT_TRUE(of(R"({"source":{"fileName":"k.cu"}})").source);
  for (const char* spec : {"{}", R"({"projectRevision":{"version":"1"}})", R"({"repository":"x"})",
                           R"({"source":null,"projectRevision":{"repository":null}})",
                           R"({"projectRevision":{"source":"x"}})"}) {
    EXPECT_FALSE(of(spec).repository || of(spec).source) << spec;
  }
}

TEST(Profile, AWorkloadNeedsAnOperation) {
  const auto of = [](std::string_view spec) {
    return ReadProfile(Body("WorkloadCase", spec))->workload;
  };
  const std::string operation = R"("operationSpecDigest":")" + Sha256("op").ToText() + R"(")";
  EXPECT_FALSE(of("{}").has_value());
  EXPECT_FALSE(of(R"({"operationSpecDigest":"op"})").has_value());
  EXPECT_EQ(of("{" + operation + "}")->operation, Sha256("op"));
  EXPECT_EQ(of("{" + operation + "}")->correctness, Sha256("{}"));
  EXPECT_EQ(of(R"({"correctness":{"rtol":1e-5,"comparator":"c"},)" + operation + "}")->correctness,
            Sha256(R"({"correctness":{"comparator":"c","rtol":0.00001}})"));
  EXPECT_EQ(of(R"({"correctness":null,)" + operation + "}")->correctness,
            Sha256(R"({"correctness":null})"));
}

TEST(ComparisonKey, IsTheDigestOfItsCanonicalForm) {
  BenchmarkRun run;
  run.workload = Sha256("w");
  run.protocol = Sha256("p");
  run.environment = Sha256("e");
  run.primary = {"a \"b\":\n:ns", 1.0};
  const Workload workload{Sha256("o"), Sha256("c")};
  const std::string text = R"({"v":1,"operation":")" + Sha256("o").ToText() + R"(","workload":")" +
                           Sha256("w").ToText() + R"(","protocol":")" + Sha256("p").ToText() +
                           R"(","environment":")" + Sha256("e").ToText() + R"(","correctness":")" +
                           Sha256("c").ToText() + R"(","metric":"a \"b\":\n:ns"})";
  EXPECT_EQ(ComparisonKey(run, workload), Sha256(json::Canonical(*json::Parse(text))));
  run.implementation = Sha256("i");
  run.primary.value = 2.0;
  EXPECT_EQ(ComparisonKey(run, workload), Sha256(json::Canonical(*json::Parse(text))));
}

TEST(ComparisonKey, IsMissingWhereADigestIs) {
  const Workload workload{Sha256("o"), Sha256("c")};
  for (std::optional<Digest> BenchmarkRun::*left_out :
       {&BenchmarkRun::workload, &BenchmarkRun::protocol, &BenchmarkRun::environment}) {
    BenchmarkRun run;
    run.workload = run.protocol = run.environment = Sha256("d");
    EXPECT_TRUE(ComparisonKey(run, workload).has_value());
    run.*left_out = std::nullopt;
    EXPECT_FALSE(ComparisonKey(run, workload).has_value());
  }
}

}  // namespace
}  // namespace stele::kernelindex
