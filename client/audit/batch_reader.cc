#include "client/audit/batch_reader.h"

#include <algorithm>
#include <utility>

#include "client/audit/parallel.h"
#include "client/source/measure.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"

namespace stele::client {
namespace {

// Entries that one thread takes at a time: of a batch that begins at a tile, whole bundles.
constexpr size_t kSliceEntries = limits::kTileWidth;
// Contents that one request to the source asks for, about.
constexpr size_t kRequestContents = 256;

// Larger artifacts are not asked for in one piece.
constexpr uint64_t kPieceBytes = 1024 * 1024;

// Checks of several entries, their contents asked for together; large artifacts one by one, so that
// none is ever held whole.
class ContentRequest {
 public:
  void Add(BatchEntry& entry) {
    checks_.emplace_back(&entry, ContentCheck(entry.read.said.statement));
    const ContentCheck& check = checks_.back().second;
    for (const Digest& digest : check.wanted()) {  // the large ones come last
      const size_t owner = checks_.size() - 1;
      if (check.ArtifactSize(digest).value_or(0) > kPieceBytes) {
        large_.emplace_back(digest, owner);
      } else {
        digests_.push_back(digest);
        owners_.push_back(owner);
      }
    }
  }
  size_t size() const { return digests_.size() + large_.size(); }

  absl::Status Send(Source& source, uint64_t& contents, uint64_t& bytes) {
    const auto take = [&](size_t at, std::optional<std::string> content) -> absl::Status {
      ContentCheck& check = checks_[owners_[at]].second;
      // It may be there all the same, with more bytes than its subject says.
      if (!content && check.ArtifactSize(digests_[at])) {
        return TakeArtifact(source, digests_[at], check, contents);
      }
      if (content) ++contents;
      check.Take(content);
      return absl::OkStatus();
    };
    STELE_RETURN_IF_ERROR(source.Content(digests_, take));
    for (const auto& [digest, owner] : large_) {
      STELE_RETURN_IF_ERROR(TakeArtifact(source, digest, checks_[owner].second, contents));
    }
    for (auto& [entry, check] : checks_) {
      entry->content_faults = check.Faults();
      bytes += check.bytes();
    }
    *this = ContentRequest();
    return absl::OkStatus();
  }

 private:
  static absl::Status TakeArtifact(Source& source, const Digest& digest, ContentCheck& check,
                                   uint64_t& contents) {
    STELE_ASSIGN_OR_RETURN(const std::optional<uint64_t> size, MeasureArtifact(source, digest));
    if (size) ++contents;
    check.TakeArtifact(size);
    return absl::OkStatus();
  }

  std::vector<std::pair<BatchEntry*, ContentCheck>> checks_;
  std::vector<Digest> digests_;
  std::vector<size_t> owners_;                    // parallel: into checks_
  std::vector<std::pair<Digest, size_t>> large_;  // and whose they are
};

}  // namespace

void BatchReader::AddKeysOf(const Statement& statement) {
  for (PublicKey& key : KeysBroughtBy(statement)) {
    const KeyId id = key.id();
    keys_.try_emplace(id, std::move(key));
  }
}

absl::StatusOr<std::vector<BatchEntry>> BatchReader::Read(EntryIndex start, uint64_t count,
                                                          TreeSize size) {
  std::vector<BatchEntry> batch(count);
  const size_t slices = (count + kSliceEntries - 1) / kSliceEntries;
  const auto slice_of = [&](size_t i) {
    return Slice(batch).subspan(i * kSliceEntries, kSliceEntries);
  };
  STELE_RETURN_IF_ERROR(ParallelFor(threads_, slices, [&](size_t i) {
    return ReadSlice(EntryIndex(start.value() + i * kSliceEntries), size, slice_of(i));
  }));
  for (const BatchEntry& entry : batch) AddKeysOf(entry.read.said.statement);
  STELE_RETURN_IF_ERROR(ParallelFor(threads_, slices, [&](size_t i) {
    CheckSignatures(slice_of(i));
    return CheckContents(slice_of(i));
  }));
  return batch;
}

absl::Status BatchReader::ReadSlice(EntryIndex start, TreeSize size, Slice slice) const {
  STELE_ASSIGN_OR_RETURN(const std::vector<std::string> leaves,
                         source_.Entries(start, slice.size(), size));
  for (size_t i = 0; i < slice.size(); ++i) {
    slice[i].leaf_hash = LeafHash(leaves[i]);
    slice[i].read = ReadLeaf(EntryIndex(start.value() + i), leaves[i], origin_);
  }
  return ReadEnvelopes(slice);
}

absl::Status BatchReader::ReadEnvelopes(Slice slice) const {
  std::vector<Digest> digests;
  std::vector<BatchEntry*> entries;
  for (BatchEntry& entry : slice) {
    if (!entry.read.detached) continue;
    digests.push_back(entry.read.detached->digest);
    entries.push_back(&entry);
  }
  if (digests.empty()) return absl::OkStatus();
  return source_.Content(digests, [&](size_t at, std::optional<std::string> content) {
    ReadEnvelope(content, origin_, entries[at]->read);
    return absl::OkStatus();
  });
}

void BatchReader::CheckSignatures(Slice slice) const {
  for (BatchEntry& entry : slice) {
    const auto key = keys_.find(entry.read.said.signer);
    CheckSignature(key == keys_.end() ? nullptr : &key->second, entry.read);
  }
}

// Only of what may be valid: the content of a void publication is nobody's business.
absl::Status BatchReader::CheckContents(Slice slice) {
  uint64_t contents = 0, bytes = 0;
  ContentRequest request;
  for (BatchEntry& entry : slice) {
    const Said& said = entry.read.said;
    if (said.reading != Said::Reading::kWhole || said.signature != Said::Signature::kGood) continue;
    if (said.statement.type != StatementType::kPublication) continue;
    request.Add(entry);
    if (request.size() < kRequestContents) continue;
    STELE_RETURN_IF_ERROR(request.Send(source_, contents, bytes));
  }
  if (request.size() > 0) STELE_RETURN_IF_ERROR(request.Send(source_, contents, bytes));
  contents_ += contents;
  content_bytes_ += bytes;
  return absl::OkStatus();
}

}  // namespace stele::client
