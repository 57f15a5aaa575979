#include "tests/support/golden_log.h"

#include <simdjson.h>

#include <stdexcept>

#include "tests/support/shared.h"

namespace stele::testing {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

// Takes a bundle apart without the product's own reader: big-endian uint16 length, bytes.
void AppendLeaves(std::string_view bundle, std::vector<std::string>& leaves) {
  while (!bundle.empty()) {
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(bundle.at(i)); };
    const size_t size = byte(0) * 256u + byte(1);
    leaves.emplace_back(bundle.substr(2, size));
    if (leaves.back().size() != size) throw std::runtime_error("entry bundle cut short");
    bundle.remove_prefix(2 + size);
  }
}

// tile/entries/000, 001, …; the last may be 00N.p/W. The golden logs have less than 1,000 bundles.
std::vector<std::string> LoadLeaves(const std::filesystem::path& dir, uint64_t size) {
  std::vector<std::string> leaves;
  for (uint64_t n = 0; leaves.size() < size; ++n) {
    const std::string digits = std::to_string(1000 + n).substr(1);
    const uint64_t left = size - 256 * n;
    const std::string path = left >= 256 ? digits : digits + ".p/" + std::to_string(left);
    AppendLeaves(ReadFile(dir / "tile" / "entries" / path), leaves);
  }
  if (leaves.size() != size) throw std::runtime_error("entry bundles have too many entries");
  return leaves;
}

std::string TextOrEmpty(element value, std::string_view name) {
  std::string_view text;
  return value[name].get(text) == simdjson::SUCCESS ? std::string(text) : "";
}

GoldenEntry ReadEntry(element value, std::string leaf) {
  GoldenEntry entry;
  entry.leaf = std::move(leaf);
  entry.verdict = std::string_view(value["verdict"]);
  entry.reason = TextOrEmpty(value, "reason");
  entry.type = TextOrEmpty(value, "type");
  entry.signer = TextOrEmpty(value, "signer");
  int64_t authority;
  if (value["authority"].get(authority) == simdjson::SUCCESS) entry.authority = authority;
  return entry;
}

void ReadRing(element root, GoldenLog& log) {
  for (auto [key, role] : object(root["ring"])) {
    log.ring[std::string(key)] = std::string_view(role);
  }
  for (element change : simdjson::dom::array(root["ringByPosition"])) {
    auto& keys = log.ring_by_position[uint64_t(change.at(0))];
    for (auto [key, role] : object(change.at(1))) {
      auto& slot = keys[std::string(key)];
      if (!role.is_null()) slot = std::string(std::string_view(role));
    }
  }
}

}  // namespace

std::optional<std::string> GoldenLog::Content(std::string_view hex) const {
  const std::filesystem::path path = dir / "content" / hex;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return ReadFile(path);
}

GoldenLog LoadGoldenLog(std::string_view name) {
  GoldenLog log;
  log.dir = VectorsDir() / name;
  simdjson::dom::parser parser;
  const element root = parser.parse(simdjson::padded_string(ReadFile(log.dir / "expected.json")));
  log.origin = std::string_view(root["origin"]);
  std::vector<std::string> leaves = LoadLeaves(log.dir, uint64_t(root["size"]));
  for (element value : simdjson::dom::array(root["entries"])) {
    const uint64_t index(value["index"]);
    if (index != log.entries.size()) throw std::runtime_error("entries out of order");
    log.entries.push_back(ReadEntry(value, std::move(leaves.at(index))));
  }
  if (log.entries.size() != leaves.size()) throw std::runtime_error("entries without a verdict");
  for (auto [index, revocation] : object(root["disputed"])) {
    log.disputed[std::stoull(std::string(index))] = uint64_t(revocation);
  }
  ReadRing(root, log);
  return log;
}

}  // namespace stele::testing
