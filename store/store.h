// A store on disk or in memory, whole: admission, sequencer, backend, guard. What the server and
// `stele init` use; tests too.
//
// Threads: every method may be called from any thread. Sinks are called from the store's own
// threads, one call at a time for each sink; they must not block.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/crypto/key.h"
#include "core/merkle/hash.h"
#include "core/tlog/note.h"
#include "store/admit/upload_check.h"
#include "store/artifact/artifact_state.h"
#include "store/artifact/artifact_upload.h"
#include "store/backend/backend.h"
#include "store/index/queries.h"
#include "store/log/clock.h"
#include "store/log/guest_quota.h"
#include "store/log/publish.h"
#include "store/read/reader.h"

namespace stele::store {

struct CreateOptions {
  std::filesystem::path dir;    // must not exist or be empty
  std::filesystem::path guard;  // empty: dir + ".guard"; must not exist
  std::string origin;
  PrivateKey log_key;  // Ed25519; also written to dir/log.key, 0600
  PrivateKey operator_key;
  std::vector<PublicKey> recovery_keys;
  Clock clock;  // empty: the system's
};
// Makes a store with its genesis entry, guard and `dir/policy`. Everything is on stable storage
// when it returns OK. ALREADY_EXISTS if the folder is not empty or the guard exists; a crash
// half-way leaves a folder that Open refuses and this refuses too.
absl::Status CreateStore(const CreateOptions& options);

struct OpenOptions {
  std::filesystem::path dir;
  std::filesystem::path guard;  // empty: dir + ".guard"
  bool accept_no_guard = false;
  bool accept_clock = false;
  uint64_t disk_reserve_bytes = 256ull << 20;
  int admission_threads = 0;    // 0: one for each core
  size_t queue_statements = 0;  // 0: limits::kQueueStatements
  GuestLimits guests;
  ArtifactOptions artifacts;
  std::vector<PrivateKey> further_log_keys;  // beside the store's own: of a log-key rotation
  size_t cache_bytes = 64ull << 20;          // block cache
  size_t write_buffer_bytes = 16ull << 20;
  int index_nice = 19;  // of the thread that keeps the index
  Clock clock;          // empty: the system's
  EventLog log;         // empty: none
};

struct StoreStats {
  uint64_t tree_size = 0, queued = 0, queued_bytes = 0, commits = 0, appended = 0, replayed = 0,
           refused = 0, guard_syncs = 0, reopened = 0, staged_artifacts = 0, staged_bytes = 0,
           uploads = 0;
  uint64_t index_applied = 0;  // entries
  IndexState index_state = IndexState::kFollowing;
  std::vector<std::pair<std::string, uint64_t>> backend;
};

struct BegunUpload {
  ArtifactState state;
  std::unique_ptr<ArtifactUpload> upload;  // null: all of it is here, staged or stored
};

class Store {
 public:
  // Opens, recovers and starts writing. Refuses, with one sentence that says what to do:
  // NOT_FOUND (no store there), FAILED_PRECONDITION (another process holds it, the guard is another
  // store's or missing, the head is below the guard, its root differs), DATA_LOSS (damaged).
  static absl::StatusOr<std::unique_ptr<Store>> Open(const OpenOptions& options);
  // Over a backend handed in (tests, other engines); no guard file, no folder lock. The backend has
  // a genesis entry (CommitGenesis in store/log/genesis.h makes one): FAILED_PRECONDITION if not.
  // A failed write is for good here, a full disk too; with an opener the log is reopened by it once
  // there is room.
  static absl::StatusOr<std::unique_ptr<Store>> OverBackend(std::shared_ptr<Backend> backend,
                                                            PrivateKey log_key,
                                                            const OpenOptions& options);
  using BackendOpener = std::function<absl::StatusOr<std::shared_ptr<Backend>>()>;
  static absl::StatusOr<std::unique_ptr<Store>> OverBackend(BackendOpener open, PrivateKey log_key,
                                                            const OpenOptions& options);
  virtual ~Store() = default;

  // Takes statements; every one gets exactly one outcome through `sink`, which is kept alive until
  // then. Never blocks for long: a full queue is an outcome (RESOURCE_EXHAUSTED, QUEUE_FULL).
  virtual void Publish(std::vector<PublishItem> items, std::shared_ptr<PublishSink> sink) = 0;

  // Artifacts come before the publication that names them: uploaded, verified, staged; the
  // publication makes them content. An upload is destroyed before the store, and used by one thread
  // at a time; the others may wait for the disk in it.
  //
  // Errors: those of CheckUpload and of StageBook::Enter; FAILED_PRECONDITION with WITHHELD, or
  // UPLOAD_OFFSET if `start` does not go on where the held bytes end; what write_state says;
  // UNAVAILABLE.
  virtual absl::StatusOr<BegunUpload> BeginUpload(const UploadStart& start) = 0;
  // NOT_FOUND if nothing of it is here, or if it is withheld (WITHHELD).
  virtual absl::StatusOr<ArtifactState> FindArtifact(const Digest& digest) const = 0;

  virtual absl::StatusOr<std::shared_ptr<const Reader>> GetReader() const = 0;
  // Waits until readers see more than `size` entries; false if the deadline passes before.
  virtual bool WaitForHead(TreeSize size, std::chrono::steady_clock::time_point deadline) const = 0;

  // What the derived index is asked: lists, references, cohorts. It follows the log and may lag;
  // every answer says how far it is. UNAVAILABLE while it, or the log, is not open.
  virtual absl::StatusOr<std::shared_ptr<const Queries>> GetQueries() const = 0;
  // Waits until the index has applied `size` entries; false if the deadline passes before.
  virtual bool WaitForIndex(TreeSize size,
                            std::chrono::steady_clock::time_point deadline) const = 0;

  virtual const std::string& origin() const = 0;
  // The newest log key that signed the head; while one is being replaced there are others.
  virtual NoteVerifier log_verifier() const = 0;
  virtual const Hash& genesis_leaf_hash() const = 0;
  // OK while statements are taken; else why not (DISK_FULL, STOPPING, CLOCK, READ_ONLY,
  // LOG_KEY_MISSING).
  virtual absl::Status write_state() const = 0;
  virtual StoreStats Stats() const = 0;

  // Takes no new statement (UNAVAILABLE, STOPPING), commits and answers every accepted one, then
  // returns. DEADLINE_EXCEEDED if that takes longer. Idempotent; the destructor drains too.
  virtual absl::Status Drain(std::chrono::milliseconds timeout) = 0;
};

}  // namespace stele::store
