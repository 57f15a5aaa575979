#include <array>
#include <optional>
#include <utility>

#include "core/base/concat.h"
#include "disk/v1/frames.capnp.h"
#include "store/codec/message.h"
#include "store/codec/rows.h"

namespace stele::store {
namespace {

using Disk = disk::v1::Subject;

// Types whose subjects stand elsewhere (genesis and key events) have no row here.
constexpr std::array<std::pair<Disk::Type, StatementType>, 9> kTypes = {{
    {Disk::Type::LOG_KEY, StatementType::kLogKey},
    {Disk::Type::POLICY, StatementType::kPolicy},
    {Disk::Type::PUBLICATION, StatementType::kPublication},
    {Disk::Type::VERIFICATION, StatementType::kVerification},
    {Disk::Type::REPRODUCTION, StatementType::kReproduction},
    {Disk::Type::NOTE, StatementType::kNote},
    {Disk::Type::RETRACTION, StatementType::kRetraction},
    {Disk::Type::WITHHOLDING, StatementType::kWithholding},
    {Disk::Type::FOREIGN, StatementType::kForeign},
}};

Disk::Type ToDisk(StatementType type) {
  for (const auto& [disk, ours] : kTypes) {
    if (ours == type) return disk;
  }
  return Disk::Type::FOREIGN;
}

// False if a newer writer's value stands there.
bool FromDisk(Disk::Type in, StatementType& out) {
  for (const auto& [disk, ours] : kTypes) {
    if (disk != in) continue;
    out = ours;
    return true;
  }
  return false;
}

}  // namespace

std::string EncodeSubject(const SubjectRow& row) {
  return WriteFrame<Disk>(RowType::kSubject, 2 * Digest::kBytes, [&](Disk::Builder out) {
    out.setSubject(ToData(row.subject));
    out.setIndex(row.index.value());
    out.setType(ToDisk(row.type));
    out.setSigner(ToData(row.signer));
    out.setAuthority(row.authority.value());
    out.setWithheld(row.withheld);
  });
}

absl::StatusOr<SubjectRow> DecodeSubject(std::string_view frame, const Digest& subject,
                                         EntryIndex index) {
  auto row = [&] {
    return Concat("what is said about ", subject.ToText(), " at index ", index.value());
  };
  return ReadFrame<Disk, SubjectRow>(
      RowType::kSubject, frame, row, [&](Disk::Reader in) -> std::optional<SubjectRow> {
        SubjectRow value;
        if (!ReadDigest(in.getSubject(), value.subject) ||
            !ReadDigest(in.getSigner(), value.signer) || !FromDisk(in.getType(), value.type)) {
          return std::nullopt;
        }
        value.index = EntryIndex(in.getIndex());
        value.authority = EventIndex(in.getAuthority());
        value.withheld = in.getWithheld();
        if (value.subject != subject || value.index != index) return std::nullopt;
        return value;
      });
}

}  // namespace stele::store
