#include "tests/store/backend/support/faulty_disk.h"

#include <rocksdb/file_system.h>

#include <filesystem>
#include <utility>

namespace stele::store::testing {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

IOStatus Fail(DiskFault::Kind kind, DiskFault& fault) {
  if (kind == DiskFault::Kind::kNone) return IOStatus::OK();
  ++fault.hits;
  return kind == DiskFault::Kind::kNoSpace ? IOStatus::NoSpace("No space left on device")
                                           : IOStatus::IOError("Input/output error");
}

class FaultyFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  FaultyFile(std::unique_ptr<rocksdb::FSWritableFile> file, std::shared_ptr<DiskFault> fault)
      : rocksdb::FSWritableFileOwnerWrapper(std::move(file)), fault_(std::move(fault)) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    const IOStatus failed = Fail(fault_->append, *fault_);
    return failed.ok() ? target()->Append(data, options, debug) : failed;
  }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& info, IODebugContext* debug) override {
    const IOStatus failed = Fail(fault_->append, *fault_);
    return failed.ok() ? target()->Append(data, options, info, debug) : failed;
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    const IOStatus failed = Fail(fault_->sync, *fault_);
    return failed.ok() ? target()->Sync(options, debug) : failed;
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    const IOStatus failed = Fail(fault_->sync, *fault_);
    return failed.ok() ? target()->Fsync(options, debug) : failed;
  }

 private:
  const std::shared_ptr<DiskFault> fault_;
};

class FaultyFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  explicit FaultyFileSystem(std::shared_ptr<DiskFault> fault)
      : rocksdb::FileSystemWrapper(rocksdb::FileSystem::Default()), fault_(std::move(fault)) {}
  const char* Name() const override { return "FaultyFileSystem"; }

  IOStatus NewWritableFile(const std::string& name, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* file,
                           IODebugContext* debug) override {
    std::unique_ptr<rocksdb::FSWritableFile> made;
    IOStatus status = target()->NewWritableFile(name, options, &made, debug);
    if (!status.ok()) return status;
    const bool chosen =
        fault_->extension.empty() || std::filesystem::path(name).extension() == fault_->extension;
    if (chosen) made = std::make_unique<FaultyFile>(std::move(made), fault_);
    *file = std::move(made);
    return status;
  }

 private:
  const std::shared_ptr<DiskFault> fault_;
};

}  // namespace

std::unique_ptr<rocksdb::Env> MakeFaultyDisk(std::shared_ptr<DiskFault> fault) {
  return rocksdb::NewCompositeEnv(std::make_shared<FaultyFileSystem>(std::move(fault)));
}

}  // namespace stele::store::testing
