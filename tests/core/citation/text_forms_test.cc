#include "core/citation/text_forms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/time_text.h"
#include "core/citation/citation.h"
#include "core/crypto/sha256.h"
#include "core/json/canonical.h"
#include "core/json/parse.h"

namespace stele {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Manifest(const std::string& metadata) {
  return R"({"apiVersion":"v1","kind":"Run",)" +
         (metadata.empty() ? "" : "\"metadata\":" + metadata + ",") + R"("spec":{"n":1}})";
}

CitedWork Work(const std::string& metadata) {
  const auto work =
      DescribeWork(Manifest(metadata), "log.example/x", *ParseTime("2026-03-01T23:59:59.999Z"),
                   *ParseTime("2026-11-30T00:00:00.000Z"));
  EXPECT_TRUE(work.ok()) << work.status();
  return *work;
}

const std::string kHex = Sha256(R"({"apiVersion":"v1","kind":"Run","spec":{"n":1}})").ToHex();

TEST(CitedWork, TitleAndAuthorsComeFromMetadata) {
  const CitedWork work = Work(
      R"({"title":"A title","name":"n","authors":["Ada","",7,{"name":"Lab"},{"family":"Noether","given":"Emmy"},{"given":"only"},{"family":"Alone"}]})");
  EXPECT_EQ(work.title, "A title");
  EXPECT_THAT(work.authors, ElementsAre(Author{"Ada", "", ""}, Author{"Lab", "", ""},
                                        Author{"", "Noether", "Emmy"}, Author{"", "Alone", ""}));
  EXPECT_EQ(work.permalink, "https://log.example/x/records/" + kHex + "/");
  EXPECT_EQ(work.record.ToHex(), kHex);
  EXPECT_EQ(Work(R"({"name":"n"})").title, "n");
  EXPECT_EQ(Work(R"({"title":" \n","authors":"Ada"})").title, "Run " + kHex.substr(0, 12));
  EXPECT_TRUE(Work("").authors.empty());
  EXPECT_FALSE(DescribeWork("{}", "o", TimeMs(0), TimeMs(0)).ok());
}

TEST(CitedWork, TextsAreOneLine) {
  EXPECT_EQ(OneLine("  a\n\tb\x7f\xc2\x9b\xe2\x80\xa8"
                    "c \xc2\xa0"),
            "a b c");
  EXPECT_EQ(OneLine("\xc3\xa9\xe2\x80\x94\xf0\x9f\x98\x80"),
            "\xc3\xa9\xe2\x80\x94\xf0\x9f\x98\x80");
  EXPECT_EQ(OneLine("\x1b[31m"), "[31m");
  EXPECT_EQ(OneLine(""), "");
}

TEST(Bibtex, AWholeEntry) {
  const CitedWork work = Work(
      R"({"title":"Recursive · B200","authors":["Ada Lovelace",{"family":"Noether","given":"Emmy"}]})");
  EXPECT_EQ(FormatBibtex(work), "@misc{stele-" + kHex.substr(0, 12) +
                                    ",\n"
                                    "  author    = {{Ada Lovelace} and {Noether}, {Emmy}},\n"
                                    "  title     = {{Recursive · B200}},\n"
                                    "  year      = {2026},\n"
                                    "  date      = {2026-03-01},\n"
                                    "  publisher = {log.example/x},\n"
                                    "  note      = {Run, sha256:" +
                                    kHex +
                                    "},\n"
                                    "  url       = {https://log.example/x/records/" +
                                    kHex +
                                    "/},\n"
                                    "  urldate   = {2026-11-30},\n"
                                    "}\n");
}

TEST(Bibtex, WhatTexReadsOtherwiseIsACommand) {
  EXPECT_EQ(EscapeTex("a\\b{c}d$e&f#g^h_i~j%k<l>m|n"),
            "a\\textbackslash{}b\\textbraceleft{}c\\textbraceright{}d\\$e\\&f\\#g"
            "\\textasciicircum{}h\\_i\\textasciitilde{}j\\%k\\textless{}l\\textgreater{}m"
            "\\textbar{}n");
  EXPECT_EQ(EscapeTex("\xc3\x89\xe6\x97\xa5\xf0\x9f\x98\x80"),
            "\xc3\x89\xe6\x97\xa5\xf0\x9f\x98\x80");
}

// BibTeX counts braces whatever stands before them: whatever the metadata says, every field closes
// where it should, and nothing ends an entry early.
TEST(Bibtex, BracesBalanceWhateverTheMetadataSays) {
  for (const char* text :
       {"}", "{", "\\\\", "\\\\}", "}},\\n@comment{", "a} and {b", "\\\"", "%", "\\u0007}"}) {
    const std::string metadata = std::string(R"({"title":")") + text + R"(","authors":[")" + text +
                                 R"(",{"family":")" + text + R"(","given":")" + text + R"("}]})";
    const std::string entry = FormatBibtex(Work(metadata));
    int depth = 0;
    size_t closed = std::string::npos;
    for (size_t i = 0; i < entry.size(); ++i) {
      if (entry[i] == '{') ++depth;
      if (entry[i] == '}' && --depth == 0 && closed == std::string::npos) closed = i;
      ASSERT_GE(depth, 0) << entry;
    }
    EXPECT_EQ(depth, 0) << entry;
    EXPECT_EQ(closed, entry.size() - 2) << entry;
    EXPECT_EQ(std::count(entry.begin(), entry.end(), '\n'), 10) << "one line a field";
  }
}

TEST(Bibtex, AnOriginMayHoldWhatEndsAField) {
  CitedWork work = Work("");
  work.origin = "log{}\\%";
  work.permalink = Permalink(work.origin, work.record);
  EXPECT_THAT(
      FormatBibtex(work),
      HasSubstr("publisher = {log\\textbraceleft{}\\textbraceright{}\\textbackslash{}\\%}"));
  EXPECT_THAT(FormatBibtex(work), HasSubstr("url       = {https://log%7B%7D%5C%/records/"));
}

TEST(Csl, IsJsonWithTheTextsAsTheyAre) {
  const std::string text = FormatCsl(
      Work(R"({"title":"\"q\" \\ {x} É","authors":["Ada",{"family":"Noether","given":"Emmy"}]})"));
  const auto value = json::Parse(text);
  ASSERT_TRUE(value.ok()) << value.status() << text;
  ASSERT_EQ(value->array()->size(), 1u);
  const json::Object& item = *(*value->array())[0].object();
  EXPECT_EQ(*item.Find("title")->string(), "\"q\" \\ {x} \xc3\x89");
  EXPECT_EQ(*item.Find("type")->string(), "dataset");
  EXPECT_EQ(*item.Find("id")->string(), "sha256:" + kHex);
  EXPECT_EQ(*item.Find("number")->string(), "sha256:" + kHex);
  EXPECT_EQ(*item.Find("URL")->string(), "https://log.example/x/records/" + kHex + "/");
  EXPECT_EQ(json::Canonical(*item.Find("author")),
            R"([{"literal":"Ada"},{"family":"Noether","given":"Emmy"}])");
  EXPECT_EQ(json::Canonical(*item.Find("issued")), R"({"date-parts":[[2026,3,1]]})");
  EXPECT_EQ(json::Canonical(*item.Find("accessed")), R"({"date-parts":[[2026,11,30]]})");
  EXPECT_EQ(item.Find("note"), nullptr);
}

TEST(Plain, OneLineWithLinkDigestAndDate) {
  EXPECT_EQ(
      FormatPlain(Work(R"({"title":"A title","authors":["Ada",{"family":"N","given":"E"}]})")),
      "Ada, E N. A title (2026). Run in the log log.example/x. https://log.example/x/records/" +
          kHex + "/ (sha256:" + kHex + "). Accessed 2026-11-30.\n");
  EXPECT_EQ(FormatPlain(Work("")).substr(0, 23), "Run " + kHex.substr(0, 12) + " (2026)");
}

TEST(TextForms, EachSaysThatARecordIsRetracted) {
  CitedWork work = Work("");
  work.retracted = true;
  EXPECT_THAT(FormatPlain(work), HasSubstr(". Retracted. https"));
  work.superseded_by = Sha256("successor");
  const std::string note = "Retracted, superseded by sha256:" + Sha256("successor").ToHex();
  for (const std::string& text : {FormatPlain(work), FormatBibtex(work), FormatCsl(work)}) {
    EXPECT_THAT(text, HasSubstr(note));
  }
}

}  // namespace
}  // namespace stele
