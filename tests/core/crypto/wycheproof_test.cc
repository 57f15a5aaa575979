// Public vectors of C2SP/wycheproof: every verdict is met, but for the exceptions written here.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "core/base/refusal.h"
#include "core/crypto/key.h"
#include "tests/support/vector_file.h"

namespace stele {
namespace {

using testing::HexMember;
using testing::Text;
using testing::VectorFile;

// Exceptions by test id: those whose verdict here is the opposite of the file's.
void MeetVerdicts(const std::filesystem::path& path, const std::set<int64_t>& exceptions) {
  const VectorFile file(path);
  int64_t cases = 0;
  std::map<std::string, int> verdicts;
  for (simdjson::dom::element group : simdjson::dom::array(file.root()["testGroups"])) {
    const absl::StatusOr<PublicKey> key = PublicKey::FromSpki(HexMember(group, "publicKeyDer"));
    ASSERT_TRUE(key.ok()) << key.status();
    for (simdjson::dom::element test : simdjson::dom::array(group["tests"])) {
      const int64_t id = test["tcId"];
      SCOPED_TRACE("tcId " + std::to_string(id) + " " + Text(test, "comment"));
      const std::string result = Text(test, "result");
      const absl::Status verdict = key->Verify(HexMember(test, "msg"), HexMember(test, "sig"));
      EXPECT_EQ(verdict.ok(), (result == "valid") != (exceptions.count(id) == 1));
      if (!verdict.ok()) EXPECT_EQ(ReasonOf(verdict), reason::kBadSignature);
      ++verdicts[result];
      ++cases;
    }
  }
  EXPECT_EQ(cases, int64_t(file.root()["numberOfTests"]));
  EXPECT_GT(verdicts["valid"], 50);
  EXPECT_GT(verdicts["invalid"], 50);
}

TEST(Wycheproof, Ed25519) {
  const auto shared = testing::SharedDir();
  if (!shared) GTEST_SKIP() << testing::kNoShared;
  MeetVerdicts(*shared / "vectors/wycheproof/ed25519_test.json", {});
}

TEST(Wycheproof, EcdsaDer) {
  const auto shared = testing::SharedDir();
  if (!shared) GTEST_SKIP() << testing::kNoShared;
  MeetVerdicts(*shared / "vectors/wycheproof/ecdsa_secp256r1_sha256_test.json", {});
}

TEST(Wycheproof, EcdsaRaw) {
  const auto shared = testing::SharedDir();
  if (!shared) GTEST_SKIP() << testing::kNoShared;
  MeetVerdicts(*shared / "vectors/wycheproof/ecdsa_secp256r1_sha256_p1363_test.json", {});
}

}  // namespace
}  // namespace stele
