#include "core/replay/said_codec.h"

#include <utility>

#include "core/base/limits.h"
#include "core/replay/byte_reader.h"

namespace stele {
namespace {

using Reading = Said::Reading;

// How a subject is written.
enum SubjectForm : uint8_t { kSameManifest, kOtherManifest, kArtifact, kPlain };

// Types of which the replay needs no more than the subjects, or which may be withheld: no word of
// them is kept.
bool SubjectsSuffice(StatementType type) {
  return AlwaysDetached(type) || type == StatementType::kPublication ||
         type == StatementType::kVerification;
}

bool KeepsPayload(const Said& said) {
  return said.reading == Reading::kWhole && !SubjectsSuffice(said.statement.type);
}

void AppendSubject(const Subject& subject, std::string& out) {
  SubjectForm form = kPlain;
  if (subject.manifest) form = *subject.manifest == subject.digest ? kSameManifest : kOtherManifest;
  if (subject.kind == Subject::Kind::kArtifact) form = kArtifact;
  out += static_cast<char>(form);
  out += subject.digest.bytes();
  if (form == kOtherManifest) out += subject.manifest->bytes();
  if (form == kArtifact) AppendVarint(subject.size, out);
}

Subject TakeSubject(ByteReader& bytes) {
  Subject subject;
  const uint8_t form = bytes.Byte();
  subject.digest = bytes.Digest();
  switch (form) {
    case kSameManifest:
      subject.manifest = subject.digest;
      break;
    case kOtherManifest:
      subject.manifest = bytes.Digest();
      if (*subject.manifest == subject.digest) bytes.Fail();
      break;
    case kArtifact:
      subject.kind = Subject::Kind::kArtifact;
      subject.size = bytes.Varint();
      break;
    case kPlain:
      subject.kind = Subject::Kind::kAny;
      break;
    default:
      bytes.Fail();
  }
  return subject;
}

void AppendStatement(const ReadEntry& read, std::string& out) {
  const Statement& statement = read.said.statement;
  if (KeepsPayload(read.said)) return AppendText(read.payload, out);
  out += static_cast<char>(statement.type);
  if (statement.type == StatementType::kForeign) AppendText(statement.predicate_type, out);
  AppendVarint(statement.subjects.size(), out);
  for (const Subject& subject : statement.subjects) AppendSubject(subject, out);
}

void TakePayload(ByteReader& bytes, std::string_view origin, Statement& statement) {
  auto parsed = ParseStatement(bytes.Text(), origin);
  if (!parsed.ok() || SubjectsSuffice(parsed->type)) return bytes.Fail();
  statement = *std::move(parsed);
}

void TakeSubjects(ByteReader& bytes, Statement& statement) {
  const uint8_t type = bytes.Byte();
  if (type > static_cast<uint8_t>(StatementType::kForeign)) return bytes.Fail();
  statement.type = static_cast<StatementType>(type);
  statement.predicate_type =
      statement.type == StatementType::kForeign ? bytes.Text() : PredicateTypeOf(statement.type);
  if (statement.type == StatementType::kPublication) statement.predicate = Publication{};
  if (statement.type == StatementType::kVerification) statement.predicate = Verification{};
  const uint64_t count = bytes.Varint();
  for (uint64_t i = 0; i < count && bytes.ok(); ++i) {
    statement.subjects.push_back(TakeSubject(bytes));
    const Subject& subject = statement.subjects.back();
    const bool published = subject.manifest || subject.kind == Subject::Kind::kArtifact;
    if (published != (statement.type == StatementType::kPublication)) bytes.Fail();
  }
}

struct Flags {
  Reading reading;
  Said::Signature signature;
  bool own_key, detached, payload;
};

uint8_t FlagsOf(const Said& said) {
  return static_cast<uint8_t>(static_cast<int>(said.reading) |
                              static_cast<int>(said.signature) << 3 | (said.own_key ? 1 << 5 : 0) |
                              (said.envelope ? 1 << 6 : 0) | (KeepsPayload(said) ? 1 << 7 : 0));
}

Flags TakeFlags(ByteReader& bytes) {
  const uint8_t flags = bytes.Byte();
  const int reading = flags & 7, signature = flags >> 3 & 3;
  if (reading > static_cast<int>(Reading::kWhole) || signature > 2) bytes.Fail();
  return {static_cast<Reading>(reading), static_cast<Said::Signature>(signature),
          (flags & 1 << 5) != 0, (flags & 1 << 6) != 0, (flags & 1 << 7) != 0};
}

void TakeBody(const Flags& flags, std::string_view origin, ByteReader& bytes, Said& said) {
  said.logged = TimeMs(static_cast<int64_t>(bytes.Varint()));
  const uint64_t authority = bytes.Varint();
  if (authority > uint64_t{limits::kMaxInteger} + 1) return bytes.Fail();
  said.authority = EventIndex(static_cast<int64_t>(authority) - 1);
  said.signer = bytes.Digest();
  if (flags.detached) said.envelope = bytes.Digest();
  if (said.reading >= Reading::kBadPayload) said.payload = bytes.Digest();
  if (!said.HasStatement()) return;
  if (flags.payload) {
    TakePayload(bytes, origin, said.statement);
  } else {
    TakeSubjects(bytes, said.statement);
    if (KeepsPayload(said)) bytes.Fail();
  }
}

}  // namespace

void AppendSaid(const ReadEntry& read, std::string& out) {
  const Said& said = read.said;
  out += static_cast<char>(FlagsOf(said));
  if (said.reading != Reading::kWhole) AppendText(said.reason, out);
  if (said.reading == Reading::kMalformed) return;
  AppendVarint(static_cast<uint64_t>(said.logged.value()), out);
  AppendVarint(static_cast<uint64_t>(said.authority.value() + 1), out);
  out += said.signer.bytes();
  if (said.envelope) out += said.envelope->bytes();
  if (said.reading >= Reading::kBadPayload) out += said.payload.bytes();
  if (said.HasStatement()) AppendStatement(read, out);
}

absl::StatusOr<Said> TakeSaid(EntryIndex index, std::string_view origin, std::string_view& bytes) {
  ByteReader reader(bytes);
  const Flags flags = TakeFlags(reader);
  Said said;
  said.index = index;
  said.reading = flags.reading;
  said.signature = flags.signature;
  said.own_key = flags.own_key;
  if (said.reading != Reading::kWhole) said.reason = reader.Text();
  if (said.reading != Reading::kMalformed) TakeBody(flags, origin, reader, said);
  if (!reader.ok()) return absl::DataLossError("this is not what an entry said");
  bytes = reader.rest();
  return said;
}

}  // namespace stele
