#include "tests/client/audit/static_log.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "core/crypto/sha256.h"
#include "core/tlog/checkpoint.h"
#include "core/tlog/entry_bundle.h"
#include "core/tlog/tile.h"
#include "core/tlog/tree_edge.h"
#include "tests/support/shared.h"

namespace stele::client {

PrivateKey TestKey(const std::string& name) {
  return *PrivateKey::FromEd25519Seed(Sha256({"stele public test key: ", name}).bytes());
}

StaticLog::StaticLog(std::string_view golden) : golden_(testing::LoadGoldenLog(golden)) {
  std::filesystem::copy(golden_.dir, dir_, std::filesystem::copy_options::recursive);
  for (const testing::GoldenEntry& entry : golden_.entries) leaves.push_back(entry.leaf);
}

std::vector<NoteVerifier> StaticLog::PolicyKeys() const {
  std::vector<NoteVerifier> keys;
  std::istringstream policy(Read("policy"));
  for (std::string word, vkey; policy >> word >> vkey;) {
    if (word == "log") keys.push_back(*NoteVerifier::FromVkey(vkey));
  }
  return keys;
}

void StaticLog::Write(const std::string& path, std::string_view bytes) const {
  std::filesystem::create_directories((dir_ / path).parent_path());
  std::ofstream file(dir_ / path, std::ios::binary);
  if (!file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()))) {
    throw std::runtime_error("cannot write " + path);
  }
}

std::string StaticLog::Read(const std::string& path) const {
  return testing::ReadFile(dir_ / path);
}

void StaticLog::Show(uint64_t size, const std::vector<std::string>& signers) const {
  TreeEdge edge;
  std::string bundle;
  for (uint64_t i = 0; i < size; ++i) {
    edge.Append(LeafHash(leaves.at(i)));
    AppendBundleEntry(leaves[i], bundle);
    if ((i + 1) % 256 != 0 && i + 1 != size) continue;
    Write(TilePath({TileId::kEntries, i / 256, static_cast<uint32_t>(i % 256 + 1)}), bundle);
    bundle.clear();
  }
  for (const TreeEdge::FinishedTile& tile : edge.finished()) Write(TilePath(tile.id), tile.bytes);
  for (size_t level = 0; level < edge.levels(); ++level) {
    std::string bytes;
    for (const Hash& hash : edge.unfinished(level)) bytes += hash.bytes();
    const auto width = static_cast<uint32_t>(edge.unfinished(level).size());
    if (width > 0)
      Write(TilePath({static_cast<int>(level), size >> (8 * (level + 1)), width}), bytes);
  }
  Note note{FormatCheckpoint({origin(), TreeSize(size), edge.Root(), {}}), {}};
  for (const std::string& signer : signers) {
    const PrivateKey key = TestKey(signer);
    const NoteVerifier verifier = *NoteVerifier::Make(origin(), key.public_key());
    note.signatures.push_back(*SignNote(note.text, verifier, key));
  }
  Write("checkpoint", FormatNote(note));
}

}  // namespace stele::client
