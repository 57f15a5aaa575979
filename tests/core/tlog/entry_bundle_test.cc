#include "core/tlog/entry_bundle.h"

#include <gtest/gtest.h>

#include <string>

#include "core/base/limits.h"
#include "core/base/refusal.h"

namespace stele {
namespace {

using std::string_literals::operator""s;

TEST(EntryBundle, RoundTrip) {
  std::vector<std::string> entries = {
      "", "a", std::string(255, 'b'), std::string(256, 'c'), std::string(limits::kLeafBytes, 'd'),
      ""};
  std::string bundle;
  for (const std::string& entry : entries) AppendBundleEntry(entry, bundle);
  const auto parsed = ParseEntryBundle(bundle, entries.size());
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(std::vector<std::string>(parsed->begin(), parsed->end()), entries);
  EXPECT_TRUE(ParseEntryBundle("", 0)->empty());
}

TEST(EntryBundle, BytesAreBigEndianLengthAndEntry) {
  std::string bundle;
  AppendBundleEntry("ab", bundle);
  EXPECT_EQ(bundle, "\0\2ab"s);
  AppendBundleEntry(std::string(0x0102, 'c'), bundle);
  EXPECT_EQ(bundle.substr(4, 2), "\1\2"s);
}

TEST(EntryBundle, RefusesEveryOtherCount) {
  std::string bundle;
  for (int i = 0; i < 3; ++i) AppendBundleEntry("entry", bundle);
  for (size_t count : {0u, 1u, 2u, 4u, 256u}) {
    EXPECT_EQ(ReasonOf(ParseEntryBundle(bundle, count).status()), reason::kBundleForm) << count;
  }
  for (size_t cut = 0; cut < bundle.size(); ++cut) {
    EXPECT_EQ(ReasonOf(ParseEntryBundle(bundle.substr(0, cut), 3).status()), reason::kBundleForm);
  }
  EXPECT_EQ(ReasonOf(ParseEntryBundle(bundle + "\0"s, 3).status()), reason::kBundleForm);
  EXPECT_EQ(ReasonOf(ParseEntryBundle("\xff\xff", 1).status()), reason::kBundleForm);
}

}  // namespace
}  // namespace stele
