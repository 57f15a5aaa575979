// A small store on disk, a copy of it as a kill at this moment leaves it, and fsck of the copy.
#pragma once

#include <string>
#include <vector>

#include "store/fsck/fsck.h"
#include "tests/store/backend/support/folder.h"
#include "tests/support/store/store_test_base.h"

namespace stele::store::testing {

class FsckTest : public ::stele::testing::StoreTestBase {
 protected:
  FsckTest() : StoreTestBase(::stele::testing::Engine::kRocksDb) {}

  // A publisher, records of which `in_tables` stand in tables and blob files and `in_log` in the
  // write-ahead log, and the copy.
  void Fill(int in_tables, int in_log);
  void Publish(int first, int count);
  void Copy();

  std::filesystem::path dir() const { return copy_ / "store"; }
  std::filesystem::path db() const { return dir() / "db"; }
  std::filesystem::path guard() const { return copy_ / "store.guard"; }
  // The files that hold truth, the guard too.
  std::vector<std::filesystem::path> TruthFiles() const;

  FsckOptions Options() const;
  // What fsck says of the copy; found_ has the findings.
  FsckReport Check();
  // One of them is of this kind and has this name (any if empty).
  bool Found(std::string_view kind, std::string_view name = "") const;
  std::string AllFound() const;
  // A sound store of `size` entries.
  void ExpectClean(uint64_t size);

  TempFolder copy_;
  std::vector<Finding> found_;
  uint64_t size_ = 0;  // of the copy
};

}  // namespace stele::store::testing
