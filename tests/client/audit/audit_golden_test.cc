// Audits of the golden logs, and of single files of one of them damaged.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "client/audit/auditor.h"
#include "client/source/folder_source.h"
#include "core/base/base64.h"
#include "core/base/refusal.h"
#include "tests/client/audit/static_log.h"
#include "tests/support/vector_file.h"

namespace stele::client {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;

absl::StatusOr<AuditReport> AuditOf(const StaticLog& log, AuditOptions options = {}) {
  if (!options.policy && !options.genesis) options.policy = PolicyOfLogKeys(log.PolicyKeys());
  FolderSource source(log.dir());
  return Audit(source, options);
}

class AuditGolden : public ::testing::TestWithParam<std::string_view> {};

void CheckReport(const AuditReport& report, element expected) {
  EXPECT_EQ(report.checkpoint.size.value(), uint64_t(expected["size"]));
  EXPECT_EQ(Base64Encode(report.checkpoint.root.bytes()), testing::Text(expected, "root"));
  std::vector<std::pair<uint64_t, std::string>> faults, expected_faults;
  for (const AuditFault& fault : report.faults) {
    faults.emplace_back(fault.index.value(), fault.reason);
  }
  for (element fault : array(expected["faults"])) {
    expected_faults.emplace_back(uint64_t(fault.at(0)), std::string_view(fault.at(1)));
  }
  EXPECT_EQ(faults, expected_faults);
  std::set<std::string> signers, expected_signers;
  signers.insert(report.signers.begin(), report.signers.end());
  for (element vkey : array(expected["signers"])) expected_signers.emplace(std::string_view(vkey));
  EXPECT_EQ(signers, expected_signers);
  EXPECT_TRUE(report.unsigned_by.empty());
  std::map<std::string, uint64_t> verdicts;
  for (element entry : array(expected["entries"])) ++verdicts[testing::Text(entry, "verdict")];
  EXPECT_EQ(report.valid, verdicts["valid"]);
  EXPECT_EQ(report.void_entries, verdicts["void"]);
  EXPECT_EQ(report.withheld, verdicts["withheld"]);
  EXPECT_EQ(report.malformed, 0u);
  EXPECT_EQ(report.disputed, simdjson::dom::object(expected["disputed"]).size());
  EXPECT_EQ(report.records, simdjson::dom::object(expected["owners"]).size());
  EXPECT_EQ(report.withheld_digests, array(expected["withheld"]).size());
  EXPECT_GT(report.contents, 0u);
}

TEST_P(AuditGolden, ReportIsTheReference) {
  const StaticLog log(GetParam());
  const testing::VectorFile expected(log.golden().dir / "expected.json");
  for (uint64_t batch : {uint64_t{7}, uint64_t{256}, uint64_t{4096}}) {
    AuditOptions options;
    options.batch_entries = batch;
    const auto report = AuditOf(log, options);
    ASSERT_TRUE(report.ok()) << report.status();
    CheckReport(*report, expected.root());
    EXPECT_EQ(report->resumed, TreeSize(0));
  }
}

// Without a policy the keys that the log itself names have to have signed.
TEST_P(AuditGolden, TheLogsOwnKeysWillDoWhereItsGenesisIsKnown) {
  const StaticLog log(GetParam());
  const testing::VectorFile expected(log.golden().dir / "expected.json");
  AuditOptions options;
  options.genesis = LeafHash(log.leaves[0]);
  const auto report = AuditOf(log, options);
  ASSERT_TRUE(report.ok()) << report.status();
  CheckReport(*report, expected.root());
  options.genesis = LeafHash(log.leaves[1]);
  EXPECT_EQ(AuditOf(log, options).status().code(), absl::StatusCode::kDataLoss);
}

INSTANTIATE_TEST_SUITE_P(All, AuditGolden, ::testing::ValuesIn(testing::kGoldenLogs),
                         [](const auto& suite) {
                           std::string name(suite.param);
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

void Damage(const StaticLog& log, element damage) {
  const std::string path = testing::Text(damage, "file");
  if (bool(damage["remove"])) {
    ASSERT_TRUE(std::filesystem::remove(log.dir() / path));
    return;
  }
  std::string bytes = log.Read(path);
  uint64_t at = 0;
  if (damage["cutLast"].get(at) == simdjson::SUCCESS) bytes.resize(bytes.size() - at);
  if (damage["flipLastBitOf"].get(at) == simdjson::SUCCESS) bytes.at(at) ^= 1;
  log.Write(path, bytes);
}

TEST(AuditDamage, EveryEditOfAFileIsRefusedWithItsReason) {
  const testing::VectorFile file(testing::VectorsDir() / "damage.json");
  for (element damage : array(file.root())) {
    SCOPED_TRACE(testing::Text(damage, "name"));
    for (bool with_state : {false, true}) {
      const StaticLog log("log");
      Damage(log, damage);
      AuditOptions options;
      options.batch_entries = 64;
      if (with_state) options.state = log.StateFile();
      for (int run = 0; run < (with_state ? 2 : 1); ++run) {
        const auto report = AuditOf(log, options);
        EXPECT_EQ(ReasonOf(report.status()), testing::Text(damage, "reason")) << report.status();
        EXPECT_EQ(report.status().code(), absl::StatusCode::kDataLoss);
      }
      EXPECT_FALSE(std::filesystem::exists(log.StateFile()));
    }
  }
}

}  // namespace
}  // namespace stele::client
