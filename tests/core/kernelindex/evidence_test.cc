// Each reason why a verification does not count, each level with its reasons, errors of the source.
#include "core/kernelindex/evidence.h"

#include <gtest/gtest.h>

#include <functional>

#include "core/crypto/sha256.h"
#include "tests/core/kernelindex/world.h"

namespace stele::kernelindex {
namespace {

using testing::World;

Evidence Look(const World& world, const std::string& record = "r") {
  return **EvidenceOf(world, Sha256(record));
}

// The reasons of all verifications about "r", "counts" for none, with the entry instead.
std::string Reasons(const World& world, const std::string& record = "r") {
  std::string text;
  const Evidence evidence = Look(world, record);
  for (const JudgedVerification& judged : evidence.verifications) {
    text +=
        (text.empty() ? "" : ", ") + std::string(judged.reason.empty() ? "counts" : judged.reason);
    if (judged.instead) text += " " + std::to_string(judged.instead->value());
  }
  return text;
}

TEST(Evidence, NoLevelWhereNoRunCanBeRead) {
  World world;
  EXPECT_TRUE(EvidenceOf(world, Sha256("r"))->has_value());
  EXPECT_FALSE(EvidenceOf(world, Sha256("unknown"))->has_value());
  EXPECT_FALSE(EvidenceOf(world, Sha256("impl"))->has_value());
  world.facts["r"].withheld = true;
  EXPECT_FALSE(EvidenceOf(world, Sha256("r"))->has_value());
  world.facts["r"] = {.published = true, .counts = true, .profile = std::nullopt};
  EXPECT_FALSE(EvidenceOf(world, Sha256("r"))->has_value());
}

TEST(Evidence, ARunThatIsDisputedOrRetractedKeepsItsLevel) {
  World world;
  world.Verify("r", "runner", "x");
  world.facts["r"].counts = false;
  world.facts["r"].retracted = true;
  EXPECT_EQ(Look(world).level, EvidenceLevel::kVerified);
}

TEST(Evidence, OneVerifiesTwoReplicate) {
  World world;
  EXPECT_EQ(Look(world).level, EvidenceLevel::kReported);
  world.Verify("r", "runner", "x");
  EXPECT_EQ(Reasons(world), "counts");
  EXPECT_EQ(Look(world).level, EvidenceLevel::kVerified);
  world.Verify("r", "second", "y");
  EXPECT_EQ(Reasons(world), "counts, counts");
  EXPECT_EQ(Look(world).level, EvidenceLevel::kReplicated);
  EXPECT_EQ(Look(world, "x").level, EvidenceLevel::kReported);
}

TEST(Evidence, Disputed) {
  World world;
  world.Verify("r", "runner", "x").disputed = true;
  EXPECT_EQ(Reasons(world), "DISPUTED");
}

TEST(Evidence, OfAKeyOnlyTheLatestThatIsNotDisputed) {
  World world;
  world.Verify("r", "runner", "x");
  world.Verify("r", "runner", "y");
  world.Verify("x", "runner", "y");  // about another record
  EXPECT_EQ(Reasons(world), "NOT_LATEST 11, counts");
  EXPECT_EQ(Look(world).level, EvidenceLevel::kVerified);
  world.all[1].disputed = true;
  EXPECT_EQ(Reasons(world), "counts, DISPUTED");
  world.all[1] = world.all[0];
  world.all[1].index = EntryIndex(11);
  world.all[1].passed = false;
  EXPECT_EQ(Reasons(world), "NOT_LATEST 11, OUTCOME_FAILED");
  EXPECT_EQ(Look(world).level, EvidenceLevel::kReported);
}

TEST(Evidence, Failed) {
  World world;
  world.Verify("r", "runner", "x", false);
  EXPECT_EQ(Reasons(world), "OUTCOME_FAILED");
}

TEST(Evidence, AnOperatorIsNoRunner) {
  World world;
  world.Verify("r", "operator", "x").by_runner = false;
  EXPECT_EQ(Reasons(world), "NOT_RUNNER");
}

TEST(Evidence, WhoPublishedTheRecordOrItsImplementationDoesNotVerifyIt) {
  World world;
  world.Verify("r", "publisher", "x");
  world.Verify("r", "author", "x");
  world.Verify("r", "third", "x");
  EXPECT_EQ(Reasons(world), "OWN_RECORD, OWN_IMPLEMENTATION, counts");
}

TEST(Evidence, WhatIsAskedOfARerun) {
  const auto with = [](const std::function<void(World&)>& change) {
    World world;
    world.Verify("r", "runner", "x");
    change(world);
    return Reasons(world);
  };
  EXPECT_EQ(with([](World&) {}), "counts");
  EXPECT_EQ(with([](World& w) { w.all[0].rerun = Sha256("r"); }), "RERUN_IS_RECORD");
  EXPECT_EQ(with([](World& w) { w.facts.erase("x"); }), "RERUN_NOT_PUBLISHED");
  EXPECT_EQ(with([](World& w) { w.facts["x"].counts = false; }), "RERUN_NOT_PUBLISHED");
  EXPECT_EQ(with([](World& w) { w.facts["x"].retracted = true; }), "RERUN_RETRACTED");
  EXPECT_EQ(with([](World& w) { w.facts["x"].withheld = true; }), "RERUN_NO_RUN");
  EXPECT_EQ(with([](World& w) { w.facts["x"].profile = std::nullopt; }), "RERUN_NO_RUN");
  EXPECT_EQ(with([](World& w) { w.facts["x"].profile = Profile{}; }), "RERUN_NO_RUN");
  EXPECT_EQ(with([](World& w) { w.RunOf("x").implementation = Sha256("b"); }),
            "RERUN_OTHER_IMPLEMENTATION");
  EXPECT_EQ(with([](World& w) { w.RunOf("x").workload = Sha256("b"); }), "RERUN_OTHER_WORKLOAD");
  EXPECT_EQ(with([](World& w) { w.RunOf("x").protocol = Sha256("b"); }), "RERUN_OTHER_PROTOCOL");
  EXPECT_EQ(with([](World& w) { w.RunOf("x").environment = Sha256("b"); }), "counts");
  EXPECT_EQ(with([](World& w) { w.facts["x"].superseded = true; }), "counts");
}

TEST(Evidence, WhatNeitherRunNamesIsNotTheSame) {
  for (auto [member, reason] :
       {std::pair(&BenchmarkRun::implementation, "RERUN_OTHER_IMPLEMENTATION"),
        std::pair(&BenchmarkRun::workload, "RERUN_OTHER_WORKLOAD"),
        std::pair(&BenchmarkRun::protocol, "RERUN_OTHER_PROTOCOL")}) {
    World world;
    world.Verify("r", "runner", "x");
    world.RunOf("r").*member = std::nullopt;
    EXPECT_EQ(Reasons(world), reason);
    world.RunOf("x").*member = std::nullopt;
    EXPECT_EQ(Reasons(world), reason);
  }
}

TEST(Evidence, ARerunServesOneVerificationInTheWholeLog) {
  World world;
  world.Verify("y", "runner", "x");
  world.Verify("r", "second", "x");
  world.Verify("r", "third", "x");
  EXPECT_EQ(Reasons(world, "y"), "counts");
  EXPECT_EQ(Reasons(world), "RERUN_TAKEN 10, RERUN_TAKEN 10");
}

TEST(Evidence, OnlyOneThatCountsTakesTheRerun) {
  World world;
  world.Verify("y", "runner", "x", false);
  world.Verify("y", "publisher", "x");
  world.Verify("unknown", "second", "x");
  world.Verify("r", "third", "x");
  world.Verify("y", "fourth", "x");
  EXPECT_EQ(Reasons(world, "y"), "OUTCOME_FAILED, OWN_RECORD, RERUN_TAKEN 13");
  EXPECT_EQ(Reasons(world), "counts");
  // The first may lose it again: by a later word of the same key, about its own record.
  world.Verify("r", "third", "y");
  EXPECT_EQ(Reasons(world, "y"), "OUTCOME_FAILED, OWN_RECORD, counts");
}

TEST(Evidence, TheLevelBelowVerified) {
  const auto with = [](Implementation implementation, RawEvidence raw) {
    World world;
    world.facts["impl"].profile->implementation = implementation;
    world.RunOf("r").raw = raw;
    const Evidence evidence = Look(world);
    std::string text(EvidenceLevelName(evidence.level));
    for (std::string_view reason : evidence.reasons) text += " " + std::string(reason);
    return text;
  };
  EXPECT_EQ(with({}, {}), "reported IMPLEMENTATION_WITHOUT_SOURCE NO_RAW_EVIDENCE");
  EXPECT_EQ(with({.repository = true}, {}), "reported IMPLEMENTATION_REPOSITORY NO_RAW_EVIDENCE");
  EXPECT_EQ(with({}, {.logs = true}), "reported IMPLEMENTATION_WITHOUT_SOURCE EVIDENCE_LOGS");
  EXPECT_EQ(with({.repository = true}, {.timing_samples = true}),
            "reproducible IMPLEMENTATION_REPOSITORY TIMING_RAW_SAMPLES");
  EXPECT_EQ(with({.source = true}, {.samples = true}),
            "reproducible IMPLEMENTATION_SOURCE EVIDENCE_RAW_SAMPLES");
  EXPECT_EQ(with({true, true}, {true, true, true}),
            "reproducible IMPLEMENTATION_REPOSITORY IMPLEMENTATION_SOURCE TIMING_RAW_SAMPLES "
            "EVIDENCE_RAW_SAMPLES EVIDENCE_LOGS");
}

TEST(Evidence, AnImplementationThatIsNotThere) {
  World world;
  world.facts["impl"].profile->implementation = {true, true};
  world.RunOf("r").raw.logs = true;
  EXPECT_EQ(Look(world).level, EvidenceLevel::kReproducible);
  world.facts["impl"].counts = false;  // disputed: it stays readable
  EXPECT_EQ(Look(world).level, EvidenceLevel::kReproducible);
  using Words = std::vector<std::string_view>;
  world.facts["impl"].withheld = true;
  EXPECT_EQ(Look(world).level, EvidenceLevel::kReported);
  EXPECT_EQ(Look(world).reasons, (Words{"IMPLEMENTATION_NOT_STORED", "EVIDENCE_LOGS"}));
  world.facts.erase("impl");
  EXPECT_EQ(Look(world).reasons, (Words{"IMPLEMENTATION_NOT_STORED", "EVIDENCE_LOGS"}));
  world.RunOf("r").implementation = std::nullopt;
  EXPECT_EQ(Look(world).reasons, (Words{"NO_IMPLEMENTATION", "EVIDENCE_LOGS"}));
  EXPECT_EQ(Look(world).level, EvidenceLevel::kReported);
}

TEST(Evidence, AVerifiedRunStillSaysWhatItWouldBe) {
  World world;
  world.Verify("r", "runner", "x");
  using Words = std::vector<std::string_view>;
  EXPECT_EQ(Look(world).reasons,
            (Words{"COUNTED_VERIFICATIONS", "IMPLEMENTATION_WITHOUT_SOURCE", "NO_RAW_EVIDENCE"}));
}

TEST(Evidence, EveryErrorOfTheSourceIsPassedOn) {
  World world;
  world.Verify("y", "runner", "x", false);
  world.Verify("r", "second", "x");
  world.Verify("r", "third", "y");
  ASSERT_TRUE(EvidenceOf(world, Sha256("r")).ok());
  const int questions = world.asked;
  EXPECT_GT(questions, 8);
  for (int i = 1; i <= questions; ++i) {
    world.asked = 0;
    world.fail_at = i;
    EXPECT_EQ(EvidenceOf(world, Sha256("r")).status(), absl::DataLossError("torn")) << i;
  }
}

}  // namespace
}  // namespace stele::kernelindex
