#include "store/backend/rocksdb/poison.h"

#include <utility>

#include "store/backend/rocksdb/status.h"

namespace stele::store {
namespace {

class Listener final : public rocksdb::EventListener {
 public:
  explicit Listener(std::shared_ptr<Poison> poison) : poison_(std::move(poison)) {}

  void OnBackgroundError(rocksdb::BackgroundErrorReason, rocksdb::Status* error) override {
    if (!error->ok()) poison_->Set(FromRocksDb(*error, "writing in the background"));
  }

  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason, rocksdb::Status,
                            bool* auto_recovery) override {
    *auto_recovery = false;
  }

 private:
  const std::shared_ptr<Poison> poison_;
};

}  // namespace

void Poison::Set(const absl::Status& cause) {
  MutexLock lock(mutex_);
  if (cause_.ok()) cause_ = cause;
}

absl::Status Poison::cause() const {
  MutexLock lock(mutex_);
  return cause_;
}

std::shared_ptr<rocksdb::EventListener> PoisonOnBackgroundError(std::shared_ptr<Poison> poison) {
  return std::make_shared<Listener>(std::move(poison));
}

}  // namespace stele::store
