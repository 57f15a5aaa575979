#include "core/statement/subjects.h"

#include "absl/container/flat_hash_set.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/crypto/sha256.h"

namespace stele {
namespace {

using Kind = Subject::Kind;

constexpr std::string_view MediaTypeOf(Kind kind) {
  switch (kind) {
    case Kind::kRecord:
      return kRecordMediaType;
    case Kind::kKey:
      return kKeyMediaType;
    case Kind::kOrigin:
      return kOriginMediaType;
    case Kind::kArtifact:
    case Kind::kAny:
      return "";
  }
  return "";
}

// The kind is looked at before the members, which depend on it; an absent media type is a fault of
// the members.
void ReadKind(const JsonReader& object, const StatementTypeRow& row, Subject& subject) {
  subject.kind = row.subject;
  if (row.subject == Kind::kAny || !object.Has("mediaType")) return;
  const JsonReader media = object.At("mediaType");
  subject.media_type = media.String();
  const bool publication = row.type == StatementType::kPublication;
  const bool reserved =
      subject.media_type == kKeyMediaType || subject.media_type == kOriginMediaType;
  if (publication && !reserved && subject.media_type != kRecordMediaType) {
    subject.kind = Kind::kArtifact;
    subject.media_type = media.Text(limits::kMediaTypeBytes);
  } else if (subject.media_type != MediaTypeOf(row.subject)) {
    media.Fail(reason::kSubjectKind, "this type does not take subjects of this media type");
  }
}

void ReadAnnotations(const JsonReader& annotations, Subject& subject) {
  if (subject.kind == Kind::kArtifact) {
    annotations.Members({"size"});
    subject.size = static_cast<uint64_t>(annotations.At("size").Integer(0));
  } else {
    annotations.Members({"manifest"});
    subject.manifest = annotations.At("manifest").DigestText();
  }
}

Subject ReadSubject(const JsonReader& object, const StatementTypeRow& row) {
  Subject subject;
  if (!object.IsObject()) return subject;
  ReadKind(object, row, subject);
  const bool publication = row.type == StatementType::kPublication;
  if (publication) {
    object.Members({"annotations", "digest", "mediaType"});
  } else if (row.subject == Kind::kAny) {
    object.Members({"digest"});
  } else {
    object.Members({"digest", "mediaType"});
  }
  const JsonReader digest = object.At("digest");
  digest.Members({"sha256"});
  subject.digest = digest.At("sha256").DigestHex();
  if (publication) ReadAnnotations(object.At("annotations"), subject);
  return subject;
}

}  // namespace

std::vector<Subject> ReadSubjects(const JsonReader& array, const StatementTypeRow& row,
                                  size_t max) {
  const size_t count = array.Items();
  if (count < 1 || count > max) {
    array.Fail(reason::kSubjectCount, "at least 1 subject, at most " + std::to_string(max));
  }
  std::vector<Subject> subjects;
  if (!array.ok()) return subjects;
  subjects.reserve(count);
  absl::flat_hash_set<Digest> seen;
  for (size_t i = 0; i < count && array.ok(); ++i) {
    const JsonReader item = array.At(i);
    subjects.push_back(ReadSubject(item, row));
    if (count > 1 && !seen.insert(subjects.back().digest).second) {
      item.Fail(reason::kDuplicateSubject, "another subject has this digest");
    }
  }
  return subjects;
}

std::vector<Subject> ReadForeignSubjects(const JsonReader& array) {
  const size_t count = array.Items();
  if (count == 0) array.Fail(reason::kWrongValue, "at least one subject");
  std::vector<Subject> subjects;
  for (size_t i = 0; i < count && array.ok(); ++i) {
    const JsonReader item = array.At(i);
    if (!item.IsObject()) break;
    const JsonReader digests = item.At("digest");
    if (!item.Has("digest")) digests.Fail(reason::kWrongType, "must be an object");
    const std::optional<Digest> sha256 =
        digests.IsObject() ? digests.At("sha256").ReadableHex() : std::nullopt;
    if (!sha256) continue;
    Subject& subject = subjects.emplace_back();
    subject.kind = Kind::kAny;
    subject.digest = *sha256;
  }
  if (subjects.empty()) array.Fail(reason::kUnknownSubject, "no subject has a readable sha256");
  return subjects;
}

Subject KeySubject(const KeyId& key) {
  Subject subject;
  subject.kind = Kind::kKey;
  subject.digest = key;
  subject.media_type = kKeyMediaType;
  return subject;
}

Subject OriginSubject(std::string_view origin) {
  Subject subject;
  subject.kind = Kind::kOrigin;
  subject.digest = Sha256(origin);
  subject.media_type = kOriginMediaType;
  return subject;
}

Subject RecordSubject(const Digest& record, const Digest& manifest) {
  Subject subject;
  subject.digest = record;
  subject.media_type = kRecordMediaType;
  subject.manifest = manifest;
  return subject;
}

}  // namespace stele
