#include "store/backend/rocksdb/wal_chain.h"

#include <string_view>

#include "core/base/concat.h"

namespace stele::store {
namespace {

constexpr std::string_view kMark = "stele batch 1 ";  // then "<base> <size>"
constexpr std::string_view kStagingMark = "stele stage 1";

// Collects the mark of a batch; rows are of no interest.
class MarkReader final : public rocksdb::WriteBatch::Handler {
 public:
  rocksdb::Status PutCF(uint32_t, const rocksdb::Slice&, const rocksdb::Slice&) override {
    return rocksdb::Status::OK();
  }
  rocksdb::Status DeleteCF(uint32_t, const rocksdb::Slice&) override {
    return rocksdb::Status::OK();
  }
  void LogData(const rocksdb::Slice& blob) override { text.assign(blob.data(), blob.size()); }
  std::string text;
};

std::optional<uint64_t> ParseNumber(std::string_view text) {
  uint64_t value = 0;
  if (text.empty() || text.size() > 19) return std::nullopt;
  for (char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<uint64_t>(c - '0');
  }
  return value;
}

struct Step {
  uint64_t base;
  uint64_t size;
};

// Empty if there is none.
std::string ReadMark(const rocksdb::WriteBatch& batch) {
  MarkReader reader;
  return batch.Iterate(&reader).ok() ? reader.text : std::string();
}

std::optional<Step> ParseStep(std::string_view text) {
  if (text.substr(0, kMark.size()) != kMark) return std::nullopt;
  text.remove_prefix(kMark.size());
  const size_t space = text.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const auto base = ParseNumber(text.substr(0, space)), size = ParseNumber(text.substr(space + 1));
  if (!base || !size) return std::nullopt;
  return Step{*base, *size};
}

}  // namespace

rocksdb::Status MarkBatch(TreeSize base, TreeSize size, rocksdb::WriteBatch& batch) {
  return batch.PutLogData(Concat(kMark, base.value(), ' ', size.value()));
}

rocksdb::Status MarkStaging(rocksdb::WriteBatch& batch) {
  return batch.PutLogData({kStagingMark.data(), kStagingMark.size()});
}

rocksdb::WalFilter::WalProcessingOption WalChain::LogRecordFound(unsigned long long,
                                                                 const std::string& file,
                                                                 const rocksdb::WriteBatch& batch,
                                                                 rocksdb::WriteBatch*,
                                                                 bool* changed) {
  *changed = false;
  if (batch.Count() == 0) return WalProcessingOption::kContinueProcessing;  // RocksDB's own
  const std::string mark = ReadMark(batch);
  if (mark == kStagingMark) return WalProcessingOption::kContinueProcessing;
  const std::optional<Step> step = ParseStep(mark);
  if (!step) {
    hole_ = Concat("a batch that Stele did not write stands in ", file);
    return WalProcessingOption::kCorruptedRecord;
  }
  if (reached_ && *reached_ != step->base) {
    hole_ = Concat("the commits from size ", *reached_, " to ", step->base, " are missing before ",
                   file);
    return WalProcessingOption::kCorruptedRecord;
  }
  reached_ = step->size;
  return WalProcessingOption::kContinueProcessing;
}

}  // namespace stele::store
