// The operator's log: one line per event, as text or as JSON. No key, no payload, nothing of a
// request's body is ever logged; requests themselves are counted (server/metrics), not logged.
//
// Threads: any; a line is written whole.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <string_view>

namespace spdlog {
class logger;
}

namespace stele::server {

enum class LogFormat { kText, kJson };

class EventLog {
 public:
  // Lines go to `out`, which outlives this and is flushed after each line.
  EventLog(LogFormat format, std::ostream& out);
  ~EventLog();
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  void Info(std::string_view message) { Write("info", message); }
  void Warning(std::string_view message) { Write("warning", message); }
  void Error(std::string_view message) { Write("error", message); }
  // `severity` is "info", "warning" or "error"; anything else counts as "error".
  void Write(std::string_view severity, std::string_view message);

 private:
  const LogFormat format_;
  const std::unique_ptr<spdlog::logger> logger_;
};

// Control characters, quotes and backslashes escaped as JSON does it: the result has no line break.
std::string EscapeLine(std::string_view message);

}  // namespace stele::server
