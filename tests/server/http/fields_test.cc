#include "server/http/fields.h"

#include <gtest/gtest.h>

namespace stele::server {
namespace {

TEST(AcceptsGzipTest, WhatTheClientSays) {
  for (const char* yes :
       {"gzip", "GZIP", "x-gzip", "*", "gzip;q=1", "gzip;q=1.000", "gzip;q=0.001", "gzip ; q=0.5",
        "deflate, gzip", "deflate,\tgzip\t,br", "identity;q=0, gzip", "*;q=0, gzip;q=0.1",
        "br;q=1.0, gzip;q=0.8, *;q=0.1", ",,gzip,", "identity, *;q=0.2", "gzip;Q=1"}) {
    EXPECT_TRUE(AcceptsGzip(yes)) << yes;
  }
  for (const char* no : {"",
                         ",",
                         "identity",
                         "br",
                         "gzip;q=0",
                         "gzip;q=0.000",
                         "*;q=0",
                         "gzip;q=0, *",
                         "gzipped",
                         "not-gzip",
                         "gzip;q=",
                         "gzip;q=2",
                         "gzip;q=1.001",
                         "gzip;q=0.0001",
                         "gzip;q=-1",
                         "gzip;q=0.5;q=0.5",
                         "gzip;level=1",
                         "gzip q=1",
                         "gz ip",
                         "\"gzip\"",
                         "gzip;q=.5",
                         "gzip;q=0x1"}) {
    EXPECT_FALSE(AcceptsGzip(no)) << no;
  }
}

TEST(NamesTagTest, Lists) {
  const struct {
    const char* list;
    bool weak, strong;
  } kCases[] = {
      {"\"a\"", true, true},
      {"W/\"a\"", true, false},
      {"*", true, true},
      {" * ", true, true},
      {"\"b\", \"a\"", true, true},
      {"\"b\",,\"a\" ,", true, true},
      {"\"b\", W/\"a\"", true, false},
      {"\"b\"", false, false},
      {"\"a-gzip\"", false, false},
      {"", false, false},
      {",", false, false},
      {"a", false, false},
      {"\"a", false, false},
      {"a\"", false, false},
      {"w/\"a\"", false, false},
      {"W/ \"a\"", false, false},
      {"\"a\" \"b\"", false, false},
      {"\"a\", b", false, false},
      {"\"a\", *", false, false},
      {"\"a b\", \"a\"", false, false},
      {"\"\"", false, false},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(NamesTag(c.list, "\"a\"", TagComparison::kWeak), c.weak) << c.list;
    EXPECT_EQ(NamesTag(c.list, "\"a\"", TagComparison::kStrong), c.strong) << c.list;
  }
}

}  // namespace
}  // namespace stele::server
