#include "store/fsck/guard_look.h"

#include <chrono>
#include <string_view>
#include <thread>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "store/durable_file.h"
#include "store/log/guard_block.h"

namespace stele::store {
namespace {

constexpr int kLooks = 5;
constexpr std::chrono::milliseconds kPause{5};

GuardLook Parse(std::string_view bytes) {
  GuardLook look;
  if (bytes.size() != 3 * kGuardBlockBytes) {
    look.faults.push_back(
        Concat("has ", bytes.size(), " bytes, a guard has ", 3 * kGuardBlockBytes));
    return look;
  }
  auto block = [&](size_t n) { return bytes.substr(n * kGuardBlockBytes, kGuardBlockBytes); };
  look.identity = ParseGuardHeader(block(0));
  if (!look.identity) {
    look.faults.push_back("its header does not verify");
    return look;
  }
  uint64_t newest = 0;
  for (int slot : {0, 1}) {
    const auto found = ParseGuardSlot(block(static_cast<size_t>(slot) + 1), *look.identity, slot);
    if (!found) {
      look.faults.push_back(Concat("its block ", slot + 1, " does not verify"));
    } else if (found->sequence > newest) {
      newest = found->sequence;
      look.position = found->position;
    }
  }
  return look;
}

}  // namespace

absl::StatusOr<GuardLook> LookAtGuard(const std::filesystem::path& path) {
  for (int look = 1;; ++look) {
    STELE_ASSIGN_OR_RETURN(const std::string bytes, ReadWholeFile(path));
    GuardLook found = Parse(bytes);
    if (found.faults.empty() || look == kLooks) return found;
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace stele::store
