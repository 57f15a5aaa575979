// The files of a database, one by one. For the files of this folder and their tests only.
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>

#include "store/backend/rocksdb/database.h"
#include "store/backend/rocksdb/inspect.h"

namespace stele::store {

class FileCheck {
 public:
  FileCheck(std::filesystem::path dir, std::function<void(uint64_t)> progress)
      : dir_(std::move(dir)), progress_(std::move(progress)) {}

  // The manifest that CURRENT names, and all write-ahead logs. Errors are of reading.
  absl::Status CheckLogFiles();
  // The tables and blob files of an open database, against size and checksum in its manifest.
  // Returns the names of those that are not there: beside a writer they may have been replaced.
  absl::StatusOr<std::set<std::string>> CheckTables(const Database& database);
  // All tables in the folder, block by block: where no manifest says what they have to be.
  absl::Status CheckTablesAlone();
  void Missing(const std::string& file);

  FilesInspected& found() { return found_; }

 private:
  struct Expected;
  absl::Status CheckLogFile(const std::string& file);
  // False if it is not there.
  absl::StatusOr<bool> CheckTable(const std::string& file, const Expected& expected);
  absl::StatusOr<bool> CheckTableAlone(const std::string& file);
  void Fault(const std::string& file, std::string what);
  void Read(uint64_t bytes);

  const std::filesystem::path dir_;
  const std::function<void(uint64_t)> progress_;
  FilesInspected found_;
};

// The names of the tables and blob files that a database consists of.
std::set<std::string> TablesOf(const Database& database);

}  // namespace stele::store
