#include "store/fsck/row_sum.h"

#include <cstring>

#include "core/base/concat.h"
#include "core/crypto/sha256.h"

namespace stele::store {

void RowSum::Add(const ReplayRow& row) {
  AddBytes(Concat(row.key.payload.bytes(), row.key.signer.bytes(), row.index.value()));
}

void RowSum::Add(const PublicationRow& row) {
  AddBytes(Concat(row.record.bytes(), row.signer.bytes(), row.manifest.bytes(), row.index.value(),
                  " ", row.authority.value()));
}

void RowSum::Add(const SubjectRow& row) {
  AddBytes(Concat(row.subject.bytes(), row.signer.bytes(), row.index.value(), " ",
                  row.authority.value(), " ", static_cast<int>(row.type), " ",
                  row.withheld ? "withheld" : ""));
}

void RowSum::Add(const KeyEvent& event) {
  const std::string role = event.role ? Concat(static_cast<int>(*event.role)) : "none";
  const std::string since =
      event.compromised_since ? Concat(event.compromised_since->value()) : "none";
  AddBytes(Concat(event.subject.bytes(), event.signer.bytes(), event.index.value(), " ",
                  event.authority.value(), " ", static_cast<int>(event.kind), " ", role, " ", since,
                  " ", event.spki.size(), " ", event.name.size(), " ", event.spki, event.name,
                  event.reason));
}

void RowSum::Add(std::string_view key, std::string_view value) {
  AddBytes(Concat(key.size(), " ", key, value));
}

void RowSum::Subtract(const SubjectRow& row) {
  RowSum one;
  one.Add(row);
  count_ -= one.count_;
  for (size_t lane = 0; lane < sum_.size(); ++lane) sum_[lane] -= one.sum_[lane];
}

void RowSum::AddBytes(const std::string& bytes) {
  ++count_;
  const Digest digest = Sha256(bytes);
  for (size_t lane = 0; lane < sum_.size(); ++lane) {
    uint64_t part = 0;
    std::memcpy(&part, digest.bytes().data() + lane * sizeof(part), sizeof(part));
    sum_[lane] += part;
  }
}

}  // namespace stele::store
