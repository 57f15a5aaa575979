#include "tools/io/input_stream.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/tools/io/memory_source.h"

namespace stele::tools {
namespace {

std::vector<std::string> Lines(std::string bytes) {
  InputStream stream = StreamOf(std::move(bytes));
  std::vector<std::string> lines;
  std::string line;
  while (*stream.ReadLine(100, line)) lines.push_back(line);
  return lines;
}

TEST(InputStreamTest, GivesLinesWithoutTheirNewline) {
  using Expected = std::vector<std::string>;
  EXPECT_EQ(Lines(""), Expected{});
  EXPECT_EQ(Lines("\n"), Expected{""});
  EXPECT_EQ(Lines("one"), Expected{"one"});
  EXPECT_EQ(Lines("one\n"), Expected{"one"});
  EXPECT_EQ(Lines("one\n\nthree, longer than a piece\r\nend"),
            (Expected{"one", "", "three, longer than a piece\r", "end"}));
}

TEST(InputStreamTest, PeekTakesNothing) {
  InputStream stream = StreamOf("first line\nsecond line\n");
  EXPECT_EQ(*stream.Peek(14), "first line\nsec");
  EXPECT_EQ(*stream.Peek(1000), "first line\nsecond line\n");
  std::string line;
  ASSERT_TRUE(*stream.ReadLine(100, line));
  EXPECT_EQ(line, "first line");
  EXPECT_EQ(*stream.Peek(6), "second");
  EXPECT_EQ(*stream.ReadRest(100), "second line\n");
  EXPECT_EQ(*stream.Peek(6), "");
}

TEST(InputStreamTest, RefusesWhatIsLongerThanTheCallerTakes) {
  InputStream lines = StreamOf(std::string(1000, 'x') + "\n");
  std::string line;
  EXPECT_EQ(lines.ReadLine(500, line).status().code(), absl::StatusCode::kResourceExhausted);
  InputStream rest = StreamOf(std::string(1000, 'x'));
  EXPECT_EQ(rest.ReadRest(999).status().code(), absl::StatusCode::kResourceExhausted);
  InputStream exact = StreamOf(std::string(1000, 'x'));
  EXPECT_EQ(exact.ReadRest(1000)->size(), 1000u);
}

}  // namespace
}  // namespace stele::tools
