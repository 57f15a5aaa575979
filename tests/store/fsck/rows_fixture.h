// Rows of the copy that are changed behind the store's back, each well written.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "store/backend/rocksdb/database.h"
#include "store/codec/keys.h"
#include "store/codec/rows.h"
#include "tests/store/fsck/fixture.h"

namespace stele::store::testing {

class RowsTest : public FsckTest {
 protected:
  std::shared_ptr<Database> OpenDb() {
    RocksDbOptions options{.dir = db()};
    Database::Failure failure;
    auto database =
        Database::Open(options, rocksdb::Env::Default(), Database::Mode::kWrite,
                       rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords, failure);
    EXPECT_NE(database, nullptr) << failure.status.ToString();
    return database;
  }
  void Put(Family family, const std::string& key, const std::string& value) {
    const auto database = OpenDb();
    ASSERT_TRUE(database->db().Put({}, database->family(family), key, value).ok());
    Flush(*database);
  }
  void Delete(Family family, const std::string& key) {
    const auto database = OpenDb();
    ASSERT_TRUE(database->db().Delete({}, database->family(family), key).ok());
    Flush(*database);
  }
  // Out of the write-ahead log, where a batch that is not Stele's would be noticed.
  static void Flush(const Database& database) {
    for (size_t i = 0; i < kFamilyNames.size(); ++i) {
      ASSERT_TRUE(database.db().Flush({}, database.family(static_cast<Family>(i))).ok());
    }
  }
  std::shared_ptr<const Snapshot> Now() {
    auto snapshot = Database::Take(OpenDb());
    EXPECT_TRUE(snapshot.ok()) << snapshot.status();
    return *snapshot;
  }
  template <class Row>
  std::vector<Row> All(RowKind kind) {
    std::vector<Row> rows;
    EXPECT_TRUE(Now()
                    ->VisitRows(kind,
                                [&](absl::StatusOr<AnyRow> row) {
                                  rows.push_back(std::get<Row>(*row));
                                  return true;
                                })
                    .ok());
    return rows;
  }
  // Exactly one thing is named, and it is this.
  void ExpectOnly(std::string_view kind, const std::string& name) {
    Check();
    EXPECT_TRUE(Found(kind, name)) << AllFound();
    EXPECT_EQ(found_.size(), 1u) << AllFound();
  }
};

}  // namespace stele::store::testing
