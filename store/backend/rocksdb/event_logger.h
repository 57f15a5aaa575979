// RocksDB's info log, its warnings and errors handed to the store's EventLog and the rest dropped.
//
// Not only for tidiness: Debian's RocksDB is built with assertions, and its own log file aborts the
// process when the disk is full.
#pragma once

#include <rocksdb/env.h>

#include <cstdarg>

#include "store/backend/event_log.h"

namespace stele::store {

class EventLogger final : public rocksdb::Logger {
 public:
  explicit EventLogger(EventLog log);
  using rocksdb::Logger::Logv;
  void Logv(const char* format, va_list arguments) override;
  void Logv(const rocksdb::InfoLogLevel level, const char* format, va_list arguments) override;
  void LogHeader(const char* format, va_list arguments) override;

 private:
  const EventLog log_;
};

}  // namespace stele::store
