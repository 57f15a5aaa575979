// Input: the payload of a journal frame. What is accepted can be replayed.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "client/audit/audited_log.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace stele;  // NOLINT
  const std::string_view payload(reinterpret_cast<const char*>(data), size);
  const auto entries = client::ParseFrame(payload, EntryIndex(0), "log.example/vectors");
  if (!entries.ok()) return 0;
  client::AuditedLog log({TreeSize(1)});
  for (const client::AuditedEntry& entry : *entries) log.Add(entry);
  log.Faults();
  log.Missing();
  return 0;
}
