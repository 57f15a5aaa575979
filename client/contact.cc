#include "client/contact.h"

#include <utility>
#include <variant>

#include "client/fetcher.h"
#include "client/pins.h"
#include "client/proven_tree.h"
#include "client/status.h"
#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "core/statement/entry.h"
#include "core/statement/statement.h"

namespace stele::client {
namespace {

// Does entry 0 say that `seen` is its log?
absl::Status CheckGenesis(std::string_view leaf, const Pin& seen) {
  absl::StatusOr<Entry> entry = ParseLeaf(leaf);
  if (!entry.ok()) return Untrusted("entry 0", entry.status());
  const auto* envelope = std::get_if<StoredEnvelope>(&entry->body);
  if (envelope == nullptr) return Untrusted("entry 0 does not hold the genesis statement");
  absl::StatusOr<Statement> statement = ParseStatement(envelope->payload, seen.origin);
  if (!statement.ok()) return Untrusted("the genesis statement", statement.status());
  const auto* genesis = std::get_if<Genesis>(&statement->predicate);
  if (genesis == nullptr) return Untrusted("entry 0 is no genesis statement");
  if (genesis->log_key.ToVkey() != seen.vkey) {
    return Untrusted(Concat("genesis names the log key ", genesis->log_key.ToVkey(),
                            ", the server says ", seen.vkey));
  }
  if (genesis->operator_key.id() != envelope->key) {
    return Untrusted("genesis is not signed by the operator that it names");
  }
  const absl::Status valid =
      genesis->operator_key.Verify(Pae(envelope->payload), envelope->signature);
  return valid.ok() ? valid : Untrusted("the signature of genesis", valid);
}

absl::StatusOr<Pin> SeenAt(const Connection& connection, const ServerInfo& info) {
  std::optional<Hash> genesis = Digest::FromBytes(info.genesis_leaf_hash);
  if (!genesis) return Untrusted("the server's genesis leaf hash has not 32 bytes");
  return Pin{connection.address(), info.origin, info.log_vkey, *genesis};
}

absl::StatusOr<TrustPolicy> PolicyOf(const Pin& pin) {
  absl::StatusOr<NoteVerifier> key = NoteVerifier::FromVkey(pin.vkey);
  if (!key.ok()) return Untrusted("the server's log key", key.status());
  if (key->name != pin.origin) {
    return Untrusted(Concat("the log key is of ", key->name, ", the server says ", pin.origin));
  }
  return PolicyOfLogKeys({*key});
}

// What the policy trusts, held against what was kept of that log.
absl::StatusOr<std::shared_ptr<CheckpointVerifier>> MakeVerifier(const Connection& connection,
                                                                 const TrustOptions& options,
                                                                 const std::string& origin,
                                                                 const TrustPolicy& policy) {
  std::unique_ptr<CheckpointHistory> history;
  if (options.keep_checkpoints && !options.state_dir.empty()) {
    std::vector<NoteVerifier> keys;
    for (const NoteVerifier& key : policy.LogKeys()) {
      if (key.name == origin) keys.push_back(key);
    }
    const auto prove = [&connection](TreeSize from, TreeSize to) -> absl::StatusOr<Proof> {
      STELE_ASSIGN_OR_RETURN(const v1::GetConsistencyProofResponse response,
                             AskForConsistency(connection, from, to));
      return ProofFrom(response.proof());
    };
    STELE_ASSIGN_OR_RETURN(history,
                           CheckpointHistory::Open(CheckpointFiles(options.state_dir, origin),
                                                   std::move(keys), prove, options.notify));
  }
  return std::make_shared<CheckpointVerifier>(origin, policy, std::move(history));
}

absl::Status ProveGenesis(const Connection& connection, const Pin& seen,
                          const TrustPolicy& policy) {
  // Nothing of a log is kept before its genesis is proven.
  CheckpointVerifier verifier(seen.origin, policy);
  STELE_ASSIGN_OR_RETURN(const ProvenEntry entry,
                         Fetcher(connection, verifier).GetEntry(EntryIndex(0)));
  if (LeafHash(entry.leaf) != seen.genesis) {
    return Untrusted("entry 0 has another leaf hash than the server says");
  }
  return CheckGenesis(entry.leaf, seen);
}

// Proves and pins; gives the pin that stands, another process may have been first.
absl::StatusOr<PinFile::Found> FirstContact(const Connection& connection, const PinFile& pins,
                                            const Pin& seen, CheckpointVerifier& verifier,
                                            const TrustOptions& options) {
  STELE_RETURN_IF_ERROR(ProveGenesis(connection, seen, verifier.policy()));
  // The same log may be known from another address.
  STELE_RETURN_IF_ERROR(Fetcher(connection, verifier).GetHead().status());
  STELE_ASSIGN_OR_RETURN(PinFile::Found found, pins.Add(seen));
  if (options.notify) {
    options.notify(Concat("first contact with ", seen.address, ": pinned log ", seen.origin,
                          ", genesis ", seen.genesis.ToText(), " (", pins.path().string(), ":",
                          found.line, ")"));
  }
  return found;
}

absl::Status CheckPolicy(const TrustPolicy& policy, const ServerInfo& info) {
  for (const TrustPolicy::Log& log : policy.logs) {
    if (log.key.name == info.origin) return absl::OkStatus();
  }
  return Untrusted(
      Concat("the server has the log ", info.origin, ", of which the policy names no key"));
}

}  // namespace

absl::StatusOr<Contact> MakeContact(const Connection& connection, const TrustOptions& options) {
  STELE_ASSIGN_OR_RETURN(ServerInfo info, GetServerInfo(connection));
  if (options.policy) {
    STELE_RETURN_IF_ERROR(CheckPolicy(*options.policy, info));
    STELE_ASSIGN_OR_RETURN(std::shared_ptr<CheckpointVerifier> verifier,
                           MakeVerifier(connection, options, info.origin, *options.policy));
    return Contact{std::move(info), std::move(verifier)};
  }
  const PinFile pins(options.state_dir);
  STELE_ASSIGN_OR_RETURN(Pin seen, SeenAt(connection, info));
  STELE_ASSIGN_OR_RETURN(std::optional<PinFile::Found> pinned, pins.Find(seen.address));
  if (pinned) STELE_RETURN_IF_ERROR(CheckPin(pins, *pinned, seen));
  STELE_ASSIGN_OR_RETURN(const TrustPolicy policy, PolicyOf(seen));
  STELE_ASSIGN_OR_RETURN(std::shared_ptr<CheckpointVerifier> verifier,
                         MakeVerifier(connection, options, seen.origin, policy));
  if (!pinned) {
    STELE_ASSIGN_OR_RETURN(const PinFile::Found first,
                           FirstContact(connection, pins, seen, *verifier, options));
    STELE_RETURN_IF_ERROR(CheckPin(pins, first, seen));
  }
  return Contact{std::move(info), std::move(verifier)};
}

}  // namespace stele::client
