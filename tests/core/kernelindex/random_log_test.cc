// Random logs: what is counted one record at a time is what one pass over the whole log counts.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "core/crypto/sha256.h"
#include "tests/core/kernelindex/bodies.h"
#include "tests/core/kernelindex/naive_evidence.h"
#include "tests/core/kernelindex/naive_rank.h"

namespace stele::kernelindex {
namespace {

constexpr char kOrigin[] = "log.example/test";
constexpr size_t kKeys = 6;  // the first is the operator of genesis
constexpr Role kRoles[] = {Role::kOperator, Role::kRunner, Role::kRunner, Role::kRunner,
                           Role::kPublisher};

// Six runs of two implementations, two workloads and two protocols, most of one of each; and the
// implementations, one workload, and an artifact of a body.
std::vector<std::string> Bodies() {
  std::vector<std::string> bodies;
  const auto add = [&](std::string_view kind, const std::string& spec) {
    bodies.push_back(testing::Body(kind, spec));
    return R"(Digest":")" + Sha256(bodies.back()).ToText() + R"(")";
  };
  const std::string bare = add("ImplementationRevision", "{}");
  const std::string open = add("ImplementationRevision", R"({"source":{}})");
  const std::string workload =
      add("WorkloadCase", R"({"operationSpecDigest":")" + Sha256("operation").ToText() + R"("})");
  const std::string unknown = R"(Digest":")" + Sha256("unknown").ToText() + R"(")";
  for (int i = 0; i < 8; ++i) {
    add("BenchmarkRun", R"({"implementation)" + (i == 1 ? bare : open) + R"(,"workload)" +
                            (i == 2 ? unknown : workload) + R"(,"protocol)" +
                            (i == 3 ? workload : unknown) + R"(,"environment)" + unknown +
                            R"(,"status":"passed","timing":{"primaryStatistic":"mean","latencyNs":
                               {"mean":)" +
                            std::to_string(i / 2) + "}" +
                            (i % 2 == 0 ? R"(,"rawSamples":"x")" : "") + "}}");
  }
  return bodies;
}

// A log that grows by random acts; many are void, which is the point.
class RandomLog {
 public:
  explicit RandomLog(unsigned seed) : random_(seed) {
    for (const std::string& body : bodies_) records_.push_back(Sha256(body));
    Genesis genesis{*NoteVerifier::Make(kOrigin, Key(9)), Key(0), {}, std::nullopt};
    Said said = Make(0, StatementType::kGenesis, genesis, {OriginSubject(kOrigin)});
    said.authority = EventIndex(0);
    said.own_key = true;
    EXPECT_TRUE(source_.Add(said).ok());
    next_ = 1;
    for (size_t key = 1; key < kKeys; ++key) Grant(key);
    // By keys that may be disputed later, or may not publish at all.
    for (const Digest& record : records_) Publish(Below(kKeys), record);
  }

  void Act() {
    const size_t key = Below(kKeys);
    const Digest& record = records_[Below(records_.size())];
    const size_t act = Below(100);
    if (act < 15) return Publish(key, record);
    if (act < 75) return Verify(key);
    if (act < 80) return Retract(key, record);
    if (act < 84) return Withhold(record);
    if (act < 92) return Grant(1 + Below(kKeys - 1));
    Revoke(1 + Below(kKeys - 1));
  }
  const testing::ReplaySource& source() const { return source_; }
  const std::vector<Digest>& records() const { return records_; }

 private:
  size_t Below(size_t n) { return random_() % n; }
  static const PublicKey& Key(size_t number) {
    static const std::vector<PublicKey> keys = [] {
      std::vector<PublicKey> made;
      for (int i = 0; i < 10; ++i) {
        made.push_back(
            PrivateKey::FromEd25519Seed(Sha256(std::to_string(i)).bytes())->public_key());
      }
      return made;
    }();
    return keys[number];
  }
  static Subject About(const Digest& digest, Subject::Kind kind = Subject::Kind::kRecord) {
    Subject subject;
    subject.kind = kind;
    subject.digest = digest;
    return subject;
  }
  Said Make(size_t key, StatementType type, Predicate predicate,
            std::vector<Subject> subjects) const {
    Said said;
    said.index = EntryIndex(next_);
    said.signer = Key(key).id();
    said.authority = source_.replay().ring().Latest(said.signer);
    said.reading = Said::Reading::kWhole;
    said.signature = Said::Signature::kGood;
    said.payload = Sha256(std::to_string(next_));
    said.statement.type = type;
    said.statement.predicate_type = PredicateTypeOf(type);
    said.statement.log = kOrigin;
    said.statement.predicate = std::move(predicate);
    said.statement.subjects = std::move(subjects);
    return said;
  }
  bool Say(size_t key, StatementType type, Predicate predicate, std::vector<Subject> subjects) {
    const bool valid = source_.Add(Make(key, type, std::move(predicate), std::move(subjects))).ok();
    ++next_;
    return valid;
  }
  EventIndex Latest(size_t key) const { return source_.replay().ring().Latest(Key(key).id()); }

  void Publish(size_t key, const Digest& record) {
    Say(key, StatementType::kPublication, Publication{}, {RecordSubject(record, record)});
  }
  void Verify(size_t key) {
    const size_t first_run = records_.size() - 8;
    // Any record may be cited; most are runs.
    const Digest& rerun = records_[Below(10) == 0 ? Below(first_run) : first_run + Below(8)];
    const Digest& record = records_[Below(15) == 0 ? Below(first_run) : first_run + Below(8)];
    Say(key, StatementType::kVerification, Verification{Below(6) != 0, rerun}, {About(record)});
  }
  void Retract(size_t key, const Digest& record) {
    Say(key, StatementType::kRetraction, Retraction{"r", std::nullopt}, {About(record)});
  }
  void Withhold(const Digest& record) {
    const uint64_t at = next_;
    const auto known = withheld_.find(record);
    const EventIndex after = known == withheld_.end() ? kNoEvent : known->second;
    if (Say(0, StatementType::kWithholding,
            Withholding{after, !source_.replay().IsWithheld(record), "r"},
            {About(record, Subject::Kind::kAny)})) {
      withheld_[record] = EventIndex(static_cast<int64_t>(at));
    }
  }
  void Grant(size_t key) {
    Say(0, StatementType::kKeyGrant,
        KeyGrant{Latest(key), Key(key), "k", kRoles[Below(std::size(kRoles))]},
        {KeySubject(Key(key).id())});
  }
  void Revoke(size_t key) {
    KeyRevoke revoke{Latest(key), "r", std::nullopt};
    if (Below(3) != 0)
      revoke.compromised_since = EntryIndex(next_ - Below(std::min(next_, size_t{30})));
    Say(0, StatementType::kKeyRevoke, revoke, {KeySubject(Key(key).id())});
  }

  std::mt19937 random_;
  const std::vector<std::string> bodies_ = Bodies();
  std::vector<Digest> records_;
  testing::ReplaySource source_{[this](const Digest& digest) -> std::optional<std::string> {
    for (const std::string& body : bodies_) {
      if (Sha256(body) == digest) return body;
    }
    return std::nullopt;
  }};
  size_t next_ = 0;
  std::map<Digest, EventIndex> withheld_;
};

// Compares; adds the reasons and levels that were seen.
void Compare(const RandomLog& log, std::set<std::string_view>& seen) {
  const std::map<Digest, std::vector<uint64_t>> naive = testing::NaiveCounted(log.source());
  for (const Digest& record : log.records()) {
    const auto evidence = EvidenceOf(log.source(), record);
    ASSERT_TRUE(evidence.ok());
    const auto counted = naive.find(record);
    if (!evidence->has_value()) {
      ASSERT_TRUE(counted == naive.end());
      continue;
    }
    ASSERT_EQ(testing::CountedIn(**evidence),
              counted == naive.end() ? std::vector<uint64_t>() : counted->second);
    seen.insert(EvidenceLevelName((*evidence)->level));
    for (const auto& judged : (*evidence)->verifications) seen.insert(judged.reason);
  }
  for (const auto& [key, members] : log.source().Cohorts()) {
    ASSERT_EQ(testing::RanksOf(RankCohort(members)), testing::NaiveRanks(members));
  }
}

TEST(RandomLogs, OneRecordAtATimeIsAsTheWholeLog) {
  std::set<std::string_view> seen;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    RandomLog log(seed);
    for (int part = 0; part < 5; ++part) {
      for (int i = 0; i < 20; ++i) log.Act();
      ASSERT_NO_FATAL_FAILURE(Compare(log, seen)) << "seed " << seed;
    }
  }
  // Everything happened, else the logs were too tame.
  const std::set<std::string_view> expected = {"reported",
                                               "reproducible",
                                               "verified",
                                               "replicated",
                                               "",
                                               not_counted::kDisputed,
                                               not_counted::kNotLatest,
                                               not_counted::kFailed,
                                               not_counted::kNotRunner,
                                               not_counted::kOwnRecord,
                                               not_counted::kOwnImplementation,
                                               not_counted::kRerunIsRecord,
                                               not_counted::kRerunNotPublished,
                                               not_counted::kRerunRetracted,
                                               not_counted::kRerunNoRun,
                                               not_counted::kOtherImplementation,
                                               not_counted::kOtherWorkload,
                                               not_counted::kOtherProtocol,
                                               not_counted::kRerunTaken};
  EXPECT_EQ(seen, expected);
}

}  // namespace
}  // namespace stele::kernelindex
