#include "tests/support/replay/golden_said.h"

#include <map>
#include <utility>

namespace stele::testing {

std::vector<ReadEntry> ReadGoldenEntries(const GoldenLog& log) {
  std::vector<ReadEntry> read;
  std::map<KeyId, PublicKey> keys;
  for (size_t i = 0; i < log.entries.size(); ++i) {
    read.push_back(ReadLeaf(EntryIndex(i), log.entries[i].leaf, log.origin));
    if (read.back().detached) {
      ReadEnvelope(log.Content(read.back().detached->digest.ToHex()), log.origin, read.back());
    }
    for (const PublicKey& key : KeysBroughtBy(read.back().said.statement)) {
      keys.emplace(key.id(), key);
    }
  }
  for (ReadEntry& entry : read) {
    const auto key = keys.find(entry.said.signer);
    CheckSignature(key == keys.end() ? nullptr : &key->second, entry);
  }
  return read;
}

std::vector<Said> ReadGoldenLog(const GoldenLog& log) {
  std::vector<Said> said;
  for (ReadEntry& entry : ReadGoldenEntries(log)) said.push_back(std::move(entry.said));
  return said;
}

}  // namespace stele::testing
