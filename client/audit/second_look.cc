#include "client/audit/second_look.h"

#include <algorithm>
#include <vector>

#include "client/audit/checks.h"
#include "client/audit/parallel.h"
#include "client/status.h"
#include "core/base/base64.h"
#include "core/base/concat.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"
#include "core/merkle/frontier.h"

namespace stele::client {
namespace {

constexpr uint64_t kSlicesAtOnce = 64;

struct Roots {
  Hash whole;
  std::optional<Hash> earlier;
};

absl::StatusOr<Roots> RootsOf(Source& source, TreeSize size, TreeSize earlier, size_t threads) {
  Frontier frontier;
  Roots roots;
  while (frontier.size() < size) {
    const uint64_t start = frontier.size().value();
    const uint64_t left = size.value() - start;
    const uint64_t slices =
        std::min(kSlicesAtOnce, (left + limits::kTileWidth - 1) / limits::kTileWidth);
    std::vector<std::vector<Hash>> hashes(slices);
    STELE_RETURN_IF_ERROR(ParallelFor(threads, slices, [&](size_t i) -> absl::Status {
      const uint64_t begin = i * limits::kTileWidth;
      const uint64_t count = std::min<uint64_t>(limits::kTileWidth, left - begin);
      STELE_ASSIGN_OR_RETURN(const std::vector<std::string> leaves,
                             source.Entries(EntryIndex(start + begin), count, size));
      for (const std::string& leaf : leaves) hashes[i].push_back(LeafHash(leaf));
      return absl::OkStatus();
    }));
    for (const std::vector<Hash>& slice : hashes) {
      for (const Hash& hash : slice) {
        frontier.Append(hash);
        if (frontier.size() == earlier) roots.earlier = frontier.Root();
      }
    }
  }
  roots.whole = frontier.Root();
  return roots;
}

}  // namespace

absl::Status Contradiction(const std::string& note, const std::string& earlier, TreeSize size,
                           const Hash& root) {
  return Untrusted(Concat(
      "two checkpoints of the same log contradict each other: it is no append-only log.\n"
      "Verified before:\n",
      earlier, "Shown now:\n", note, "Its entries lead to another root at size ", size.value(),
      ": ", Base64Encode(root.bytes()), "\nKeep both checkpoints: they are the proof"));
}

absl::Status SecondLook(Source& source, const std::string& note, const Checkpoint& checkpoint,
                        const std::optional<AuditState>& earlier, size_t threads) {
  const TreeSize before = earlier ? earlier->checkpoint.size : TreeSize(0);
  const absl::StatusOr<Roots> roots = RootsOf(source, checkpoint.size, before, threads);
  if (!roots.ok()) return AsRefusal(roots.status());
  if (roots->whole != checkpoint.root) {
    return RootMismatch(checkpoint, roots->whole, absl::OkStatus());
  }
  if (!earlier) return absl::AbortedError("the journal is of another log");
  if (before > checkpoint.size) {
    return Untrusted(
        Concat("two checkpoints of the same log contradict each other: it is no append-only log.\n"
               "Checked by an earlier audit:\n",
               earlier->note, "Shown now:\n", note,
               "The log of the earlier audit had another root at size ", checkpoint.size.value(),
               "\nKeep both checkpoints: they are the proof"));
  }
  if (roots->earlier && *roots->earlier != earlier->checkpoint.root) {
    return Contradiction(note, earlier->note, before, *roots->earlier);
  }
  return absl::AbortedError("the journal has entries that are not of this log");
}

}  // namespace stele::client
