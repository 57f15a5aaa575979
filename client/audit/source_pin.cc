#include "client/audit/source_pin.h"

#include "client/audit/checks.h"
#include "client/status.h"
#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/replay/said.h"

namespace stele::client {
namespace {

std::string AddressOf(const Source& source) {
  std::string address;
  for (char c : source.name()) {
    if (c == ' ') {
      address += "%20";
    } else {
      address += c;
    }
  }
  return address;
}

}  // namespace

absl::StatusOr<Pin> PinOf(Source& source) {
  const absl::StatusOr<std::string> note = source.Checkpoint();
  if (!note.ok()) return AsRefusal(note.status());
  STELE_ASSIGN_OR_RETURN(const Checkpoint checkpoint, ReadCheckpoint(*note));
  if (checkpoint.size == TreeSize(0)) {
    return Untrusted(Concat(source.name(), " has an empty log: nothing says which one it is; name ",
                            "its keys with --policy"));
  }
  const auto leaves = source.Entries(EntryIndex(0), 1, checkpoint.size);
  if (!leaves.ok()) return AsRefusal(leaves.status());
  ReadEntry entry = ReadLeaf(EntryIndex(0), leaves->front(), checkpoint.origin);
  CheckSignature(nullptr, entry);
  const auto* genesis = std::get_if<Genesis>(&entry.said.statement.predicate);
  if (genesis == nullptr || entry.said.signature != Said::Signature::kGood) {
    return Refuse(absl::StatusCode::kDataLoss, reason::kGenesis, "",
                  Concat("entry 0 of ", source.name(), " is no genesis of ", checkpoint.origin));
  }
  return Pin{AddressOf(source), checkpoint.origin, genesis->log_key.ToVkey(),
             LeafHash(leaves->front())};
}

}  // namespace stele::client
