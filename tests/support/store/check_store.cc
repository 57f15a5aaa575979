#include "tests/support/store/check_store.h"

#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"
#include "core/merkle/frontier.h"
#include "core/record/manifest.h"
#include "core/statement/entry.h"
#include "core/statement/key_ring.h"
#include "core/tlog/checkpoint.h"
#include "core/tlog/tile.h"
#include "store/read/snapshot_reader.h"

namespace stele::testing {
namespace {

using store::EntryRow;
using store::Head;
using store::PublicationRow;
using store::ReplayKey;
using store::Snapshot;

absl::Status Fault(const std::string& what) { return absl::InternalError(what); }

absl::Status At(EntryIndex index, const absl::Status& status) {
  if (status.ok()) return status;
  return Fault(absl::StrCat("entry ", index.value(), ": ", status.ToString()));
}

auto Fields(const KeyEvent& event) {
  return std::make_tuple(event.index, event.kind, event.subject, event.signer, event.authority,
                         event.role, event.spki, event.name, event.reason, event.compromised_since);
}

class Checker {
 public:
  Checker(const Snapshot& snapshot, const NoteVerifier& verifier)
      : snapshot_(snapshot), verifier_(verifier) {}

  absl::Status Check() {
    if (!snapshot_.head().has_value()) return Fault("there is no head");
    STELE_RETURN_IF_ERROR(CheckCheckpoint());
    STELE_RETURN_IF_ERROR(CheckEntries());
    STELE_RETURN_IF_ERROR(CheckTree());
    STELE_RETURN_IF_ERROR(CheckNothingBeyond());
    STELE_RETURN_IF_ERROR(CheckPublications());
    return CheckKeyEvents();
  }

 private:
  const Head& head() const { return *snapshot_.head(); }

  absl::Status CheckCheckpoint() const {
    STELE_ASSIGN_OR_RETURN(const SignedCheckpoint opened,
                           OpenCheckpoint(head().checkpoint, {verifier_}));
    const Checkpoint expected{head().origin, head().size, head().root, {}};
    return opened.checkpoint == expected ? absl::OkStatus()
                                         : Fault("the checkpoint is not of the head");
  }

  absl::Status CheckEntries() {
    absl::Status bad;
    uint64_t next = 0;
    STELE_RETURN_IF_ERROR(snapshot_.VisitEntries(
        EntryIndex{0}, EntryIndex{head().size.value()}, [&](const EntryRow& row) {
          bad = row.index.value() == next ? At(row.index, CheckEntry(row))
                                          : Fault(absl::StrCat("no entry ", next));
          ++next;
          return bad.ok();
        }));
    STELE_RETURN_IF_ERROR(bad);
    if (next != head().size.value()) return Fault("fewer entries than the head says");
    return last_time_ == head().last_logged ? absl::OkStatus() : Fault("the head's last time");
  }

  absl::Status CheckEntry(const EntryRow& row) {
    if (LeafHash(row.leaf) != row.leaf_hash) return Fault("its leaf hash");
    leaf_hashes_.push_back(row.leaf_hash);
    STELE_ASSIGN_OR_RETURN(const Entry entry, ParseLeaf(row.leaf));
    if (entry.logged < last_time_) return Fault("its time");
    last_time_ = entry.logged;
    const auto* envelope = std::get_if<StoredEnvelope>(&entry.body);
    if (envelope == nullptr) return Fault("it is detached");
    STELE_ASSIGN_OR_RETURN(const Statement statement,
                           ParseStatement(envelope->payload, head().origin));
    STELE_RETURN_IF_ERROR(CheckAllowed(row.index, *envelope, statement, entry.authority));
    STELE_RETURN_IF_ERROR(CheckReplay(row.index, *envelope));
    for (const KeyEvent& event :
         KeyEventsOf(statement, row.index, envelope->key, entry.authority)) {
      ring_.Add(event);
    }
    return CheckSubjects(row.index, *envelope, statement, entry.authority);
  }

  absl::Status CheckAllowed(EntryIndex index, const StoredEnvelope& envelope,
                            const Statement& statement, EventIndex authority) const {
    const auto* genesis = std::get_if<Genesis>(&statement.predicate);
    if ((genesis != nullptr) != (index.value() == 0)) return Fault("genesis and index 0");
    const PublicKey* key =
        genesis != nullptr ? &genesis->operator_key : ring_.FindKey(envelope.key);
    if (key == nullptr || key->id() != envelope.key) return Fault("nobody knows its key");
    STELE_RETURN_IF_ERROR(key->Verify(Pae(envelope.payload), envelope.signature));
    if (authority != (genesis != nullptr ? EventIndex{0} : ring_.Latest(envelope.key))) {
      return Fault("its authority");
    }
    if (const auto* grant = std::get_if<KeyGrant>(&statement.predicate)) {
      return ring_.CheckGrant(index, envelope.key, *grant);
    }
    if (const auto* revoke = std::get_if<KeyRevoke>(&statement.predicate)) {
      return ring_.CheckRevoke(index, envelope.key, statement.subjects.front().digest, *revoke);
    }
    if (genesis != nullptr) return absl::OkStatus();
    if (statement.type != StatementType::kPublication) return Fault("its type");
    return ring_.CheckRole(envelope.key, Role::kPublisher);
  }

  absl::Status CheckReplay(EntryIndex index, const StoredEnvelope& envelope) {
    const ReplayKey key{Sha256(envelope.payload), envelope.key};
    if (!replays_.insert(key).second) return Fault("it is in the log twice");
    STELE_ASSIGN_OR_RETURN(const std::optional<EntryIndex> found, snapshot_.FindReplay(key));
    return found == index ? absl::OkStatus() : Fault("its replay row");
  }

  absl::Status CheckSubjects(EntryIndex index, const StoredEnvelope& envelope,
                             const Statement& statement, EventIndex authority) {
    if (statement.type != StatementType::kPublication) return absl::OkStatus();
    for (const Subject& subject : statement.subjects) {
      STELE_RETURN_IF_ERROR(CheckContent(subject.digest));
      if (subject.kind != Subject::Kind::kRecord) continue;
      STELE_RETURN_IF_ERROR(CheckContent(*subject.manifest));
      STELE_ASSIGN_OR_RETURN(const std::string bytes, snapshot_.Content(*subject.manifest));
      STELE_ASSIGN_OR_RETURN(const Manifest manifest, ParseManifest(bytes));
      if (manifest.record != subject.digest) return Fault("a manifest is of another record");
      publications_[subject.digest].push_back(
          {subject.digest, index, envelope.key, *subject.manifest, authority});
    }
    return absl::OkStatus();
  }

  absl::Status CheckContent(const Digest& digest) const {
    STELE_ASSIGN_OR_RETURN(const std::string bytes, snapshot_.Content(digest));
    if (Sha256(bytes) != digest) return Fault(digest.ToText() + " has other bytes");
    STELE_ASSIGN_OR_RETURN(const bool has, snapshot_.HasContent(digest));
    STELE_ASSIGN_OR_RETURN(const auto found, snapshot_.ContentByPrefix(digest.ToHex(), 2));
    if (!has || found != std::vector<Digest>{digest}) return Fault(digest.ToText() + " not found");
    return absl::OkStatus();
  }

  absl::Status CheckTree() const {
    Frontier frontier;
    for (const Hash& hash : leaf_hashes_) frontier.Append(hash);
    if (frontier.Root() != head().root) return Fault("the entries lead to another root");
    std::vector<Hash> level_hashes = leaf_hashes_;
    for (int level = 0; !level_hashes.empty(); ++level) {
      STELE_RETURN_IF_ERROR(CheckTiles(level, level_hashes));
      std::vector<Hash> above;
      for (size_t begin = 0; begin + 256 <= level_hashes.size(); begin += 256) {
        Frontier tile;
        for (size_t i = begin; i < begin + 256; ++i) tile.Append(level_hashes[i]);
        above.push_back(tile.Root());
      }
      level_hashes = std::move(above);
    }
    return absl::OkStatus();
  }

  absl::Status CheckTiles(int level, const std::vector<Hash>& hashes) const {
    for (size_t begin = 0; begin < hashes.size(); begin += 256) {
      const size_t end = std::min(begin + 256, hashes.size());
      if (level == 0 && end - begin < 256) continue;  // follows from the entries
      std::string expected;
      for (size_t i = begin; i < end; ++i) expected.append(hashes[i].bytes());
      STELE_ASSIGN_OR_RETURN(const std::string stored, snapshot_.Tile(level, begin / 256));
      if (stored != expected) return Fault(absl::StrCat("tile ", level, "/", begin / 256));
    }
    return absl::OkStatus();
  }

  // Rows above the head would be taken for part of a later tree.
  absl::Status CheckNothingBeyond() const {
    const uint64_t size = head().size.value();
    if (!absl::IsNotFound(snapshot_.Entry(EntryIndex{size}).status())) {
      return Fault("there is an entry beyond the head");
    }
    for (int level = 0; level < 3; ++level) {
      const uint64_t number = (size >> (8 * level)) / 256;
      const bool unfinished = level > 0 && TileWidth(level, number, head().size) > 0;
      if (!absl::IsNotFound(snapshot_.Tile(level, number + (unfinished ? 1 : 0)).status())) {
        return Fault(absl::StrCat("there is a tile of level ", level, " beyond the head"));
      }
    }
    return absl::OkStatus();
  }

  absl::Status CheckPublications() const {
    for (const auto& [record, expected] : publications_) {
      STELE_ASSIGN_OR_RETURN(const auto stored, snapshot_.Publications(record));
      if (stored != expected) return Fault("publications of " + record.ToText());
    }
    return absl::OkStatus();
  }

  absl::Status CheckKeyEvents() const {
    STELE_ASSIGN_OR_RETURN(const auto stored, snapshot_.KeyEvents());
    if (stored.size() != ring_.events().size()) return Fault("the number of key events");
    for (size_t i = 0; i < stored.size(); ++i) {
      if (Fields(stored[i]) != Fields(ring_.events()[i])) {
        return Fault(absl::StrCat("key event ", i));
      }
    }
    return absl::OkStatus();
  }

  const Snapshot& snapshot_;
  const NoteVerifier& verifier_;
  TimeMs last_time_;
  KeyRing ring_;
  std::vector<Hash> leaf_hashes_;
  std::set<ReplayKey> replays_;
  std::map<Digest, std::vector<PublicationRow>> publications_;
};

}  // namespace

absl::Status CheckStore(const Snapshot& snapshot, const NoteVerifier& verifier) {
  return Checker(snapshot, verifier).Check();
}

absl::Status CheckStore(const store::Store& store) {
  STELE_ASSIGN_OR_RETURN(const auto reader, store.GetReader());
  const auto* over_snapshot = dynamic_cast<const store::SnapshotReader*>(reader.get());
  if (over_snapshot == nullptr) return Fault("a reader of an unknown kind");
  return CheckStore(over_snapshot->snapshot(), store.log_verifier());
}

}  // namespace stele::testing
