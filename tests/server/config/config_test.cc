// Every flag on the command line and in the file; what is refused, and with which words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "server/config/command_line.h"
#include "server/config/config_file.h"
#include "server/config/option.h"
#include "tests/support/store/temp_dir.h"

namespace stele::server {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Args = std::vector<std::string>;

// A value for each flag that is not its default, and how to see it.
struct Sample {
  std::string name, flag_value, toml_value;
  std::function<bool(const Config&)> holds;
};

std::vector<Sample> Samples() {
  return {
      {"data", "/d", "\"/d\"", [](const Config& c) { return c.data == "/d"; }},
      {"guard", "/g", "\"/g\"", [](const Config& c) { return c.guard == "/g"; }},
      {"log-key", "/k", "[\"/k\"]",
       [](const Config& c) { return c.log_keys == std::vector<std::filesystem::path>{"/k"}; }},
      {"listen", "0.0.0.0:1", "\"0.0.0.0:1\"",
       [](const Config& c) { return c.listen == "0.0.0.0:1"; }},
      {"http", "[::1]:2", "\"[::1]:2\"", [](const Config& c) { return c.http == "[::1]:2"; }},
      {"admin", "localhost:3", "\"localhost:3\"",
       [](const Config& c) { return c.admin == "127.0.0.1:3"; }},
      {"accept-clock", "", "true", [](const Config& c) { return c.accept_clock; }},
      {"accept-no-guard", "", "true", [](const Config& c) { return c.accept_no_guard; }},
      {"drain-timeout", "5s", "\"5s\"",
       [](const Config& c) { return c.drain_timeout == std::chrono::seconds(5); }},
      {"log-format", "json", "\"json\"",
       [](const Config& c) { return c.log_format == LogFormat::kJson; }},
      {"disk-reserve", "1GiB", "\"1GiB\"",
       [](const Config& c) { return c.disk_reserve_bytes == 1u << 30; }},
      {"admission-threads", "3", "3", [](const Config& c) { return c.admission_threads == 3; }},
      {"queue-statements", "100", "100", [](const Config& c) { return c.queue_statements == 100; }},
      {"guest-envelope-bytes", "8KiB", "\"8KiB\"",
       [](const Config& c) { return c.guest_envelope_bytes == 8u << 10; }},
      {"guest-key-statements", "1", "1",
       [](const Config& c) { return c.guest_key_statements == 1; }},
      {"guest-address-statements", "2", "2",
       [](const Config& c) { return c.guest_address_statements == 2; }},
      {"guest-statements", "0", "0", [](const Config& c) { return c.guest_statements == 0; }},
      {"artifact-bytes", "4GiB", "\"4GiB\"",
       [](const Config& c) { return c.artifact_bytes == uint64_t{4} << 30; }},
      {"staged-bytes", "1MiB", "\"1MiB\"",
       [](const Config& c) { return c.staged_bytes == 1u << 20; }},
      {"staged-time", "2h", "\"2h\"",
       [](const Config& c) { return c.staged_time == std::chrono::hours(2); }},
      {"cache-bytes", "1048576", "1048576",
       [](const Config& c) { return c.cache_bytes == 1u << 20; }},
      {"write-buffer-bytes", "4MiB", "\"4MiB\"",
       [](const Config& c) { return c.write_buffer_bytes == 4u << 20; }},
      {"max-connections", "9", "9", [](const Config& c) { return c.max_connections == 9; }},
  };
}

absl::StatusOr<Config> Parse(Args args) {
  auto parsed = ParseCommandLine(args, "1.2.3");
  if (!parsed.ok()) return parsed.status();
  return std::get<Config>(*parsed);
}

std::string Refusal(const Args& args) { return std::string(Parse(args).status().message()); }

std::string FileRefusal(std::string_view text) {
  Config config;
  absl::Status status = ApplyConfigText(text, "f.toml", config);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

TEST(ConfigTest, SamplesCoverEveryFlag) {
  std::vector<std::string> sampled, known;
  for (const Sample& sample : Samples()) sampled.push_back(sample.name);
  for (const Option& option : Options()) known.push_back(option.name);
  EXPECT_EQ(sampled, known);
}

// A flag that may be repeated; the command line forgets what the file said.
TEST(ConfigTest, SeveralLogKeys) {
  using Paths = std::vector<std::filesystem::path>;
  EXPECT_EQ(Parse({"--data", "/d", "--log-key", "/a", "--log-key", "/b"})->log_keys,
            (Paths{"/a", "/b"}));
  Config config;
  ASSERT_TRUE(ApplyConfigText("log-key = [\"/a\", \"/b\"]", "f.toml", config).ok());
  EXPECT_EQ(config.log_keys, (Paths{"/a", "/b"}));
  ASSERT_TRUE(ApplyConfigText("log-key = \"/c\"", "f.toml", config).ok());
  EXPECT_EQ(config.log_keys, Paths{"/c"});
  EXPECT_THAT(FileRefusal("log-key = [1]"), HasSubstr("f.toml:1: log-key: a string is expected"));
  testing::TempDir dir;
  const std::filesystem::path file = dir.path() / "f.toml";
  std::ofstream(file) << "log-key = [\"/a\", \"/b\"]\n";
  EXPECT_EQ(Parse({"--data", "/d", "--config", file.string(), "--log-key", "/c"})->log_keys,
            Paths{"/c"});
  EXPECT_THAT(Refusal({"--data", "/d", "--http", "[::1]:1", "--http", "[::1]:2"}),
              HasSubstr("--http"));
}

TEST(ConfigTest, EachFlagOnTheCommandLine) {
  for (const Sample& sample : Samples()) {
    Args args = {"--data", "/other"};
    if (sample.name == "data") args.clear();
    args.push_back("--" + sample.name);
    if (!sample.flag_value.empty()) args.push_back(sample.flag_value);
    auto config = Parse(args);
    ASSERT_TRUE(config.ok()) << config.status();
    EXPECT_TRUE(sample.holds(*config)) << sample.name;
    EXPECT_FALSE(sample.holds(Config{})) << sample.name << ": the sample is the default";
  }
}

TEST(ConfigTest, EachFlagInTheFile) {
  for (const Sample& sample : Samples()) {
    Config config;
    absl::Status status =
        ApplyConfigText(sample.name + " = " + sample.toml_value + "\n", "f.toml", config);
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_TRUE(sample.holds(config)) << sample.name;
  }
}

TEST(ConfigTest, CommandLineWinsOverTheFile) {
  testing::TempDir dir;
  const std::string file = (dir.path() / "steled.toml").string();
  std::ofstream(file) << "# comment\ndata = \"/from-file\"\nlisten = \"127.0.0.1:5\"\n"
                      << "accept-clock = true\n";
  auto config = Parse({"--listen", "127.0.0.1:6", "--config", file, "--accept-clock=false"});
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->data, "/from-file");
  EXPECT_EQ(config->listen, "127.0.0.1:6");
  EXPECT_FALSE(config->accept_clock);
}

TEST(ConfigTest, FileFaultsNameFileAndLine) {
  EXPECT_THAT(FileRefusal("data = \"/d\"\n\nlissten = \"x\"\n"),
              StartsWith("f.toml:3: lissten: is no key of this file"));
  EXPECT_THAT(FileRefusal("config = \"g.toml\"\n"), StartsWith("f.toml:1: config: "));
  EXPECT_THAT(FileRefusal("[server]\ndata = \"/d\"\n"), StartsWith("f.toml:1: server: "));
  EXPECT_THAT(FileRefusal("data = \"/d\"\ndrain-timeout = \"30\"\n"),
              StartsWith("f.toml:2: drain-timeout: \"30\" is no duration"));
  EXPECT_THAT(FileRefusal("drain-timeout = 30\n"), HasSubstr("a string is expected"));
  EXPECT_THAT(FileRefusal("accept-clock = \"true\"\n"), HasSubstr("true or false is expected"));
  EXPECT_THAT(FileRefusal("admission-threads = \"2\"\n"), HasSubstr("a whole number is expected"));
  EXPECT_THAT(FileRefusal("admission-threads = 100000\n"), HasSubstr("from 0 to 256"));
  EXPECT_THAT(FileRefusal("cache-bytes = 1.5\n"), HasSubstr("bytes are expected"));
  EXPECT_THAT(FileRefusal("cache-bytes = -1\n"), HasSubstr("no amount of bytes"));
  EXPECT_THAT(FileRefusal("disk-reserve = \"1 GiB\"\n"), HasSubstr("no amount of bytes"));
  EXPECT_THAT(FileRefusal("data = \"/d\"\nlisten = = 3\n"), StartsWith("f.toml:2: "));
  EXPECT_THAT(FileRefusal("data = \"/d\"\ndata = \"/e\"\n"), StartsWith("f.toml:"));
  EXPECT_THAT(FileRefusal("data = \"\xff\xfe\"\nlisten\n"), StartsWith("f.toml:"));
}

TEST(ConfigTest, CommandLineFaultsNameTheFlag) {
  EXPECT_THAT(Refusal({}), HasSubstr("--data DIR is missing"));
  EXPECT_THAT(Refusal({"--data", "/d", "--listen", "here"}), StartsWith("--listen: \"here\""));
  EXPECT_THAT(Refusal({"--data", "/d", "--drain-timeout", "30"}), StartsWith("--drain-timeout: "));
  EXPECT_THAT(Refusal({"--data", "/d", "--log-format", "xml"}), HasSubstr("neither text nor json"));
  EXPECT_THAT(Refusal({"--data", "/d", "--cosign-key", "k"}), HasSubstr("--cosign-key"));
  EXPECT_THAT(Refusal({"--data", "/d", "stray"}), HasSubstr("stray"));
  EXPECT_THAT(Refusal({"--data"}), HasSubstr("--data"));
  EXPECT_THAT(Refusal({"--config", "/nowhere/x.toml"}), HasSubstr("/nowhere/x.toml"));
}

TEST(ConfigTest, HelpListsEachFlagWithUnitAndDefault) {
  auto parsed = ParseCommandLine({"--help"}, "1.2.3");
  ASSERT_TRUE(parsed.ok());
  const std::string& help = std::get<Answer>(*parsed).text;
  for (const Option& option : Options()) {
    EXPECT_THAT(help, HasSubstr("--" + option.name));
    EXPECT_THAT(help, HasSubstr(option.value));
    if (option.kind != Option::Kind::kSwitch && !option.otherwise.empty()) {
      EXPECT_THAT(help, HasSubstr("[" + option.otherwise + "]"));
    }
  }
  EXPECT_THAT(help, HasSubstr("--config"));
}

// What --help says is the default is what one gets.
TEST(ConfigTest, ShownDefaultsAreTheDefaults) {
  const Config plain;
  Config shown;
  for (const Option& option : Options()) {
    if (option.otherwise.empty() || option.name == "guard") continue;
    ASSERT_TRUE(option.set(option.otherwise, shown).ok()) << option.name;
  }
  EXPECT_EQ(shown.listen, plain.listen);
  EXPECT_EQ(shown.http, plain.http);
  EXPECT_EQ(shown.admin, plain.admin);
  EXPECT_EQ(shown.accept_clock, plain.accept_clock);
  EXPECT_EQ(shown.accept_no_guard, plain.accept_no_guard);
  EXPECT_EQ(shown.drain_timeout, plain.drain_timeout);
  EXPECT_EQ(shown.log_format, plain.log_format);
  EXPECT_EQ(shown.disk_reserve_bytes, plain.disk_reserve_bytes);
  EXPECT_EQ(shown.admission_threads, plain.admission_threads);
  EXPECT_EQ(shown.queue_statements, plain.queue_statements);
  EXPECT_EQ(shown.cache_bytes, plain.cache_bytes);
  EXPECT_EQ(shown.write_buffer_bytes, plain.write_buffer_bytes);
  EXPECT_EQ(shown.max_connections, plain.max_connections);
}

TEST(ConfigTest, Version) {
  auto parsed = ParseCommandLine({"--version"}, "1.2.3");
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(std::get<Answer>(*parsed).text, "steled 1.2.3\n");
}

}  // namespace
}  // namespace stele::server
