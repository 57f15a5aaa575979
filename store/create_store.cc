// Creation. Whatever step a crash cuts it at, the folder is either empty or not finished (it has no
// `format`), and then neither opened nor created again.
#include <utility>

#include "core/base/status_macros.h"
#include "core/tlog/note.h"
#include "store/backend/rocksdb/rocksdb_backend.h"
#include "store/durable_file.h"
#include "store/log/genesis.h"
#include "store/log/guard.h"
#include "store/store.h"
#include "store/store_folder.h"

namespace stele::store {
namespace {

absl::StatusOr<CommittedGenesis> CreateLog(const StorePaths& paths, const GenesisOptions& genesis) {
  RocksDbOptions options;
  options.dir = paths.db;
  options.create = true;
  STELE_ASSIGN_OR_RETURN(std::unique_ptr<Backend> backend, OpenRocksDb(options, nullptr));
  return CommitGenesis(*backend, genesis);
}

}  // namespace

absl::Status CreateStore(const CreateOptions& options) {
  const StorePaths paths = PathsOf(options.dir, options.guard);
  const Clock clock = options.clock ? options.clock : SystemClock();
  const GenesisOptions genesis{.origin = options.origin,
                               .log_key = options.log_key,
                               .operator_key = options.operator_key,
                               .recovery_keys = options.recovery_keys,
                               .now = clock()};
  // What would be refused later is refused before anything is made.
  STELE_RETURN_IF_ERROR(MakeGenesis(genesis).status());
  STELE_ASSIGN_OR_RETURN(const NoteVerifier verifier,
                         NoteVerifier::Make(options.origin, options.log_key.public_key()));
  STELE_RETURN_IF_ERROR(CheckNewFolder(paths));
  absl::Status made = MakeFolder(paths.dir, 0700);
  if (!made.ok() && !absl::IsAlreadyExists(made)) return made;
  STELE_RETURN_IF_ERROR(WriteNewFile(paths.log_key, options.log_key.ToPem(), 0600));
  STELE_ASSIGN_OR_RETURN(const CommittedGenesis log, CreateLog(paths, genesis));
  STELE_RETURN_IF_ERROR(
      WriteNewFile(paths.policy, "log " + verifier.ToVkey() + "\nquorum none\n", 0644));
  STELE_RETURN_IF_ERROR(
      Guard::Create(paths.guard, {.origin = options.origin, .genesis_leaf_hash = log.leaf_hash},
                    {.size = log.head.size, .root = log.head.root})
          .status());
  return WriteNewFile(paths.format, kFormatText, 0644);
}

}  // namespace stele::store
