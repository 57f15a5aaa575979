// Reading from a server, every answer verified before the caller sees it.
//
// Content is hashed, checkpoints are verified (client/checkpoint_verifier.h), entries are proven to
// be in the tree that the checkpoint signs, publications are read out of proven entries. DATA_LOSS
// means that something did not verify: do not trust this source, never retried. UNAVAILABLE and
// DEADLINE_EXCEEDED: it cannot be reached; the caller decides about another try. May be used from
// any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/checkpoint_verifier.h"
#include "client/connection.h"
#include "core/base/strong_int.h"
#include "core/crypto/key.h"
#include "core/statement/statement.h"

namespace stele::client {

struct LogHead {
  std::string note;  // the signed checkpoint
  Checkpoint checkpoint;
  TimeMs last_logged;  // the server's word
};

struct ProvenEntry {
  EntryIndex index;
  std::string leaf;
  Checkpoint checkpoint;
};

struct PrefixMatches {
  std::vector<Digest> digests;  // ascending
  bool truncated = false;       // there are more
};

// Record, manifest and signer of a publication.
struct PublicationKey {
  Digest record;
  Digest manifest;
  KeyId signer;
};

struct PublicationRow {
  EntryIndex index;
  KeyId signer;
  Digest manifest;
  bool disputed = false;
};
// The server's word, except that GetPublication proves one row of it.
struct RecordPublications {
  std::vector<PublicationRow> rows;  // ascending
  std::optional<KeyId> owner;
};

// The server's word: which keys there are follows from the log's key events.
struct KeyInfo {
  KeyId key;
  std::string spki;  // hashes to `key`: checked
  std::string name;
  std::optional<Role> role;  // nothing: revoked, or every event about it is disputed
  EventIndex latest_event;
};

// The latest event of each family about a digest; kNoEvent if there is none.
struct LatestEvents {
  EventIndex key, policy, withholding;
};

class Fetcher {
 public:
  // Both must outlive the fetcher.
  Fetcher(const Connection& connection, CheckpointVerifier& verifier)
      : connection_(connection), verifier_(verifier) {}

  absl::StatusOr<LogHead> GetHead() const;

  // NOT_FOUND.
  absl::StatusOr<std::string> GetContent(const Digest& digest) const;
  // Many contents over one stream, in the order asked; `visit` gets bytes or NOT_FOUND for each and
  // may end the stream by an error, which is returned. DATA_LOSS ends it at once.
  using VisitContent = std::function<absl::Status(const Digest&, absl::StatusOr<std::string>)>;
  absl::Status FetchContent(absl::Span<const Digest> digests, const VisitContent& visit) const;
  // NOT_FOUND if there is none. At least limits::kDigestPrefixHex lowercase hex digits.
  absl::StatusOr<PrefixMatches> ResolvePrefix(std::string_view hex) const;

  // NOT_FOUND if the tree is not that large.
  absl::StatusOr<ProvenEntry> GetEntry(EntryIndex index) const;
  // Entries from `start` on, at most `limit` of them (0: all that there are now), in order. An
  // error of `visit` ends it and is returned. OUT_OF_RANGE if start is beyond the tree.
  using VisitEntry = std::function<absl::Status(EntryIndex, std::string_view leaf)>;
  absl::Status ListEntries(EntryIndex start, uint64_t limit, const VisitEntry& visit) const;

  // Where each publication is, nothing if it is not there. "There" is proven: the entry is in the
  // log, is signed by `signer` and publishes that record with that manifest. All items are of
  // `signer`.
  absl::StatusOr<std::vector<std::optional<EntryIndex>>> CheckPublications(
      const PublicKey& signer, absl::Span<const PublicationKey> items) const;
  // NOT_FOUND if the record was never published.
  absl::StatusOr<RecordPublications> GetRecord(const Digest& record) const;
  // Proves that entry `row.index` publishes `record` as the row says, signed by the row's signer.
  absl::Status ProvePublication(const Digest& record, const PublicationRow& row) const;

  // What the `after` of the next statement about `subject` names. The server's word: if it is
  // wrong, the statement is refused.
  absl::StatusOr<LatestEvents> GetLatestEvents(const Digest& subject) const;

  // By key id.
  absl::StatusOr<std::vector<KeyInfo>> ListKeys() const;

 private:
  absl::Status AskForEntries(EntryIndex start, uint64_t limit,
                             std::vector<std::string>& leaves) const;
  absl::Status CheckKeyCount(size_t keys) const;

  const Connection& connection_;
  CheckpointVerifier& verifier_;
};

}  // namespace stele::client
