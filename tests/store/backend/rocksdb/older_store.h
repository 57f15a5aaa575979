// A database as it was before Stele knew all of today's families.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>

#include "store/backend/rocksdb/database.h"

namespace stele::store::testing {

// Takes the later families out of a database that nobody has open, with all that is in them.
inline void DropLaterFamilies(const std::filesystem::path& dir) {
  Database::Failure failure;
  const auto database =
      Database::Open({.dir = dir}, rocksdb::Env::Default(), Database::Mode::kWrite,
                     rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords, failure);
  ASSERT_NE(database, nullptr) << failure.status.ToString();
  for (size_t i = 0; i < kFamilyNames.size(); ++i) {  // no batch of an earlier run in the log
    ASSERT_TRUE(database->db().Flush({}, database->family(static_cast<Family>(i))).ok());
  }
  for (size_t i = static_cast<size_t>(kFirstLaterFamily); i < kFamilyNames.size(); ++i) {
    ASSERT_TRUE(database->db().DropColumnFamily(database->family(static_cast<Family>(i))).ok());
  }
}

}  // namespace stele::store::testing
