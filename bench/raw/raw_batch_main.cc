// bench-raw-batch: synchronised RocksDB write batches of the bytes that a statement of many records
// brings (its records by digest, and the entry), with nothing of Stele around them. The other side
// of a ratio: prints {"records_per_second": …}.
#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <random>
#include <string>

namespace {

struct Options {
  std::string dir;
  int batches = 1000;
  int records = 64;
  size_t bytes = 1024;
};

// Hexadecimal noise, as the load generator's records have.
std::string Noise(std::mt19937_64& random, size_t bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text(bytes, '0');
  for (char& c : text) c = kDigits[random() & 15];
  return text;
}

rocksdb::Status Write(rocksdb::DB& db, const Options& options, double* seconds) {
  std::mt19937_64 random(std::random_device{}());
  rocksdb::WriteOptions synchronised;
  synchronised.sync = true;
  *seconds = 0;
  for (int b = 0; b < options.batches; ++b) {
    rocksdb::WriteBatch batch;
    for (int r = 0; r < options.records; ++r) {
      batch.Put(Noise(random, 32), Noise(random, options.bytes));
    }
    // The entry holds the statement in base64: about 350 bytes a subject.
    batch.Put(Noise(random, 8), Noise(random, static_cast<size_t>(options.records) * 350));
    auto begin = std::chrono::steady_clock::now();
    if (rocksdb::Status status = db.Write(synchronised, &batch); !status.ok()) return status;
    *seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  return rocksdb::Status::OK();
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Synchronised RocksDB batches of records, as a yardstick.");
  app.add_option("--dir", options.dir, "scratch folder, removed before and after")->required();
  app.add_option("--batches", options.batches, "synchronised batches");
  app.add_option("--records", options.records, "records of a batch");
  app.add_option("--bytes", options.bytes, "bytes of a record");
  CLI11_PARSE(app, argc, argv);

  std::filesystem::remove_all(options.dir);
  double seconds = 0;
  rocksdb::Status status;
  {
    rocksdb::Options open;
    open.create_if_missing = true;
    rocksdb::DB* raw = nullptr;
    status = rocksdb::DB::Open(open, options.dir, &raw);
    std::unique_ptr<rocksdb::DB> db(raw);
    if (status.ok()) status = Write(*db, options, &seconds);
  }
  std::filesystem::remove_all(options.dir);
  if (!status.ok()) {
    std::cerr << "bench-raw-batch: " << status.ToString() << "\n";
    return 1;
  }
  double records = static_cast<double>(options.batches) * options.records;
  std::cout << "{\"records_per_second\":" << static_cast<int64_t>(records / seconds) << "}\n";
  return 0;
}
