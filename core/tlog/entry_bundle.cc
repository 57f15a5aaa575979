#include "core/tlog/entry_bundle.h"

#include "core/base/refusal.h"

namespace stele {
namespace {

constexpr size_t kLengthBytes = 2;

absl::Status BadForm() {
  return RefuseInput(reason::kBundleForm, "", "the entry bundle does not hold exactly its entries");
}

}  // namespace

void AppendBundleEntry(std::string_view leaf, std::string& bundle) {
  bundle += static_cast<char>(leaf.size() >> 8);
  bundle += static_cast<char>(leaf.size() & 0xff);
  bundle += leaf;
}

absl::StatusOr<std::vector<std::string_view>> ParseEntryBundle(std::string_view bundle,
                                                               size_t count) {
  std::vector<std::string_view> entries;
  while (entries.size() < count) {
    if (bundle.size() < kLengthBytes) return BadForm();
    const size_t size = static_cast<size_t>(static_cast<unsigned char>(bundle[0])) << 8 |
                        static_cast<unsigned char>(bundle[1]);
    bundle.remove_prefix(kLengthBytes);
    if (bundle.size() < size) return BadForm();
    entries.push_back(bundle.substr(0, size));
    bundle.remove_prefix(size);
  }
  if (!bundle.empty()) return BadForm();
  return entries;
}

}  // namespace stele
