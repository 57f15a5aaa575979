#include "store/backend/rocksdb/file_check.h"

#include <rocksdb/metadata.h>
#include <rocksdb/sst_file_reader.h>

#include <algorithm>
#include <map>
#include <system_error>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "store/backend/rocksdb/file_bytes.h"
#include "store/backend/rocksdb/file_sum.h"
#include "store/backend/rocksdb/log_file.h"
#include "store/backend/rocksdb/tuning.h"

namespace stele::store {
namespace fs = std::filesystem;

struct FileCheck::Expected {
  uint64_t bytes = 0;
  std::string checksum, function;
  bool table = true;  // else a blob file
};

namespace {

constexpr size_t kReadBytes = 1 << 20;

std::vector<std::string> FilesWith(const fs::path& dir, std::string_view extension) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& file : fs::directory_iterator(dir, error)) {
    if (file.path().extension() == extension) names.push_back(file.path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<rocksdb::ColumnFamilyMetaData> MetaOf(const Database& database) {
  std::vector<rocksdb::ColumnFamilyMetaData> all(kFamilyNames.size());
  for (size_t i = 0; i < all.size(); ++i) {
    rocksdb::ColumnFamilyHandle* const family = database.family(static_cast<Family>(i));
    if (family != nullptr) database.db().GetColumnFamilyMetaData(family, &all[i]);
  }
  return all;
}

}  // namespace

void FileCheck::Fault(const std::string& file, std::string what) {
  found_.faults.push_back({file, std::move(what)});
}

void FileCheck::Missing(const std::string& file) { Fault(file, "is missing"); }

void FileCheck::Read(uint64_t bytes) {
  found_.bytes += bytes;
  if (progress_) progress_(found_.bytes);
}

absl::Status FileCheck::CheckLogFiles() {
  std::string current;
  absl::Status status = ReadInBlocks(dir_ / "CURRENT", 4096, [&](std::string_view block) {
    current.append(block);
    return current.size() <= 4096;
  });
  if (absl::IsNotFound(status)) {
    Missing("CURRENT");
  } else {
    STELE_RETURN_IF_ERROR(status);
    ++found_.files;
    const std::string manifest = current.substr(0, current.find('\n'));
    const bool good = current == manifest + "\n" && manifest.starts_with("MANIFEST-") &&
                      manifest.find('/') == std::string::npos;
    if (good) {
      STELE_RETURN_IF_ERROR(CheckLogFile(manifest));
    } else {
      Fault("CURRENT", "names no manifest");
    }
  }
  for (const std::string& file : FilesWith(dir_, ".log")) {
    STELE_RETURN_IF_ERROR(CheckLogFile(file));
  }
  return absl::OkStatus();
}

absl::Status FileCheck::CheckLogFile(const std::string& file) {
  absl::StatusOr<LogFileCheck> check = store::CheckLogFile(dir_ / file);
  if (absl::IsNotFound(check.status())) {
    // A writer removes a log when its rows are in tables; a manifest only with its successor named.
    if (fs::path(file).extension() != ".log") Missing(file);
    return absl::OkStatus();
  }
  STELE_RETURN_IF_ERROR(check.status());
  ++found_.files;
  Read(check->bytes);
  if (check->damage) Fault(file, Concat("at byte ", check->damage->at, " ", check->damage->what));
  if (check->torn_at) {
    found_.torn.push_back({file, Concat("ends inside a record, at byte ", *check->torn_at)});
  }
  return absl::OkStatus();
}

std::set<std::string> TablesOf(const Database& database) {
  std::set<std::string> names;
  for (const auto& family : MetaOf(database)) {
    for (const auto& level : family.levels) {
      for (const auto& file : level.files) names.insert(fs::path(file.name).filename());
    }
    for (const auto& file : family.blob_files) {
      names.insert(fs::path(file.blob_file_name).filename());
    }
  }
  return names;
}

absl::StatusOr<std::set<std::string>> FileCheck::CheckTables(const Database& database) {
  std::map<std::string, Expected> expected;
  for (const auto& family : MetaOf(database)) {
    for (const auto& level : family.levels) {
      for (const auto& file : level.files) {
        expected[fs::path(file.name).filename()] = {file.size, file.file_checksum,
                                                    file.file_checksum_func_name, true};
      }
    }
    for (const auto& file : family.blob_files) {
      expected[fs::path(file.blob_file_name).filename()] = {
          file.blob_file_size, file.checksum_value, file.checksum_method, false};
    }
  }
  std::set<std::string> missing;
  for (const auto& [file, its] : expected) {
    STELE_ASSIGN_OR_RETURN(const bool there, CheckTable(file, its));
    if (!there) missing.insert(file);
  }
  return missing;
}

absl::StatusOr<bool> FileCheck::CheckTable(const std::string& file, const Expected& expected) {
  std::error_code error;
  const uint64_t size = fs::file_size(dir_ / file, error);
  if (error == std::errc::no_such_file_or_directory) return false;
  if (!error && size != expected.bytes) {
    ++found_.files;
    Fault(file, Concat("has ", size, " bytes, and should have ", expected.bytes));
    return true;
  }
  const auto sum = MakeFileSum(expected.function);
  // Whoever made the database, in an older version, may have noted none.
  if (sum == nullptr) return expected.table ? CheckTableAlone(file) : true;
  const absl::Status read = ReadInBlocks(dir_ / file, kReadBytes, [&](std::string_view block) {
    sum->Update(block.data(), block.size());
    Read(block.size());
    return true;
  });
  if (absl::IsNotFound(read)) return false;
  STELE_RETURN_IF_ERROR(read);
  ++found_.files;
  sum->Finalize();
  if (sum->GetChecksum() != expected.checksum) {
    Fault(file, "does not have the checksum that was noted when it was written");
  }
  return true;
}

absl::StatusOr<bool> FileCheck::CheckTableAlone(const std::string& file) {
  std::error_code error;
  const uint64_t size = fs::file_size(dir_ / file, error);
  if (error == std::errc::no_such_file_or_directory) return false;
  rocksdb::SstFileReader reader{rocksdb::Options()};
  rocksdb::Status status = reader.Open((dir_ / file).string());
  if (status.ok()) status = reader.VerifyChecksum();
  if (status.IsPathNotFound()) return false;
  ++found_.files;
  Read(error ? 0 : size);
  if (!status.ok()) Fault(file, status.ToString());
  return true;
}

absl::Status FileCheck::CheckTablesAlone() {
  for (const std::string& file : FilesWith(dir_, ".sst")) {
    STELE_RETURN_IF_ERROR(CheckTableAlone(file).status());
  }
  return absl::OkStatus();
}

}  // namespace stele::store
