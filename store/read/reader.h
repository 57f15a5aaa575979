// A moment to read from, with everything verified on the way out. Cheap to get (no I/O), any
// thread, lives independently of later commits; hold it briefly, it pins files.
//
// Errors of every method: NOT_FOUND (not there at this moment), DATA_LOSS (stored bytes do not
// verify: never retried), UNAVAILABLE (I/O: later).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/merkle/proof.h"
#include "core/replay/events.h"
#include "core/statement/key_ring.h"
#include "core/tlog/tile.h"
#include "store/backend/backend.h"

namespace stele::store {

class Reader {
 public:
  virtual ~Reader() = default;
  virtual const Head& head() const = 0;
  // Bytes with this digest: checked here. What is withheld is NOT_FOUND, reason WITHHELD, naming
  // the entry, also while the bytes are still there. RESOURCE_EXHAUSTED (TOO_LARGE) for more than
  // limits::kWholeContentBytes: that is read in a stream (store/read/content_stream.h).
  virtual absl::StatusOr<std::string> Content(const Digest& digest) const = 0;
  // Content that is kept in chunks, of any size; withheld as above.
  virtual absl::StatusOr<ArtifactRow> Artifact(const Digest& digest) const = 0;
  // Of an artifact that Artifact gave, now or earlier: checked against its list, withheld as above.
  virtual absl::StatusOr<std::string> ArtifactChunk(const ArtifactRow& artifact,
                                                    uint64_t number) const = 0;
  virtual absl::StatusOr<bool> HasContent(const Digest& digest) const = 0;
  virtual absl::StatusOr<std::vector<Digest>> ContentByPrefix(std::string_view hex,
                                                              size_t limit) const = 0;
  // Its leaf hash is checked against its leaf.
  virtual absl::StatusOr<EntryRow> Entry(EntryIndex index) const = 0;
  // Entries [begin, end) in order; `end` beyond the head is cut. Stops early without error when
  // `visit` returns false.
  virtual absl::Status VisitEntries(EntryIndex begin, EntryIndex end,
                                    const std::function<bool(EntryRow)>& visit) const = 0;
  // Tile bytes of exactly this width, a prefix of what is stored; NOT_FOUND if the tree at head()
  // has no such tile. Entry bundles (level TileId::kEntries) too.
  virtual absl::StatusOr<std::string> Tile(const TileId& id) const = 0;
  // Of head()'s tree. NOT_FOUND if the tree has no such entry.
  virtual absl::StatusOr<Proof> Inclusion(EntryIndex index) const = 0;
  // About the tree of `size`, which head()'s begins with: OUT_OF_RANGE beyond head(). Inclusion is
  // NOT_FOUND if that tree has no such entry; consistency from size 0, or to a smaller tree, does
  // not exist (INVALID_ARGUMENT, PROOF_INDEX).
  virtual absl::StatusOr<Hash> RootAt(TreeSize size) const = 0;
  virtual absl::StatusOr<Proof> InclusionAt(EntryIndex index, TreeSize size) const = 0;
  virtual absl::StatusOr<Proof> Consistency(TreeSize from, TreeSize to) const = 0;
  // Publications of a record, and which are disputed, parallel; seen from the head. Empty if none.
  struct Publications {
    std::vector<PublicationRow> rows;
    std::vector<bool> disputed;
  };
  virtual absl::StatusOr<Publications> PublicationsOf(const Digest& record) const = 0;
  // What else valid entries say about a digest (store/index/subject_rows.h), likewise.
  struct Subjects {
    std::vector<SubjectRow> rows;
    std::vector<bool> disputed;
  };
  virtual absl::StatusOr<Subjects> SubjectsOf(const Digest& subject) const = 0;
  // The withholding that is in force for a digest; nothing if there is none.
  virtual std::optional<EntryIndex> WithheldBy(const Digest& digest) const = 0;
  virtual const KeyRing& ring() const = 0;
  // Policy, withholdings and log keys.
  virtual const LogEvents& events() const = 0;
};

}  // namespace stele::store
