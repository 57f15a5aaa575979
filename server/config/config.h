// What steled was told to do: a plain value, made once at start.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/artifact_limits.h"
#include "core/base/limits.h"
#include "core/base/serving_limits.h"
#include "server/log/event_log.h"

namespace stele::server {

struct Config {
  std::filesystem::path data;
  std::filesystem::path guard;                  // empty: data + ".guard"
  std::vector<std::filesystem::path> log_keys;  // beside data/log.key
  std::string listen = "127.0.0.1:7420";
  std::string http = "127.0.0.1:7421";
  std::string admin = "127.0.0.1:7422";
  bool accept_clock = false;
  bool accept_no_guard = false;
  std::chrono::milliseconds drain_timeout{30'000};
  LogFormat log_format = LogFormat::kText;
  uint64_t disk_reserve_bytes = limits::kDiskReserveBytes;
  int admission_threads = 0;  // 0: one for each core
  size_t queue_statements = limits::kQueueStatements;
  uint64_t guest_envelope_bytes = limits::kGuestEnvelopeBytes;
  uint64_t guest_key_statements = limits::kGuestKeyStatementsPerDay;
  uint64_t guest_address_statements = limits::kGuestAddressStatementsPerDay;
  uint64_t guest_statements = limits::kGuestStatementsPerDay;
  uint64_t artifact_bytes = limits::kArtifactBytes;
  uint64_t staged_bytes = limits::kStagedBytes;
  std::chrono::milliseconds staged_time{limits::kStagedMs};
  size_t cache_bytes = 64ull << 20;
  size_t write_buffer_bytes = 8ull << 20;
  size_t max_connections = limits::kHttpConnections;  // of the HTTP listener
};

}  // namespace stele::server
