#include "store/backend/rocksdb/event_logger.h"

#include <array>
#include <cstdio>
#include <string_view>
#include <utility>

#include "core/base/concat.h"

namespace stele::store {

EventLogger::EventLogger(EventLog log)
    : rocksdb::Logger(rocksdb::InfoLogLevel::WARN_LEVEL), log_(std::move(log)) {}

void EventLogger::LogHeader(const char*, va_list) {}

// Lines without a level are informative.
void EventLogger::Logv(const char*, va_list) {}

void EventLogger::Logv(const rocksdb::InfoLogLevel level, const char* format, va_list arguments) {
  if (!log_ || level < rocksdb::InfoLogLevel::WARN_LEVEL ||
      level >= rocksdb::InfoLogLevel::HEADER_LEVEL) {
    return;
  }
  std::array<char, 1024> line;  // longer lines are cut
  const int length = std::vsnprintf(line.data(), line.size(), format, arguments);
  if (length <= 0) return;
  const std::string_view text(line.data());
  log_(level == rocksdb::InfoLogLevel::WARN_LEVEL ? "warning" : "error", Concat("rocksdb: ", text));
}

}  // namespace stele::store
