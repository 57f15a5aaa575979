#include "core/citation/citation.h"

#include <utility>

#include "core/base/base64.h"
#include "core/base/concat.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/json/canonical.h"
#include "core/json/parse.h"
#include "core/statement/json_reader.h"

namespace stele {
namespace {

constexpr std::string_view kVersion = "citation/v1";

Proof ReadProof(const JsonReader& array) {
  std::vector<std::string> hashes;
  const size_t count = array.Items();
  for (size_t i = 0; i < count && array.ok(); ++i) hashes.push_back(array.At(i).Base64());
  absl::StatusOr<Proof> proof = ProofFromBytes(hashes);
  if (proof.ok()) return *std::move(proof);
  if (array.ok()) array.Fail(reason::kProofShape, "a hash has 32 bytes");
  return {};
}

CitationEntry ReadEntry(const JsonReader& object) {
  object.Members({"index", "leaf", "proof"}, {"detached"});
  CitationEntry entry;
  if (object.Has("detached")) entry.detached = object.At("detached").Base64();
  entry.index = EntryIndex(static_cast<uint64_t>(object.At("index").Integer(0)));
  entry.leaf = object.At("leaf").Base64();
  entry.proof = ReadProof(object.At("proof"));
  return entry;
}

std::vector<CitationEntry> ReadEntries(const JsonReader& array) {
  std::vector<CitationEntry> entries;
  const size_t count = array.Items();
  if (array.ok() && count == 0) array.Fail(reason::kWrongValue, "no entries");
  for (size_t i = 0; i < count && array.ok(); ++i) {
    const JsonReader object = array.At(i);
    entries.push_back(ReadEntry(object));
    if (i > 0 && array.ok() && entries[i].index <= entries[i - 1].index) {
      object.At("index").Fail(reason::kEntryOrder, "entries stand by ascending index");
    }
  }
  return entries;
}

void AppendMember(std::string_view name, std::string_view base64_of, std::string& out) {
  out += Concat("\"", name, "\":\"");
  Base64Append(base64_of, out);
  out += '"';
}

void AppendEntry(const CitationEntry& entry, std::string& out) {
  out += '{';
  if (entry.detached) {
    AppendMember("detached", *entry.detached, out);
    out += ',';
  }
  out += Concat("\"index\":", entry.index.value(), ",");
  AppendMember("leaf", entry.leaf, out);
  out += ",\"proof\":[";
  for (size_t i = 0; i < entry.proof.size(); ++i) {
    out += i == 0 ? "\"" : ",\"";
    Base64Append(entry.proof[i].bytes(), out);
    out += '"';
  }
  out += "]}";
}

}  // namespace

std::string Permalink(std::string_view origin, const Digest& record) {
  return Concat("https://", origin, "/records/", record.ToHex(), "/");
}

absl::StatusOr<Citation> ParseCitation(std::string_view text) {
  STELE_ASSIGN_OR_RETURN(const json::Value value,
                         json::Parse(text, {.max_bytes = limits::kCitationBytes}));
  if (json::Canonical(value) != text) {
    return RefuseInput(reason::kNotCanonical, "", "the bundle is not its own RFC 8785 form");
  }
  absl::Status fault;
  const JsonReader root(value, fault);
  root.Members({"checkpoint", "entries", "identity", "manifest", "permalink", "record", "stele"});
  if (root.At("stele").String() != kVersion) {
    root.At("stele").Fail(reason::kWrongValue, "must be citation/v1");
  }
  Citation citation;
  citation.record = root.At("record").DigestText();
  citation.permalink = root.At("permalink").String();
  citation.identity = root.At("identity").Base64();
  citation.manifest = root.At("manifest").Base64();
  citation.checkpoint = root.At("checkpoint").String();
  citation.entries = ReadEntries(root.At("entries"));
  if (!fault.ok()) return fault;
  return citation;
}

std::string FormatCitation(const Citation& citation) {
  std::string out = "{\"checkpoint\":";
  json::AppendCanonicalString(citation.checkpoint, out);
  out += ",\"entries\":[";
  for (size_t i = 0; i < citation.entries.size(); ++i) {
    if (i > 0) out += ',';
    AppendEntry(citation.entries[i], out);
  }
  out += "],";
  AppendMember("identity", citation.identity, out);
  out += ',';
  AppendMember("manifest", citation.manifest, out);
  out += ",\"permalink\":";
  json::AppendCanonicalString(citation.permalink, out);
  out += Concat(",\"record\":\"", citation.record.ToText(), "\",\"stele\":\"", kVersion, "\"}");
  return out;
}

}  // namespace stele
