#include "store/codec/index_values.h"

#include <gtest/gtest.h>

#include "core/base/refusal.h"
#include "core/crypto/sha256.h"

namespace stele::store {
namespace {

constexpr std::string_view kKey = "Kkey";

// Every bit flipped, every cut, and another key: DATA_LOSS that names the row, never a value.
template <class Decode>
void ExpectStrict(const std::string& frame, Decode decode) {
  ASSERT_TRUE(decode(frame, kKey).ok());
  const auto refused = [&](const std::string& bytes, std::string_view key) {
    const absl::Status status = decode(bytes, key).status();
    return absl::IsDataLoss(status) || absl::IsFailedPrecondition(status);
  };
  for (size_t i = 0; i < frame.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = frame;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << bit));
      ASSERT_TRUE(refused(flipped, kKey)) << i << " " << bit;
    }
    ASSERT_TRUE(refused(frame.substr(0, i), kKey)) << i;
  }
  EXPECT_TRUE(refused(frame, "Kkez"));
  EXPECT_NE(decode(frame, "Kkez").status().message().find("index row K 6b657a"), std::string::npos)
      << decode(frame, "Kkez").status();
}

TEST(IndexValues, First) {
  const std::string frame = EncodeFirst({TimeMs(1790000000123)}, kKey);
  ExpectStrict(frame, DecodeFirst);
  EXPECT_EQ(DecodeFirst(frame, kKey)->logged, TimeMs(1790000000123));
}

TEST(IndexValues, Body) {
  const std::string frame = EncodeBody({std::string("Kind\0x", 6)}, kKey);
  ExpectStrict(frame, DecodeBody);
  EXPECT_EQ(DecodeBody(frame, kKey)->kind, std::string("Kind\0x", 6));
}

TEST(IndexValues, Title) {
  const std::string frame = EncodeTitle({"name", ""}, kKey);
  ExpectStrict(frame, DecodeTitle);
  EXPECT_EQ(DecodeTitle(frame, kKey)->name, "name");
  EXPECT_EQ(DecodeTitle(frame, kKey)->title, "");
}

TEST(IndexValues, Reference) {
  const std::string frame = EncodeReference({"/spec/a~1b/0", true}, kKey);
  ExpectStrict(frame, DecodeReference);
  EXPECT_EQ(DecodeReference(frame, kKey)->pointer, "/spec/a~1b/0");
  EXPECT_TRUE(DecodeReference(frame, kKey)->artifact);
  EXPECT_FALSE(DecodeReference(EncodeReference({"/spec", false}, kKey), kKey)->artifact);
}

TEST(IndexValues, RunWithEverything) {
  RunValue run{.status = "passed",
               .metric = "latency:mean:ns",
               .unit = "ns",
               .value = 143901.5,
               .interval = std::pair(-1.5, 2e300),
               .source_native = true,
               .workload = Sha256("w"),
               .protocol = Sha256("p"),
               .environment = Sha256("e"),
               .implementation = Sha256("i")};
  const std::string frame = EncodeRun(run, kKey);
  ExpectStrict(frame, DecodeRun);
  const RunValue read = *DecodeRun(frame, kKey);
  EXPECT_EQ(read.status, run.status);
  EXPECT_EQ(read.metric, run.metric);
  EXPECT_EQ(read.unit, run.unit);
  EXPECT_EQ(read.value, run.value);
  EXPECT_EQ(read.interval, run.interval);
  EXPECT_TRUE(read.source_native);
  EXPECT_EQ(read.workload, run.workload);
  EXPECT_EQ(read.protocol, run.protocol);
  EXPECT_EQ(read.environment, run.environment);
  EXPECT_EQ(read.implementation, run.implementation);
}

TEST(IndexValues, RunWithNothing) {
  const RunValue read = *DecodeRun(EncodeRun({}, kKey), kKey);
  EXPECT_EQ(read.status, "");
  EXPECT_FALSE(read.value.has_value());
  EXPECT_FALSE(read.interval.has_value());
  EXPECT_FALSE(read.source_native);
  EXPECT_FALSE(read.workload || read.protocol || read.environment || read.implementation);
}

TEST(IndexValues, Position) {
  const IndexPosition position{
      .origin = "example.org/log", .applied = TreeSize(77), .root = Sha256("root"), .parts = true};
  const std::string frame = EncodeIndexPosition(position);
  const auto decode = [](std::string_view bytes, std::string_view) {
    return DecodeIndexPosition(bytes);
  };
  EXPECT_EQ(*DecodeIndexPosition(frame), position);
  for (size_t i = 0; i < frame.size(); ++i) {
    std::string flipped = frame;
    flipped[i] = static_cast<char>(flipped[i] ^ 1);
    EXPECT_FALSE(decode(flipped, "").ok()) << i;
  }
}

TEST(IndexValues, AnotherFormatIsToldFromDamage) {
  const std::string frame =
      EncodeIndexPosition({.origin = "o", .applied = TreeSize(1), .root = {}}, kIndexFormat + 1);
  EXPECT_EQ(DecodeIndexPosition(frame).status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST(IndexValues, NoFrameIsAnothers) {
  EXPECT_TRUE(absl::IsDataLoss(DecodeBody(EncodeTitle({"a", "b"}, kKey), kKey).status()));
  EXPECT_TRUE(absl::IsDataLoss(DecodeTitle(EncodeBody({"a"}, kKey), kKey).status()));
}

}  // namespace
}  // namespace stele::store
