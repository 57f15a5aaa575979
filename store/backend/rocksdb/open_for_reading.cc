#include <chrono>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/concat.h"
#include "store/backend/rocksdb/opening.h"

namespace stele::store {
namespace {

namespace fs = std::filesystem;

constexpr auto kPatience = std::chrono::seconds(5);  // with a busy writer

std::set<std::string> FilesOf(const fs::path& dir) {
  std::set<std::string> names;
  std::error_code error;
  for (const auto& file : fs::directory_iterator(dir, error)) {
    names.insert(file.path().filename());
  }
  return names;
}

// Whether a writer removed files while we looked.
enum class Removed { kNothing, kTables, kLogs };
Removed Compare(const std::set<std::string>& before, const std::set<std::string>& after) {
  Removed removed = Removed::kNothing;
  for (const std::string& name : before) {
    if (after.count(name) > 0) continue;
    if (fs::path(name).extension() == ".log") return Removed::kLogs;
    removed = Removed::kTables;
  }
  return removed;
}

}  // namespace

// Nothing is locked: a log file that the writer removed while we read may have been needed, and a
// table may have gone before we opened it. Then the moment is not one moment, and we look again.
absl::StatusOr<Opened> OpenForReading(rocksdb::Env* env, const RocksDbOptions& options,
                                      const HeadCheck& check) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    Database::Failure failure;
    const std::set<std::string> before = FilesOf(options.dir);
    auto database =
        Database::Open(options, env, Database::Mode::kRead,
                       rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords, failure);
    const Removed removed = Compare(before, FilesOf(options.dir));
    if (database != nullptr && removed != Removed::kLogs) {
      return Accept(std::move(database), options.dir, check);
    }
    if (removed == Removed::kNothing) return ToStatus(options, failure);
    if (std::chrono::steady_clock::now() >= deadline) {
      return absl::UnavailableError(Concat("the writer of ", options.dir.string(),
                                           " is too busy to read beside it; try again"));
    }
  }
}

}  // namespace stele::store
