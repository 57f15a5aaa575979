#include "server/log/event_log.h"

#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <utility>

#include "absl/strings/str_cat.h"

namespace stele::server {
namespace {

constexpr char kTextPattern[] = "%Y-%m-%dT%H:%M:%S.%eZ %l %v";
constexpr char kJsonPattern[] = R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l","message":"%v"})";

spdlog::level::level_enum LevelOf(std::string_view severity) {
  if (severity == "info") return spdlog::level::info;
  if (severity == "warning") return spdlog::level::warn;
  return spdlog::level::err;
}

std::unique_ptr<spdlog::logger> MakeLogger(LogFormat format, std::ostream& out) {
  auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(out, /*force_flush=*/true);
  auto logger = std::make_unique<spdlog::logger>("steled", std::move(sink));
  logger->set_pattern(format == LogFormat::kJson ? kJsonPattern : kTextPattern,
                      spdlog::pattern_time_type::utc);
  return logger;
}

// Text keeps its quotes and backslashes readable; only what breaks a line is escaped.
bool BreaksLine(std::string_view message) {
  for (char c : message) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return true;
  }
  return false;
}

}  // namespace

EventLog::EventLog(LogFormat format, std::ostream& out)
    : format_(format), logger_(MakeLogger(format, out)) {}

EventLog::~EventLog() = default;

void EventLog::Write(std::string_view severity, std::string_view message) {
  if (format_ == LogFormat::kJson || BreaksLine(message)) {
    logger_->log(LevelOf(severity), spdlog::string_view_t(EscapeLine(message)));
  } else {
    logger_->log(LevelOf(severity), spdlog::string_view_t(message.data(), message.size()));
  }
}

std::string EscapeLine(std::string_view message) {
  std::string out;
  out.reserve(message.size() + 8);
  for (char c : message) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      absl::StrAppend(&out, "\\u00", absl::Hex(byte, absl::kZeroPad2));
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace stele::server
