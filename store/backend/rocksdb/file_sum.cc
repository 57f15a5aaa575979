#include "store/backend/rocksdb/file_sum.h"

#include <xxhash.h>

#include <cstdlib>

namespace stele::store {
namespace {

constexpr char kName[] = "SteleXxh3-128";

class Xxh3FileSum : public rocksdb::FileChecksumGenerator {
 public:
  Xxh3FileSum() : state_(XXH3_createState()) {
    if (state_ == nullptr) std::abort();  // out of memory, where nothing may be thrown
    XXH3_128bits_reset(state_.get());
  }

  void Update(const char* data, size_t size) override {
    XXH3_128bits_update(state_.get(), data, size);
  }
  void Finalize() override {
    XXH128_canonical_t bytes;
    XXH128_canonicalFromHash(&bytes, XXH3_128bits_digest(state_.get()));
    sum_.assign(reinterpret_cast<const char*>(bytes.digest), sizeof(bytes.digest));
  }
  std::string GetChecksum() const override { return sum_; }
  const char* Name() const override { return kName; }

 private:
  struct Free {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Free> state_;
  std::string sum_;
};

class FileSumFactory : public rocksdb::FileChecksumGenFactory {
 public:
  std::unique_ptr<rocksdb::FileChecksumGenerator> CreateFileChecksumGenerator(
      const rocksdb::FileChecksumGenContext& context) override {
    const std::string& wanted = context.requested_checksum_func_name;
    return wanted.empty() ? std::make_unique<Xxh3FileSum>() : MakeFileSum(wanted);
  }
  const char* Name() const override { return "SteleFileSums"; }
};

}  // namespace

std::shared_ptr<rocksdb::FileChecksumGenFactory> FileSums() {
  return std::make_shared<FileSumFactory>();
}

std::unique_ptr<rocksdb::FileChecksumGenerator> MakeFileSum(const std::string& function) {
  if (function == kName) return std::make_unique<Xxh3FileSum>();
  auto crc = rocksdb::GetFileChecksumGenCrc32cFactory()->CreateFileChecksumGenerator({});
  if (function == crc->Name()) return crc;
  return nullptr;
}

}  // namespace stele::store
