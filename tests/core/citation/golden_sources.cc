#include "tests/core/citation/golden_sources.h"

#include <algorithm>

#include "core/crypto/sha256.h"
#include "core/record/manifest.h"
#include "core/tlog/checkpoint.h"

namespace stele::testing {
namespace {

std::vector<Hash> LeafHashes(const GoldenLog& log) {
  std::vector<Hash> hashes;
  for (const GoldenEntry& entry : log.entries) hashes.push_back(LeafHash(entry.leaf));
  return hashes;
}

GoldenLog FirstOf(GoldenLog log, size_t size) {
  log.entries.resize(std::min(size, log.entries.size()));
  return log;
}

bool Names(const Said& said, const Digest& digest) {
  return said.HasStatement() &&
         std::any_of(said.statement.subjects.begin(), said.statement.subjects.end(),
                     [&](const Subject& subject) { return subject.digest == digest; });
}

}  // namespace

GoldenSources::GoldenSources(std::string_view name, size_t size)
    : log_(FirstOf(LoadGoldenLog(name), size)), tree_(LeafHashes(log_)) {
  for (size_t i = 0; i < log_.entries.size(); ++i) {
    ReadEntry read = ReadLeaf(EntryIndex(i), log_.entries[i].leaf, log_.origin);
    if (read.detached) {
      ReadEnvelope(log_.Content(read.detached->digest.ToHex()), log_.origin, read);
    }
    CheckSignature(replay_.ring().FindKey(read.said.signer), read);
    replay_.Add(read.said).IgnoreError();
    read_.push_back(std::move(read));
  }
}

bool GoldenSources::NotVoid(EntryIndex index) const {
  const Verdict verdict = replay_.JudgementOf(index).verdict;
  return verdict == Verdict::kValid || verdict == Verdict::kWithheld;
}

LoggedEntry GoldenSources::Logged(EntryIndex index) const {
  const Said& said = read_[index.value()].said;
  return {said.index, said.signer, said.authority};
}

std::vector<LoggedEntry> GoldenSources::Of(StatementType type) const {
  std::vector<LoggedEntry> entries;
  for (const ReadEntry& read : read_) {
    if (!read.said.HasStatement() || read.said.statement.type != type) continue;
    if (NotVoid(read.said.index)) entries.push_back(Logged(read.said.index));
  }
  return entries;
}

// A withheld envelope is gone, so that nothing says what it was about; of the golden ones the
// reference's bundles show it, and a server's index has it from before.
std::vector<EntryIndex> GoldenSources::About(const Digest& record) const {
  std::vector<EntryIndex> about;
  for (const ReadEntry& read : read_) {
    const Said& said = read.said;
    if (NotVoid(said.index) && Names(said, record) &&
        said.statement.type != StatementType::kWithholding) {
      about.push_back(said.index);
    }
  }
  return about;
}

void GoldenSources::AddWithholding(const Digest& digest, std::vector<LoggedEntry>& out) const {
  if (!replay_.IsWithheld(digest)) return;
  for (auto read = read_.rbegin(); read != read_.rend(); ++read) {
    const Said& said = read->said;
    if (said.statement.type != StatementType::kWithholding || !Names(said, digest)) continue;
    if (replay_.Counts(said.index)) return out.push_back(Logged(said.index));
  }
}

std::vector<LoggedEntry> GoldenSources::PublicationsByRetractors(const Digest& record) const {
  std::vector<LoggedEntry> publications;
  for (EntryIndex index : About(record)) {
    const Said& said = read_[index.value()].said;
    if (said.statement.type != StatementType::kRetraction) continue;
    for (const Subject& subject : said.statement.subjects) {
      for (const RecordPublication& row : replay_.records().PublicationsOf(subject.digest)) {
        const LoggedEntry entry = Logged(EntryIndex(row.entry));
        if (entry.signer == said.signer) publications.push_back(entry);
      }
    }
  }
  return publications;
}

std::vector<EntryIndex> GoldenSources::Cited(const Digest& record) const {
  CitationSources sources{
      .ring = replay_.ring(),
      .policies = Of(StatementType::kPolicy),
      .log_keys = Of(StatementType::kLogKey),
      .publications_by_retractors = PublicationsByRetractors(record),
  };
  for (EntryIndex index : About(record)) sources.about.push_back(Logged(index));
  AddWithholding(record, sources.withholdings);
  for (const RecordPublication& row : replay_.records().PublicationsOf(record)) {
    AddWithholding(row.manifest, sources.withholdings);
  }
  return EntriesToCite(sources);
}

std::optional<std::string> GoldenSources::Content(const Digest& digest) const {
  std::optional<std::string> bytes = log_.Content(digest.ToHex());
  if (bytes && Sha256(*bytes) == digest) return bytes;
  return std::nullopt;
}

std::optional<Citation> GoldenSources::Cite(const Digest& record) const {
  const std::optional<std::string> identity = Content(record);
  if (!identity || !replay_.OwnerOf(record)) return std::nullopt;
  for (const RecordPublication& row : replay_.records().PublicationsOf(record)) {
    const std::optional<std::string> manifest = Content(row.manifest);
    const auto parsed = manifest ? ParseManifest(*manifest) : absl::NotFoundError("");
    if (parsed.ok() && parsed->record == record) return Bundle(record, *identity, *manifest);
  }
  return std::nullopt;
}

Citation GoldenSources::Bundle(const Digest& record, std::string identity,
                               std::string manifest) const {
  const TreeSize size(read_.size());
  Citation citation{
      record, Permalink(log_.origin, record), std::move(identity), std::move(manifest), "", {}};
  for (EntryIndex index : Cited(record)) {
    CitationEntry entry{index, log_.entries[index.value()].leaf,
                        *MakeInclusionProof(tree_, index, size), std::nullopt};
    if (const auto& detached = read_[index.value()].detached) {
      if (!replay_.IsWithheld(detached->digest)) entry.detached = Content(detached->digest);
    }
    citation.entries.push_back(std::move(entry));
  }
  for (const char* name : {"log key 1", "log key 2"}) {
    const PrivateKey key =
        *PrivateKey::FromEd25519Seed(Sha256({"stele public test key: ", name}).bytes());
    for (const LogKeySpan& span : replay_.LogKeys()) {
      if (span.key.key.id() != key.public_key().id() || !span.Current(size)) continue;
      citation.checkpoint =
          *SignCheckpoint({log_.origin, size, *MakeRoot(tree_, size), {}}, span.key, key);
    }
  }
  return citation;
}

}  // namespace stele::testing
