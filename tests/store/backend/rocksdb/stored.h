// A store on RocksDB in a folder of its own, and what these tests do with it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "core/base/concat.h"
#include "store/backend/rocksdb/open.h"
#include "tests/store/backend/support/folder.h"
#include "tests/store/backend/support/test_log.h"

namespace stele::store::testing {

// A head check as the guard's: at least this size.
inline HeadCheck AtLeast(uint64_t size) {
  return [size](const Snapshot& snapshot) {
    if (snapshot.head()->size.value() >= size) return absl::OkStatus();
    return absl::FailedPreconditionError(
        Concat("the head ", snapshot.head()->size.value(), " is below the guard, ", size));
  };
}

class Stored : public ::testing::Test {
 protected:
  RocksDbOptions Options(const std::filesystem::path& dir) const {
    RocksDbOptions options{.dir = dir};
    options.write_buffer_bytes = write_buffer_bytes_;
    options.close_wait = std::chrono::milliseconds(200);
    return options;
  }
  // A new store in dir() with these commits.
  std::unique_ptr<Backend> Make(const std::vector<uint64_t>& commits) {
    RocksDbOptions options = Options(dir());
    options.create = true;
    auto backend = OpenRocksDb(options, nullptr);
    EXPECT_TRUE(backend.ok()) << backend.status();
    for (uint64_t entries : commits) Commit(**backend, entries);
    return *std::move(backend);
  }
  void Commit(Backend& backend, uint64_t entries) {
    const absl::Status status = backend.Commit(log_.Next(entries));
    ASSERT_TRUE(status.ok()) << status;
  }
  // What a crash at this moment leaves.
  std::filesystem::path Crash(const std::string& name = "crashed") {
    CopyFolder(dir(), folder_ / name);
    return folder_ / name;
  }
  absl::StatusOr<std::unique_ptr<Backend>> Open(const std::filesystem::path& at,
                                                const HeadCheck& check = nullptr) {
    return OpenRocksDb(Options(at), check);
  }
  std::filesystem::path dir() const { return folder_ / "db"; }

  size_t write_buffer_bytes_ = 1 << 20;
  TempFolder folder_;
  TestLog log_;
};

}  // namespace stele::store::testing
