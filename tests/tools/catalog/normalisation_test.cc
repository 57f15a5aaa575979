#include "tools/catalog/normalisation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/concat.h"

namespace stele::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> Warnings(std::string_view spec,
                                  std::string_view api = "kernelindex.dev/v1alpha1") {
  absl::StatusOr<Manifest> manifest =
      ParseManifest(Concat(R"({"apiVersion":")", api, R"(","kind":"K","spec":)", spec, "}"));
  EXPECT_TRUE(manifest.ok()) << manifest.status();
  return NormalisationWarnings(*manifest);
}

TEST(NormalisationTest, DurationsAsText) {
  EXPECT_THAT(Warnings(R"({"timing":{"latency":["143.9us"]}})"),
              ElementsAre(HasSubstr("/spec/timing/latency/0")));
  for (const char* text : {"1ns", "1 ms", "0.5s", "2µs", "2μs"}) {
    EXPECT_EQ(Warnings(Concat(R"({"a":")", text, "\"}")).size(), 1u) << text;
  }
  for (const char* text :
       {"", "ms", "1", "1.2.3s", "1  s", "s1", "-1s", "1sec", "v1s", "1s.", "."}) {
    EXPECT_THAT(Warnings(Concat(R"({"a":")", text, "\"}")), IsEmpty()) << text;
  }
}

TEST(NormalisationTest, UnsortedSets) {
  EXPECT_THAT(Warnings(R"({"support":{"dtypes":["fp8","bf16"]}})"),
              ElementsAre(HasSubstr("/spec/support/dtypes")));
  EXPECT_THAT(Warnings(R"({"support":{"productsTested":["A","A"]}})"),
              ElementsAre(HasSubstr("/spec/support/productsTested")));
  EXPECT_THAT(Warnings(R"({"support":{"dtypes":["bf16","fp8"]},"dtypes":["z","a"]})"), IsEmpty());
}

TEST(NormalisationTest, OtherRegistriesAreNotItsBusiness) {
  EXPECT_THAT(Warnings(R"({"a":"1s"})", "example.org/v1"), IsEmpty());
}

}  // namespace
}  // namespace stele::tools
